import * as t from '#wire/schema'

const page = () => t.maybe(t.whole(1, 1_000_000))
const days = () => ({
  from: t.maybe(t.withDescription('The first day, in the zone of the trial.', t.day())),
  to: t.maybe(t.withDescription('The last day.', t.day())),
})

const isFilter = () =>
  t.withDescription(
    'The read covered all participants that a search or an export found, as `filter` says, not single ones.',
    t.flag(),
  )

/** See docs/security.md, "Who looked". */
const Entry = t.shape('ReadEntry', {
  number: t.withDescription('Its number in the trail of reads of the trial, from 1.', t.whole(1)),
  createdAt: t.instant(),
  operation: t.withDescription('What was read: the `operationId`.', t.text(1, 100)),
  user: t.withDescription('The account; null for a link whose holder is not known.', t.orNull(t.id())),
  userEmail: t.orNull(t.text(0, 200)),
  apiToken: t.maybe(t.withDescription('The API key that was used, by _id.', t.id())),
  address: t.orNull(t.text(0, 200)),
  participants: t.withDescription(
    'The participants whose data was read, as far as the caller may see them.',
    t.list(t.shape('ReadParticipant', { _id: t.id(), participantId: t.maybe(t.text(0, 200)) })),
  ),
  isFilter: isFilter(),
  filter: t.maybe(t.withDescription('The query, without text that a person searched for.', t.keyed(t.anything()))),
})

export const ReadPage = t.shape('ReadPage', { reads: t.list(Entry), page: t.whole(1), nextPageAvailable: t.flag() })

export const ReadsQuery = t.shape({
  page: page(),
  user: t.maybe(t.withDescription('The account that read.', t.id())),
  participant: t.maybe(
    t.withDescription(
      'The participant, by _id. Reads of all whom a filter found are among them, if they were registered.',
      t.id(),
    ),
  ),
  operation: t.maybe(t.withDescription('What was read: the `operationId`.', t.text(1, 100))),
  ...days(),
})

export const OwnReads = t.shape('OwnReads', {
  reads: t.list(
    t.shape('OwnRead', {
      createdAt: t.instant(),
      operation: t.withDescription('What was read: the `operationId`.', t.text(1, 100)),
      name: t.withDescription(
        'Who read it; null if that is not known, or the account was deleted.',
        t.orNull(t.text(0, 200)),
      ),
      isFilter: isFilter(),
    }),
  ),
  page: t.whole(1),
  nextPageAvailable: t.flag(),
})

export const OwnReadsQuery = t.shape({ page: page(), ...days() })
