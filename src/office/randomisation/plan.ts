/** What arms dispense after the allocation (docs/randomisation.md, "Dispensing by arm"). Pure functions. */

import type { Id } from '#kernel/id'
import { type Reason, reason } from '#kernel/refusals/reason'

/** Packs of a type that an arm gives at a time, at a dose level if it has such. */
export type PlanLine = { doseLevel: string | null; packType: Id; quantity: number }

/** An arm, as far as its packs are concerned. */
export type PlannedArm = { packType: Id | null; dispensing: readonly PlanLine[] }

/** What the arm dispenses at a time: its lines, else one pack of the type that its participants get at the allocation. */
export const planOf = ({ packType, dispensing }: PlannedArm): readonly PlanLine[] =>
  dispensing.length || packType === null ? dispensing : [{ doseLevel: null, packType, quantity: 1 }]

/** The types of all packs that the arm gives, at the allocation and later. */
export const typesOf = ({ packType, dispensing }: PlannedArm): Id[] => [
  ...new Set([...(packType === null ? [] : [packType]), ...dispensing.map((line) => line.packType)]),
]

/** The dose levels of the arms, each once, in the order in which they are named. */
export const doseLevelsOf = (arms: readonly PlannedArm[]): string[] => [
  ...new Set(arms.flatMap(({ dispensing }) => dispensing.flatMap(({ doseLevel }) => doseLevel ?? []))),
]

/** What the arm dispenses at a dose level, null for the arms without; empty if it does not have the level. */
export const linesAt = (arm: PlannedArm, doseLevel: string | null): readonly PlanLine[] =>
  planOf(arm).filter((line) => line.doseLevel === doseLevel)

/** How many packs of each type the lines give. */
export function countsOf(lines: readonly PlanLine[], times: number): Map<Id, number> {
  const counts = new Map<Id, number>()
  for (const { packType, quantity } of lines) counts.set(packType, (counts.get(packType) ?? 0) + quantity * times)
  return counts
}

/** Of each type the most packs that one of the arms needs: what is in stock then says nothing of the arm. */
export function maximumNeeds(needs: readonly ReadonlyMap<Id, number>[]): Map<Id, number> {
  const most = new Map<Id, number>()
  for (const need of needs)
    for (const [packType, count] of need) most.set(packType, Math.max(most.get(packType) ?? 0, count))
  return most
}

/** What anybody can count: the dose levels in their order, each with the number of packs. */
function planShape(arm: PlannedArm): string {
  const levels = new Map<string | null, number>()
  for (const { doseLevel, quantity } of planOf(arm)) levels.set(doseLevel, (levels.get(doseLevel) ?? 0) + quantity)
  return JSON.stringify([...levels])
}

/** What is wrong with the plans of the arms; empty if nothing is. */
export function planProblems(arms: readonly (PlannedArm & { name: string })[], isBlinded: boolean): Reason[] {
  const problems: Reason[] = []
  for (const { name, dispensing } of arms) {
    const lines = dispensing.map(({ doseLevel, packType }) => JSON.stringify([doseLevel, packType]))
    if (new Set(lines).size < lines.length) problems.push(reason('planTypeTwice', { arm: name }))
    const isMixed = new Set(dispensing.map(({ doseLevel }) => doseLevel === null)).size > 1
    if (isMixed) problems.push(reason('planLevelsMixed', { arm: name }))
  }
  const packs = arms.filter(({ packType }) => packType !== null).length
  if (isBlinded && packs > 0 && packs < arms.length) problems.push(reason('planTypesDiffer'))
  else if (isBlinded && new Set(arms.map(planShape)).size > 1) problems.push(reason('plansDiffer'))
  return problems
}
