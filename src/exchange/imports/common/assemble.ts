/** Makes a plan of a draft: resolves names, translates conditions and calculations, and warns about what is lost. */
import type { ImportPlan, PlannedStage, Warning } from '#design/stages/importPlan'
import { cut } from '#kernel/text'
import { descriptionOf, limitWarnings, nameOf, splitStage, withNamesOfOneLine } from './bounds'
import type { Draft, DraftStage, Warn } from './draft'
import { withExtras } from './extras'
import { plannedTypes } from './plannedTypes'
import { componentsOf } from './stageComponents'
import { fieldsOfStage, type PlanContext } from './stageFields'

/**
 * Makes the plan. It can always be made: what does not fit is left out with a warning.
 * @param exact leaves out what a condition needs besides: calculations, and hidden fields. An export uses it to see what the
 * format can hold by itself
 */
export function assemble(draft: Draft, exact = false): ImportPlan {
  const warnings: Warning[] = [...draft.warnings]
  const unasked: Warning[] = []
  const warnIn =
    (list: Warning[]): Warn =>
    (field, problem) =>
      void list.push({ field: cut(field, 200), problem: cut(problem, 1000) })
  const warn = warnIn(warnings)
  const types = plannedTypes(draft, warn)
  const context = { types, warn, warnUnasked: warnIn(unasked), exact }
  const stages = draft.stages.flatMap((stage) => splitStage(stage, warn)).map((stage) => stageOf(context, stage))
  return withNamesOfOneLine({
    stages,
    dataTypes: types.all(),
    warnings: limitWarnings([...unasked, ...warnings]),
  })
}

function stageOf(context: PlanContext, stage: DraftStage): PlannedStage {
  const components = componentsOf(fieldsOfStage(context, stage))
  const planned: PlannedStage = {
    name: nameOf(stage, context.warn),
    ...(stage.description ? { description: descriptionOf(stage, context.warn) } : {}),
    ...stage.settings,
    ...(stage.waits ? { waits: stage.waits } : {}),
    ...(stage.groups ? { groups: stage.groups } : {}),
    components,
  }
  return withExtras(planned, stage.extra) as PlannedStage
}
