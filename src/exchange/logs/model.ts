import {
  anything,
  day,
  flag,
  id,
  instant,
  joinShapes,
  keyed,
  list,
  maybe,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

/** See docs/exports.md, "The audit trail". What does not apply to an entry is absent. */
const Entry = shape('LogEntry', {
  number: withDescription('Its number in the audit trail of the trial or team, from 1.', whole(1)),
  createdAt: instant(),
  userEmail: orNull(text(0, 200)),
  type: text(1, 100),
  event: withDescription(
    'What happened; `personal` holds personal information, for those who may see it.',
    keyed(anything()),
  ),
  client: withDescription(
    "Address and device. A participant's are personal information.",
    orNull(shape({ address: orNull(text(0, 200)), device: orNull(text(0, 300)) })),
  ),
  participantId: maybe(
    withDescription('The participant that the entry is about, by the ID in the study.', text(0, 200)),
  ),
  apiToken: maybe(withDescription('The API key that was used, by _id.', text(0, 100))),
})

export const LogPage = shape('LogPage', {
  entries: list(Entry),
  page: whole(1),
  total: maybe(
    withDescription(
      'Absent for accounts that are restricted to some sites or groups, and with a filter by participant, account, data type or day.',
      whole(0),
    ),
  ),
  nextPageAvailable: flag(),
})

/** All entries. */
export const LogCsv = shape('LogCsv', { csv: text(0, Number.MAX_SAFE_INTEGER) })

const queryWith = (userType: string) =>
  shape({
    page: maybe(whole(1, 1_000_000_000)),
    userType: maybe(withDescription(userType, oneOf('user', 'participant', 'system'))),
    type: maybe(withDescription('One type of event.', text(1, 100))),
    format: maybe(oneOf('json', 'csv')),
    limit: maybe(withDescription('The maximum number of rows of a csv.', whole(1, 1_000_000_000))),
  })

export const LogQuery = joinShapes(
  queryWith('Whose actions: of staff (the default), of participants, or of the service itself.'),
  shape({
    participant: maybe(withDescription('The participant that the entries are about, by _id.', id())),
    user: maybe(withDescription('The account of staff that acted, by _id.', id())),
    dataType: maybe(
      withDescription(
        'Submissions that changed the answer to this data type, as far as the caller may see it. It needs `participant`.',
        id(),
      ),
    ),
    from: maybe(withDescription('The first day, in the zone of the trial.', day())),
    to: maybe(withDescription('The last day.', day())),
  }),
)

/** Without `userType`, the actions of everybody: a sign-in that failed is nobody's, and an admin must not have to ask for it. */
export const TeamLogQuery = queryWith('Only the actions of staff, or only those of the service itself.')
