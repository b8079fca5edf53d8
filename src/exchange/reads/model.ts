import {
  anything,
  day,
  flag,
  id,
  instant,
  keyed,
  list,
  maybe,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

const page = () => maybe(whole(1, 1_000_000))
const days = () => ({
  from: maybe(withDescription('The first day, in the zone of the trial.', day())),
  to: maybe(withDescription('The last day.', day())),
})

const isFilter = () =>
  withDescription(
    'The read covered all participants that a search or an export found, as `filter` says, not single ones.',
    flag(),
  )

/** See docs/security.md, "Who looked". */
const Entry = shape('ReadEntry', {
  number: withDescription('Its number in the trail of reads of the trial, from 1.', whole(1)),
  createdAt: instant(),
  operation: withDescription('What was read: the `operationId`.', text(1, 100)),
  user: withDescription('The account; null for a link whose holder is not known.', orNull(id())),
  userEmail: orNull(text(0, 200)),
  apiToken: maybe(withDescription('The API key that was used, by _id.', id())),
  address: orNull(text(0, 200)),
  participants: withDescription(
    'The participants whose data was read, as far as the caller may see them.',
    list(shape('ReadParticipant', { _id: id(), participantId: maybe(text(0, 200)) })),
  ),
  isFilter: isFilter(),
  filter: maybe(withDescription('The query, without text that a person searched for.', keyed(anything()))),
})

export const ReadPage = shape('ReadPage', { reads: list(Entry), page: whole(1), nextPageAvailable: flag() })

export const ReadsQuery = shape({
  page: page(),
  user: maybe(withDescription('The account that read.', id())),
  participant: maybe(
    withDescription(
      'The participant, by _id. Reads of all whom a filter found are among them, if they were registered.',
      id(),
    ),
  ),
  operation: maybe(withDescription('What was read: the `operationId`.', text(1, 100))),
  ...days(),
})

export const OwnReads = shape('OwnReads', {
  reads: list(
    shape('OwnRead', {
      createdAt: instant(),
      operation: withDescription('What was read: the `operationId`.', text(1, 100)),
      name: withDescription(
        'Who read it; null if that is not known, or the account was deleted.',
        orNull(text(0, 200)),
      ),
      isFilter: isFilter(),
    }),
  ),
  page: whole(1),
  nextPageAvailable: flag(),
})

export const OwnReadsQuery = shape({ page: page(), ...days() })
