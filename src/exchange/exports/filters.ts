/** Which responses an export with filters includes (pure). See docs/exports.md, "Filters". */
import type { Places } from '#access/caller'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import type { StageRow } from '#design/stages/store'
import type { Instant } from '#kernel/time'
import { changedIn } from './countStore'
import type { ResponseFilter } from './pages'
import type { Filters } from './task'

/** The sites and groups that participants must be in, as scopes. */
export const placesIn = ({ sites, groups }: Filters = {}): Places[] => [
  ...(sites ? [{ sites, groups: [] }] : []),
  ...(groups ? [{ sites: [], groups }] : []),
]

/** The stages of the export, in the order of the trial. */
export const stagesIn = ({ stageOrder }: Configuration, { stages }: Filters = {}): readonly StageRow[] =>
  stages ? stageOrder.filter(({ _id }) => stages.includes(_id)) : stageOrder

/** Whether a moment is among those that the export asks for. */
export const selectedMomentTest =
  ({ from = Number.NEGATIVE_INFINITY, before = Number.POSITIVE_INFINITY }: Filters = {}) =>
  (at: Instant): boolean =>
    at >= from && at < before

/** Whether a response was recorded or changed at the right time and has one of the statuses; undefined if neither is asked. */
export function includesOf(db: Db, filters: Filters = {}): ResponseFilter | undefined {
  const { from, before, status } = filters
  if (from === undefined && before === undefined && status === undefined) return undefined
  const isAsked = selectedMomentTest(filters)
  const isInTime = ({ _id, createdAt = 0, updatedAt = 0 }: Parameters<ResponseFilter>[0]) =>
    isAsked(createdAt) ||
    isAsked(updatedAt) ||
    // Between the first entry and the last change there may be others.
    (from !== undefined &&
      before !== undefined &&
      createdAt < from &&
      updatedAt >= before &&
      changedIn(db, _id, from, before))
  return (row) => isInTime(row) && (status === undefined || status.includes(row.status ?? 'none'))
}
