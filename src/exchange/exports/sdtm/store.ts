/** Reads what an export in the shape of SDTM needs of participants besides their answers. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** Returns a function that reads the registration and the withdrawal of a participant. */
export function participantReader(db: Db) {
  const query = db.$client.query<{ createdAt: Instant; isWithdrawn: number }, [{ participant: Id }]>(
    'SELECT createdAt, isWithdrawn FROM participants WHERE _id = +$participant',
  )
  return (participant: Id) => query.get({ participant }) ?? undefined
}

/** Returns a function that reads the allocations of a participant. Their arms are only for readers who may see them. */
export function allocationsReader(db: Db) {
  const query = db.$client.query<{ createdAt: Instant; arm: Id }, [{ participant: Id }]>(
    'SELECT createdAt, arm FROM allocations WHERE participant = +$participant ORDER BY createdAt',
  )
  return (participant: Id) => query.all({ participant })
}
