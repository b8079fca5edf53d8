import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { type ConnectionRow, changeConnection, connectionsOf } from './store'

/**
 * Ends a connection: nothing more is read. The tokens stay, sealed, until the provider was notified (`sync.ts`), so that it can be notified
 * after a stop, too.
 */
export function endConnection(db: Db, { participant, service, version, tokens }: ConnectionRow, now: Instant): void {
  changeConnection(
    db,
    { participant, service },
    {
      status: 'disconnected',
      endedAt: now,
      version: version + 1,
      dueAt: tokens === null ? null : now,
      failures: 0,
      problem: null,
    },
  )
}

/** Ends all connections of a participant. */
export function endConnections(db: Db, participant: Id, now: Instant): void {
  for (const row of connectionsOf(db, participant)) if (row.status !== 'disconnected') endConnection(db, row, now)
}
