import * as t from '#wire/schema'

/** See docs/exports.md, "The audit trail". What does not apply to an entry is absent. */
const Entry = t.shape('LogEntry', {
  number: t.withDescription('Its number in the audit trail of the trial or team, from 1.', t.whole(1)),
  createdAt: t.instant(),
  userEmail: t.orNull(t.text(0, 200)),
  type: t.text(1, 100),
  event: t.withDescription(
    'What happened; `personal` holds personal information, for those who may see it.',
    t.keyed(t.anything()),
  ),
  client: t.withDescription(
    "Address and device. A participant's are personal information.",
    t.orNull(t.shape({ address: t.orNull(t.text(0, 200)), device: t.orNull(t.text(0, 300)) })),
  ),
  participantId: t.maybe(
    t.withDescription('The participant that the entry is about, by the ID in the study.', t.text(0, 200)),
  ),
  apiToken: t.maybe(t.withDescription('The API key that was used, by _id.', t.text(0, 100))),
})

export const LogPage = t.shape('LogPage', {
  entries: t.list(Entry),
  page: t.whole(1),
  total: t.maybe(
    t.withDescription(
      'Absent for accounts that are restricted to some sites or groups, and with a filter by participant, account, data type or day.',
      t.whole(0),
    ),
  ),
  nextPageAvailable: t.flag(),
})

/** All entries. */
export const LogCsv = t.shape('LogCsv', { csv: t.text(0, Number.MAX_SAFE_INTEGER) })

const queryWith = (userType: string) =>
  t.shape({
    page: t.maybe(t.whole(1, 1_000_000_000)),
    userType: t.maybe(t.withDescription(userType, t.oneOf('user', 'participant', 'system'))),
    type: t.maybe(t.withDescription('One type of event.', t.text(1, 100))),
    format: t.maybe(t.oneOf('json', 'csv')),
    limit: t.maybe(t.withDescription('The maximum number of rows of a csv.', t.whole(1, 1_000_000_000))),
  })

export const LogQuery = t.joinShapes(
  queryWith('Whose actions: of staff (the default), of participants, or of the service itself.'),
  t.shape({
    participant: t.maybe(t.withDescription('The participant that the entries are about, by _id.', t.id())),
    user: t.maybe(t.withDescription('The account of staff that acted, by _id.', t.id())),
    dataType: t.maybe(
      t.withDescription(
        'Submissions that changed the answer to this data type, as far as the caller may see it. It needs `participant`.',
        t.id(),
      ),
    ),
    from: t.maybe(t.withDescription('The first day, in the zone of the trial.', t.day())),
    to: t.maybe(t.withDescription('The last day.', t.day())),
  }),
)

/** Without `userType`, the actions of everybody: a sign-in that failed is nobody's, and an admin must not have to ask for it. */
export const TeamLogQuery = queryWith('Only the actions of staff, or only those of the service itself.')
