/** What a restored backup brings back that may have been ended since it was made: sessions, keys, accounts and links. */
import { appendEntry, recordRemainingChanges } from '#audit/append'
import { runInTransaction } from '#db/commit'
import { type Db, drizzleOf, type Sqlite } from '#db/open'
import { watchRows } from '#db/watch'
import { type Instant, instantText } from '#kernel/time'
import { type Account, accountsIn, endSessions, endWaiting, type Key, keysIn, linksIn, suspendKeys } from './store'

export type RestoredAccess = {
  /** Sessions that were ended: of staff, and of participants. */
  sessions: { staff: number; participants: number }
  /** How many acts waited for a second person: they must be asked for anew. */
  waiting: number
  keys: Key[]
  /** Whether the keys are refused until somebody confirms them. */
  areSuspended: boolean
  accounts: Account[]
  /** How many links of each kind still open something. */
  links: Record<string, number>
}

/**
 * Ends all sessions of a restored database and what waits for a second person in it, suspends its keys unless they are kept, and enters
 * the restore in the service's log.
 * @param sqlite of the newest schema version
 */
export function endRestoredAccess(
  sqlite: Sqlite,
  now: Instant,
  { areKeysKept, event }: { areKeysKept: boolean; event: Record<string, unknown> },
): RestoredAccess {
  const db: Db = drizzleOf(sqlite)
  watchRows(db)
  return runInTransaction(db, () => {
    const ended = endSessions(sqlite)
    if (!areKeysKept) suspendKeys(sqlite, now)
    const restoredAccess: RestoredAccess = {
      sessions: ended,
      waiting: endWaiting(sqlite, now),
      keys: keysIn(sqlite, now),
      areSuspended: !areKeysKept,
      accounts: accountsIn(sqlite),
      links: linksIn(sqlite, now),
    }
    const { waiting, keys, accounts, links } = restoredAccess
    appendEntry(db, {
      ...{ chain: 'service', createdAt: now, type: 'restoreBackup', userType: 'system' },
      event: {
        ...event,
        ...{ endedSessions: ended, endedRequests: waiting, accounts: accounts.length, links },
        keys: keys.map(({ _id, prefix, name }) => ({ _id, prefix, name })),
        areKeysSuspended: !areKeysKept,
      },
    })
    recordRemainingChanges(db, now)
    return restoredAccess
  })
}

/** What an operator should look through, in lines. */
export function* linesOf({
  sessions,
  waiting,
  keys,
  areSuspended,
  accounts,
  links,
}: RestoredAccess): Generator<string> {
  yield `ended  ${sessions.staff} sessions of staff and ${sessions.participants} of participants: everybody signs in again`
  if (waiting) yield `ended  ${waiting} requests that waited for a second person: ask again`
  for (const { email, name, lastSeenAt } of accounts)
    yield `account ${email} (${name}) can sign in${lastSeenAt === null ? '' : `, seen last ${instantText(lastSeenAt)}`}`
  for (const { prefix, name, email } of keys)
    yield `key    ${prefix}… “${name}” of ${email} ${areSuspended ? 'is refused until it is confirmed' : 'works again'}`
  for (const [kind, count] of Object.entries(links)) yield `links  ${count} ${kind} work again`
}
