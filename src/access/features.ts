import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { type Feature, features } from './keys'
import { featuresSaid } from './store'

/** Which features a team has: all are on until an owner switches one off (docs/contract.md, "Callers"). */
export const featuresOf = (db: Db, team: Id): Record<Feature, boolean> => switched(featuresSaid(db, team))

/** Every feature, on where nothing is said of it. */
export const switched = (said: Partial<Record<Feature, boolean>>): Record<Feature, boolean> =>
  Object.fromEntries(features.map((each) => [each, said[each] ?? true])) as Record<Feature, boolean>
