/** The initial data of a benchmark: a team, a key, and a trial with participants and the stage of W20. */

import { makeKey } from '#accounts/users/keys'
import { makeOwner } from '#accounts/users/owner'
import type { Db } from '#db/open'
import { dataTypes as dataTypeTable, participants, stages, trials } from '#db/tables/index'
import type { Format } from '#kernel/formats'
import { type Id, newId } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { components, dataTypes } from './work'

export type Seeded = { key: string; trial: Id; ids: Id[]; stage: Id; people: Id[] }

/** @param describe more about the participant of that number */
export function seed(
  db: Db,
  count: number,
  now: Instant,
  describe: (at: number) => Partial<typeof participants.$inferInsert> = () => ({}),
): Seeded {
  return db.transaction(() => {
    const owner = { email: 'owner@example.org', name: 'Owner', team: 'Team', passwordHash: null, now }
    const { team, user } = makeOwner(db, owner)
    const trial = newId(now)
    db.insert(trials).values({ _id: trial, createdAt: now, team, name: 'Trial', code: 'bench' }).run()
    const ids = dataTypes.map(({ name, format, ...settings }) => {
      const _id = newId(now)
      const code = name.replaceAll(' ', '_')
      db.insert(dataTypeTable)
        .values({ _id, createdAt: now, trial, name, code, format: format as Format, settings })
        .run()
      return _id
    })
    const stage = newId(now)
    const diary = { _id: stage, createdAt: now, trial, index: 0, name: 'Diary', components: components(ids) }
    db.insert(stages).values(diary).run()
    const people = Array.from({ length: count }, (_, at) => {
      const _id = newId(now)
      const id = `P-${String(at).padStart(6, '0')}`
      db.insert(participants)
        .values({ _id, createdAt: now + at, trial, id, idSort: id.toLowerCase(), ...describe(at) })
        .run()
      return _id
    })
    return { key: makeKey(db, { user, name: 'bench', now }).key, trial, ids, stage, people }
  })
}
