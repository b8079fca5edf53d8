import { described, id, instant, keyed, list, oneOf, orNull, shape, text, whole } from '#wire/words'

export const Started = shape({ jobId: id() })

/** A study record that was written for a lock of the database (docs/review.md, "Locked datasets"). */
const Dataset = shape({
  _id: id(),
  createdAt: described('When the database was locked.', instant()),
  user: described('Who locked it.', id()),
  userEmail: text(1, 200),
  version: described('The configuration version of the lock.', whole(1)),
  status: described('Whether the record is made; `error` says why it could not be.', oneOf('pending', 'done', 'error')),
  error: orNull(text(0, 10_000)),
  fileName: text(1, 300),
  size: described('In bytes.', orNull(whole(0))),
  sha256: orNull(text(64, 64)),
  counts: described('What is in it.', orNull(keyed(whole(0)))),
  request: described('A link to the record, for an hour; null until it is made.', orNull(text(1, 5000))),
})

export const Datasets = shape({ datasets: list(Dataset, 1_000_000) })
