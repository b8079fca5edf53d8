/** Adds a generated plan to a trial: anchors, data types, stages, and what each stage waits for. */

import { type AnchorRow, insertAnchor } from '#design/anchors/store'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { applyPlan } from '#design/configuration/plan'
import { refuseFaults } from '#design/configuration/stageRefusals'
import { mergeStage } from '#design/stages/merge'
import { type StageRow, updateStage } from '#design/stages/store'
import { trialById } from '#design/trials/store'
import { refuse } from '#kernel/problem'
import { type GeneratedPlan, lowered } from './plan'

type Target = Parameters<typeof applyPlan>[0]

/** Makes the function that compares names, ignoring case. */
const same = (name: string) => {
  const wanted = name.trim().toLowerCase()
  return (each: { name: string }) => each.name.trim().toLowerCase() === wanted
}

/**
 * Adds all of the plan or nothing; call it in a transaction. A stage waits for the stage of the given name, a new one first,
 * else for the anchor of that name, which is created if the trial has none.
 */
export function applyGenerated(target: Target, plan: GeneratedPlan) {
  const { db, trial } = target
  if (!plan.stages.length) {
    const [found = ''] = plan.notes
    throw refuse.bad(`Nothing in the text was understood as a form, a visit or a question. ${found}`.trim())
  }
  const stages = plan.stages.map(({ waits: _, components, ...stage }) => ({
    ...stage,
    components: components.map(lowered),
  }))
  const applied = applyPlan(target, { stages, dataTypes: plan.dataTypes })
  // Read once: reading it anew after each stage would take seconds for a large plan.
  let current: Configuration = configuration(db, trialById(db, trial._id)!)
  const anchors: AnchorRow[] = []
  const after: StageRow[] = applied.stages.map((row, n) => {
    const { waits } = plan.stages[n]!
    if (!waits) return row
    const { delay = 0, stageRecurrence = 0 } = waits
    const stage = applied.stages.find(same(waits.for)) ?? current.stageOrder.find(same(waits.for))
    const enableAfter = stage
      ? { type: 'stage' as const, stage: stage._id, stageRecurrence, delay }
      : { type: 'anchor' as const, anchor: anchor(waits.for)._id, delay }
    const next = mergeStage(row, { enableAfter })
    refuseFaults({ db, configuration: current, dataTypes: current.dataTypes }, next, row)
    updateStage(db, next)
    current = { ...current, stageOrder: current.stageOrder.map((each) => (each._id === next._id ? next : each)) }
    return next
  })
  const renamed = applied.warnings.map(({ field, problem }) => `${field}: ${problem}`)
  return { stages: after, dataTypes: applied.dataTypes, anchors, notes: [...plan.notes, ...renamed] }

  function anchor(name: string): AnchorRow {
    const found = current.anchors.find(same(name))
    if (found) return found
    const key = { _id: target.id(), createdAt: target.now, trial: trial._id }
    const anchor = insertAnchor(db, { ...key, name, assignmentRule: { type: 'manual' } })
    anchors.push(anchor)
    current = { ...current, anchors: [...current.anchors, anchor] }
    return anchor
  }
}
