/** Links new stages to what they name: the stage or anchor that they wait for, and the groups that they are for. */
import { type AnchorRow, insertAnchor } from '#design/anchors/store'
import type { applyPlan } from '#design/configuration/applyPlan'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { refuseInvalidStage } from '#design/configuration/stageRefusals'
import { type Group, groupsOf, insertGroup } from '#design/groups/store'
import type { PlannedStage, Warning } from '#design/stages/importPlan'
import { mergeStage } from '#design/stages/merge'
import { type StageRow, updateStage } from '#design/stages/store'
import { trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'

type Target = Parameters<typeof applyPlan>[0]
type Links = Pick<PlannedStage, 'waits' | 'groups'>

/** Makes the function that compares names, ignoring case. */
const sameName = (name: string) => {
  const wanted = name.trim().toLowerCase()
  return (each: { name: string }) => each.name.trim().toLowerCase() === wanted
}

/**
 * Links the stages; call it in the transaction that adds them. A stage waits for the stage of the given name, a new one
 * first, else for the anchor of that name, which is created if the trial has none. Groups that do not exist are created
 * if the caller may do that; else a warning says that no participant gets the stage yet.
 * @param planned the stages of the plan, in the order of the rows
 */
export function linkStages(
  target: Target,
  rows: readonly StageRow[],
  planned: readonly Links[],
  mayCreateGroups = false,
): { stages: StageRow[]; anchors: AnchorRow[]; groups: Group[]; warnings: Warning[] } {
  const { db, trial } = target
  const anchors: AnchorRow[] = []
  const groups: Group[] = []
  const warnings: Warning[] = []
  // Read once: reading it anew after each stage would take seconds for a large plan.
  let current: Configuration = configuration(db, trialById(db, trial._id)!)
  const key = () => ({ _id: target.id(), createdAt: target.now, trial: trial._id })
  const stages = rows.map((row, n) => {
    const { waits, groups } = planned[n]!
    const change = { ...(waits ? opening(waits) : {}), ...(groups ? availability(row, groups) : {}) }
    if (!Object.keys(change).length) return row
    const next = mergeStage(row, change)
    refuseInvalidStage({ db, configuration: current, dataTypes: current.dataTypes }, next, row)
    updateStage(db, next)
    current = { ...current, stageOrder: current.stageOrder.map((each) => (each._id === next._id ? next : each)) }
    return next
  })
  return { stages, anchors, groups, warnings }

  function opening({ for: name, delay = 0, stageRecurrence = 0 }: NonNullable<Links['waits']>): Partial<StageRow> {
    const stage = rows.find(sameName(name)) ?? current.stageOrder.find(sameName(name))
    if (stage) return { enableAfter: { type: 'stage', stage: stage._id, stageRecurrence, delay } }
    let anchor = current.anchors.find(sameName(name))
    if (!anchor) {
      anchor = insertAnchor(db, { ...key(), name, assignmentRule: { type: 'manual' } })
      anchors.push(anchor)
      current = { ...current, anchors: [...current.anchors, anchor] }
    }
    return { enableAfter: { type: 'anchor', anchor: anchor._id, delay } }
  }

  function availability({ name: stage }: StageRow, names: readonly string[]): Partial<StageRow> {
    const available = names.flatMap((name): Id[] => {
      let group = groupsOf(db, trial._id, 'all').find(sameName(name))
      if (!group && mayCreateGroups) groups.push((group = insertGroup(db, { ...key(), name })))
      if (!group)
        warnings.push({
          field: stage,
          problem: `It is for the group “${name}”, which must be created first: it is for nobody yet.`,
        })
      return group ? [group._id] : []
    })
    return { availableToGroups: available }
  }
}
