import type { Db } from '../src/db/open'
import { trials } from '../src/db/tables'
import { type Id, newId } from '../src/kernel/id'
import type { Instant } from '../src/kernel/time'

/** A trial put straight into the database, for tests that are about something else. */
export function insertTrial(db: Db, team: Id, now: Instant): Id {
  const _id = newId(now)
  db.insert(trials)
    .values({ _id, createdAt: now, team, name: 'Trial', code: `trial-${_id}` })
    .run()
  return _id
}
