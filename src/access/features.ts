import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { type Feature, features } from './keys'

/** Which features are on for a team: all are, until an owner switches one off (docs/contract.md, "Callers"). */
export function featuresOf(db: Db, team: Id): Record<Feature, boolean> {
  const row = db.$client.query<{ features: string }, [Id]>('SELECT features FROM teams WHERE _id = ?').get(team)
  return switched(JSON.parse(row?.features ?? '{}'))
}

/** All features; a feature that is not in `said` is on. */
export const switched = (said: Partial<Record<Feature, boolean>>): Record<Feature, boolean> =>
  Object.fromEntries(features.map((each) => [each, said[each] ?? true])) as Record<Feature, boolean>
