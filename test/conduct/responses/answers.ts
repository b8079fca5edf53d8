/** Inserts responses directly into the database, for tests of configuration that cannot be deleted once it has answers. */
import { insertResponse, insertSubmission } from '#conduct/responses/store'
import { layouts, participants } from '#db/tables/index'
import { type Id, newId, sha256 } from '#kernel/id'
import type { World } from '../../harness'

/** Inserts a new participant and their response to occurrence n of a stage, with these values by data type. */
export function answer({ db }: Pick<World, 'db'>, trial: Id, stage: Id, values: Record<Id, unknown>, n = 0): Id {
  const participant = newId(0)
  db.insert(participants).values({ _id: participant, createdAt: 0, trial, id: participant, idSort: participant }).run()
  const dataTypes = Object.keys(values)
  const layout = sha256(JSON.stringify([stage, dataTypes])).slice(0, 16)
  db.insert(layouts).values({ _id: layout, trial, stage, dataTypes }).onConflictDoNothing().run()
  const place = { trial, stage, stageRecurrence: n, participant, layout }
  return respond({ db }, { ...place, values: JSON.stringify(Object.values(values)) })
}

type Place = { trial: Id; stage: Id; stageRecurrence: number; participant: Id | null; layout: string }

/** Inserts a response with its only submission. Returns its `_id`. */
export function respond({ db }: Pick<World, 'db'>, { values, ...place }: Place & { values: string }): Id {
  const [response, same] = [newId(0), { score: null, partialSubmission: false }]
  const by = { createdBy: place.participant ?? 'x', createdByType: 'user', address: null, device: null } as const
  const noted = { fields: null, entered: null, updateNote: null, entry: null, sentLate: false }
  const _id = insertSubmission(db, { _id: 0, at: 0, response, ...place, values, ...same, ...by, ...noted })
  const entries = (JSON.parse(values) as unknown[]).filter((value) => value !== null).length
  insertResponse(db, { _id: response, createdAt: 0, updatedAt: 0, ...place, ...same }, _id, entries)
  return response
}

/** The audit entries of a trial, oldest first. */
export const entriesOf = ({ db }: Pick<World, 'db'>, trial: Id): { type: string; event: string }[] =>
  db.$client
    .query<{ type: string; event: string }, [Id]>(
      'SELECT type, event FROM auditEntries WHERE chain = ? ORDER BY number',
    )
    .all(trial)
