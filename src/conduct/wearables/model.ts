/** See docs/wearables.md. */
import { Connection } from '#conduct/participantSessions/model'
import { hardwareRecords } from '#db/tables/index'
import {
  anything,
  flag,
  id,
  instant,
  keyed,
  list,
  maybe,
  number,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

const service = () => oneOf(...hardwareRecords.service.enumValues)
const dataset = () => oneOf(...hardwareRecords.dataset.enumValues)
const source = () => withDescription('From the provider itself, or from a file.', oneOf('sync', 'import'))

/** The most records in a page. */
export const PAGE = 1000

export const HardwareQuery = shape({
  dataset: maybe(withDescription('One kind of data; all if left out.', dataset())),
  after: maybe(withDescription('`next` of the page before.', text(1, 300))),
  limit: maybe(withDescription(`Records in the page; the default is ${PAGE}.`, whole(1, PAGE))),
})

const Reading = shape('GlucoseReading', {
  at: withDescription('The clock of the wearer.', text(1, 30)),
  utcOffset: maybe(withDescription('By how many minutes that clock was ahead of UTC.', number())),
  mgPerDl: maybe(number()),
  mmolPerL: maybe(number()),
  status: maybe(text(0, 50)),
  trend: maybe(text(0, 50)),
  rate: maybe(withDescription('The change per minute.', number())),
})

const MeasuredValues = withDescription(
  'By field (docs/wearables.md, "What is stored"): numbers, words, and clock readings of the wearer.',
  keyed(anything()),
)

const HardwareResponse = shape('HardwareResponse', {
  _id: id(),
  createdAt: instant(),
  updatedAt: instant(),
  service: service(),
  dataset: dataset(),
  date: withDescription('The day in the calendar of the wearer; of a sleep, the day on which it ended.', text(10, 10)),
  source: source(),
  values: MeasuredValues,
  readings: maybe(withDescription('Of the dataset egv: the glucose readings of the day, in order.', list(Reading))),
  replaced: withDescription(
    'What the record held before the provider corrected it, oldest first.',
    list(
      shape('ReplacedMeasurement', {
        at: instant(),
        source: source(),
        values: MeasuredValues,
        readings: maybe(list(Reading)),
      }),
    ),
  ),
})

export const HardwareResponses = shape('HardwareResponses', {
  hardwareResponses: list(HardwareResponse, PAGE),
  next: withDescription('`after` of the next page; null if there is none.', orNull(text(1, 300))),
})

export const Connections = shape('WearableConnections', { connections: list(Connection) })

export const OwnConnections = shape('OwnWearableConnections', {
  connections: withDescription(
    'The services that the trial uses for you, and those that you have connected.',
    list(
      shape('OwnWearableConnection', {
        ...Connection.properties,
        isAvailable: withDescription('Whether the trial uses the service for you.', flag()),
        canConnect: withDescription('Whether this server can sign you in there; else send a file.', flag()),
      }),
    ),
  ),
})

export const SignIn = shape('WearableSignIn', {
  url: withDescription('The page of the provider on which to sign in.', text(1, 5000)),
  state: withDescription('What the provider sends back with the code; of OAuth 1.0a the request token.', text(1, 500)),
})

export const ConnectInput = shape('WearableConnectInput', {
  code: withDescription('The code of the provider; of OAuth 1.0a the `oauth_token`.', text(1, 2000)),
  scope: maybe(withDescription('What the participant allowed, as the provider sent it.', text(0, 2000))),
  verifier: maybe(withDescription('The `oauth_verifier` of OAuth 1.0a.', text(1, 500))),
  state: maybe(
    withDescription(
      'As the provider sent it back, of OAuth 2.0 always (else 400): it must be that of the sign-in.',
      text(1, 500),
    ),
  ),
})

export const HardwareImport = shape('HardwareImport', {
  added: withDescription('Records that are new.', whole(0)),
  extended: withDescription('Days that have more readings now.', whole(0)),
  corrected: withDescription('Records that differ; what they held before is kept.', whole(0)),
  unchanged: whole(0),
  from: withDescription('The first day with data; null without data.', orNull(text(10, 10))),
  to: orNull(text(10, 10)),
  unread: withDescription('What the file has and the study does not keep, in words.', list(text(1, 300), 100)),
})
