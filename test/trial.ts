import type { Db } from '#db/open'
import { trials } from '#db/tables/index'
import { type Id, newId } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** Inserts a trial directly into the database, for tests of other things. */
export function insertTrial(db: Db, team: Id, now: Instant): Id {
  const _id = newId(now)
  db.insert(trials)
    .values({ _id, createdAt: now, team, name: 'Trial', code: `trial-${_id}` })
    .run()
  return _id
}
