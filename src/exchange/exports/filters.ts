/** Which responses an export with filters includes (pure). See docs/exports.md, "Filters". */
import type { Places } from '#access/caller'
import type { Configuration } from '#design/configuration/configuration'
import type { StageRow } from '#design/stages/store'
import type { Includes } from './pages'
import type { Filters } from './task'

/** The sites and groups that participants must be in, as scopes. */
export const placesIn = ({ sites, groups }: Filters = {}): Places[] => [
  ...(sites ? [{ sites, groups: [] }] : []),
  ...(groups ? [{ sites: [], groups }] : []),
]

/** The stages of the export, in the order of the trial. */
export const stagesIn = ({ stageOrder }: Configuration, { stages }: Filters = {}): readonly StageRow[] =>
  stages ? stageOrder.filter(({ _id }) => stages.includes(_id)) : stageOrder

/** Whether a response was recorded at the right time and has one of the statuses; undefined if neither is asked. */
export function includesOf({ from, before, status }: Filters = {}): Includes | undefined {
  if (from === undefined && before === undefined && status === undefined) return undefined
  return (row) =>
    (from === undefined || (row.createdAt ?? 0) >= from) &&
    (before === undefined || (row.createdAt ?? 0) < before) &&
    (status === undefined || status.includes(row.status ?? 'none'))
}
