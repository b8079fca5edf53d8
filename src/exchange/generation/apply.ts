/** Adds a generated plan to a trial: anchors, data types, stages, and what each stage waits for. */

import { applyPlan } from '#design/configuration/applyPlan'
import { linkStages } from '#design/stages/creation/links'
import { type GeneratedPlan, withLowerCaseCodes } from '#exchange/generation/reader/plan'
import { refuse } from '#kernel/problem'

type Target = Parameters<typeof applyPlan>[0]

/**
 * Adds all of the plan or nothing; call it in a transaction. A stage waits for the stage of the given name, a new one first,
 * else for the anchor of that name, which is created if the trial has none.
 */
export function applyGenerated(target: Target, plan: GeneratedPlan) {
  if (!plan.stages.length) {
    const [note] = plan.notes
    throw note === undefined ? refuse.bad('nothingUnderstood') : refuse.bad('nothingUnderstoodWithNote', { note })
  }
  const stages = plan.stages.map(({ waits: _, components, ...stage }) => ({
    ...stage,
    components: components.map(withLowerCaseCodes),
  }))
  const applied = applyPlan(target, { stages, dataTypes: plan.dataTypes })
  const linked = linkStages(target, applied.stages, plan.stages)
  const renamed = applied.warnings.map(({ field, problem }) => `${field}: ${problem}`)
  return {
    stages: linked.stages,
    dataTypes: applied.dataTypes,
    anchors: linked.anchors,
    notes: [...plan.notes, ...renamed],
  }
}
