import { id, instant, keyed, list, oneOf, orNull, shape, text, whole, withDescription } from '#wire/schema'

export const StartedJob = shape('StudyRecordJob', { jobId: id() })

/** A study record that was written for a lock of the database (docs/review.md, "Locked datasets"). */
const Dataset = shape('LockedDataset', {
  _id: id(),
  createdAt: withDescription('When the database was locked.', instant()),
  user: withDescription('Who locked it.', id()),
  userEmail: text(1, 200),
  version: withDescription('The configuration version of the lock.', whole(1)),
  status: withDescription(
    'Whether the record is written; `error` says why it could not be.',
    oneOf('pending', 'done', 'error'),
  ),
  error: orNull(text(0, 10_000)),
  fileName: text(1, 300),
  size: withDescription('In bytes.', orNull(whole(0))),
  sha256: orNull(text(64, 64)),
  counts: withDescription('What is in it.', orNull(keyed(whole(0)))),
  request: withDescription('A link to the record, for an hour; null until it is written.', orNull(text(1, 5000))),
})

export const Datasets = shape('LockedDatasets', { datasets: list(Dataset, 1_000_000) })
