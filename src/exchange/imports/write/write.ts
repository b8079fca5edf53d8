/** Writes a plan as the file of another tool. */

import type { ImportPlan, Warning } from '#design/stages/importPlan'
import type { Source } from '#design/structures/model'
import type { PlanExtras } from '#exchange/imports/common/extras'
import { cut } from '#kernel/text'
import type { PlanFile } from './planFile'
import { writeRedcap } from './redcap'
import { writeXlsform } from './xlsform'

/** Writes the file. */
export const writePlan = (plan: ImportPlan, format: Exclude<Source, 'odm'>): PlanFile =>
  format === 'redcap' ? writeRedcap(plan) : writeXlsform(plan)

/** Warnings that name what other tools will not find in the file. */
export const warningsOf = (plan: ImportPlan, { extras }: PlanFile): Warning[] => [
  ...plan.warnings,
  ...notedWarnings(plan, extras),
]

/** A warning for each stage and field that has a note, which only an import into this service reads. */
function notedWarnings({ stages }: ImportPlan, { stages: ofStages, components }: PlanExtras): Warning[] {
  return stages.flatMap((stage, n) => [
    ...warning(stage.name, Object.keys(ofStages[n] ?? {})),
    ...stage.components.flatMap((component, m) => {
      const { type, component: own, same } = components[n]?.[m] ?? {}
      const fields = [...Object.keys(type ?? {}), ...Object.keys(own ?? {})]
      return warning(
        component.dataType ?? component.title,
        same ? [...fields, 'that another stage asks it too'] : fields,
      )
    }),
  ])
}

const warning = (field: string, fields: string[]): Warning[] =>
  fields.length ? [{ field: cut(field, 200), problem: `Other tools will not know: ${fields.join(', ')}.` }] : []
