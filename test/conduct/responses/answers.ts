/** Inserts responses directly into the database, for tests of configuration that cannot be deleted once it has answers. */
import { layouts, participants, responses } from '#db/tables/index'
import { type Id, newId, sha256 } from '#kernel/id'
import type { World } from '../../harness'

/** Inserts a new participant and their response to occurrence n of a stage, with these values by data type. */
export function answer({ db }: Pick<World, 'db'>, trial: Id, stage: Id, values: Record<Id, unknown>, n = 0): Id {
  const participant = newId(0)
  db.insert(participants).values({ _id: participant, createdAt: 0, trial, id: participant, idSort: participant }).run()
  const dataTypes = Object.keys(values)
  const layout = sha256(JSON.stringify([stage, dataTypes])).slice(0, 16)
  db.insert(layouts).values({ _id: layout, trial, stage, dataTypes }).onConflictDoNothing().run()
  const _id = newId(0)
  db.insert(responses)
    .values({
      _id,
      createdAt: 0,
      updatedAt: 0,
      trial,
      stage,
      stageRecurrence: n,
      participant,
      layout,
      values: JSON.stringify(Object.values(values)),
      sources: '1',
    })
    .run()
  return _id
}

/** The audit entries of a trial, oldest first. */
export const entriesOf = ({ db }: Pick<World, 'db'>, trial: Id): { type: string; event: string }[] =>
  db.$client
    .query<{ type: string; event: string }, [Id]>(
      'SELECT type, event FROM auditEntries WHERE chain = ? ORDER BY number',
    )
    .all(trial)
