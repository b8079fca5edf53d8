/** See docs/wearables.md. */
import { Connection } from '#conduct/participantSessions/model'
import { hardwareRecords } from '#db/tables/index'
import * as t from '#wire/schema'

const service = () => t.oneOf(...hardwareRecords.service.enumValues)
const dataset = () => t.oneOf(...hardwareRecords.dataset.enumValues)
const source = () => t.withDescription('From the provider itself, or from a file.', t.oneOf('sync', 'import'))

/** The most records in a page. */
export const PAGE = 1000

export const HardwareQuery = t.shape({
  dataset: t.maybe(t.withDescription('One kind of data; all if left out.', dataset())),
  after: t.maybe(t.withDescription('`next` of the page before.', t.text(1, 300))),
  limit: t.maybe(t.withDescription(`Records in the page; the default is ${PAGE}.`, t.whole(1, PAGE))),
})

const Reading = t.shape('GlucoseReading', {
  at: t.withDescription('The clock of the wearer.', t.text(1, 30)),
  utcOffset: t.maybe(t.withDescription('By how many minutes that clock was ahead of UTC.', t.number())),
  mgPerDl: t.maybe(t.number()),
  mmolPerL: t.maybe(t.number()),
  status: t.maybe(t.text(0, 50)),
  trend: t.maybe(t.text(0, 50)),
  rate: t.maybe(t.withDescription('The change per minute.', t.number())),
})

const MeasuredValues = t.withDescription(
  'By field (docs/wearables.md, "What is stored"): numbers, words, and clock readings of the wearer.',
  t.keyed(t.anything()),
)

const HardwareResponse = t.shape('HardwareResponse', {
  _id: t.id(),
  createdAt: t.instant(),
  updatedAt: t.instant(),
  service: service(),
  dataset: dataset(),
  date: t.withDescription(
    'The day in the calendar of the wearer; of a sleep, the day on which it ended.',
    t.text(10, 10),
  ),
  source: source(),
  values: MeasuredValues,
  readings: t.maybe(
    t.withDescription('Of the dataset egv: the glucose readings of the day, in order.', t.list(Reading)),
  ),
  replaced: t.withDescription(
    'What the record held before the provider corrected it, oldest first.',
    t.list(
      t.shape('ReplacedMeasurement', {
        at: t.instant(),
        source: source(),
        values: MeasuredValues,
        readings: t.maybe(t.list(Reading)),
      }),
    ),
  ),
})

export const HardwareResponses = t.shape('HardwareResponses', {
  hardwareResponses: t.list(HardwareResponse, PAGE),
  next: t.withDescription('`after` of the next page; null if there is none.', t.orNull(t.text(1, 300))),
})

export const Connections = t.shape('WearableConnections', { connections: t.list(Connection) })

export const OwnConnections = t.shape('OwnWearableConnections', {
  connections: t.withDescription(
    'The services that the trial uses for you, and those that you have connected.',
    t.list(
      t.shape('OwnWearableConnection', {
        ...Connection.properties,
        isAvailable: t.withDescription('Whether the trial uses the service for you.', t.flag()),
        canConnect: t.withDescription('Whether this server can sign you in there; else send a file.', t.flag()),
      }),
    ),
  ),
})

export const SignIn = t.shape('WearableSignIn', {
  url: t.withDescription('The page of the provider on which to sign in.', t.text(1, 5000)),
  state: t.withDescription(
    'What the provider sends back with the code; of OAuth 1.0a the request token.',
    t.text(1, 500),
  ),
})

export const ConnectInput = t.shape('WearableConnectInput', {
  code: t.withDescription('The code of the provider; of OAuth 1.0a the `oauth_token`.', t.text(1, 2000)),
  scope: t.maybe(t.withDescription('What the participant allowed, as the provider sent it.', t.text(0, 2000))),
  verifier: t.maybe(t.withDescription('The `oauth_verifier` of OAuth 1.0a.', t.text(1, 500))),
  state: t.maybe(
    t.withDescription(
      'As the provider sent it back, of OAuth 2.0 always (else 400): it must be that of the sign-in.',
      t.text(1, 500),
    ),
  ),
})

export const HardwareImport = t.shape('HardwareImport', {
  added: t.withDescription('Records that are new.', t.whole(0)),
  extended: t.withDescription('Days that have more readings now.', t.whole(0)),
  corrected: t.withDescription('Records that differ; what they held before is kept.', t.whole(0)),
  unchanged: t.whole(0),
  from: t.withDescription('The first day with data; null without data.', t.orNull(t.text(10, 10))),
  to: t.orNull(t.text(10, 10)),
  unread: t.withDescription('What the file has and the study does not keep, in words.', t.list(t.text(1, 300), 100)),
})
