import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { type Feature, features } from './keys'
import { switchedFeatures } from './store'

/** Which features a team has: all are on until an owner switches one off (docs/contract.md, "Callers"). */
export const featuresOf = (db: Db, team: Id): Record<Feature, boolean> =>
  withDefaultFeatures(switchedFeatures(db, team))

/** All features; a feature that is not in `switched` is on. */
export const withDefaultFeatures = (switched: Partial<Record<Feature, boolean>>): Record<Feature, boolean> =>
  Object.fromEntries(features.map((each) => [each, switched[each] ?? true])) as Record<Feature, boolean>
