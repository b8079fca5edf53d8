/** Checks a draft of a randomisation against its trial. */
import { accessOf } from '#access/identify'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { formKeyProblems } from '#design/configuration/consentFormStore'
import { groupsOf } from '#design/groups/store'
import type { Trial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { at, type Reason, reason } from '#kernel/refusals/reason'
import { readList } from '#office/allocationMethods/upload'
import { eligibilityProblem, factorProblem, levelsOfFactors } from './factors'
import { type PlanLine, planProblems, typesOf } from './plan'
import { groupById, isShownElsewhere, otherArmWith, packTypeExists, type RandomisationRow, usesOfGroup } from './store'

export type DraftArm = { name: string; ratio: number; group: Id | null; packType: Id | null; dispensing: PlanLine[] }
export type Draft = Pick<
  RandomisationRow,
  '_id' | 'trial' | 'method' | 'isBlinded' | 'blockSizes' | 'factors' | 'eligibility' | 'unblindingRecipients'
> &
  Pick<RandomisationRow, 'seed' | 'list' | 'requiresConsent'> & { arms: readonly DraftArm[] }

const hasBlocks = ({ method }: Pick<Draft, 'method'>) => method === 'permutedBlocks' || method === 'stratified'

/** The sizes of blocks if none are given: twice and three times the sum of the ratios. */
export function defaultBlockSizes(draft: Pick<Draft, 'method' | 'arms'>): number[] {
  const total = draft.arms.reduce((sum, { ratio }) => sum + ratio, 0)
  return hasBlocks(draft) ? [2 * total, 3 * total] : []
}

const firstRepeated = (names: readonly string[]): string | undefined => {
  const folded = names.map((name) => name.trim().toLowerCase())
  return names.find((_, index) => folded.indexOf(folded[index]!) < index)
}

/** Problems that depend on nothing but the draft, by field. A pure function. */
function draftProblems({ method, arms, blockSizes, factors, seed, list }: Draft): Record<string, Reason[]> {
  const problems: Record<string, Reason[]> = {}
  const addProblem = (field: string, problem: Reason | false) => {
    if (problem) (problems[field] ??= []).push(problem)
  }
  const total = arms.reduce((sum, { ratio }) => sum + ratio, 0)
  const twice = firstRepeated(arms.map(({ name }) => name))
  addProblem('arms', arms.length < 2 && reason('tooFewArms'))
  addProblem('arms', twice !== undefined && reason('armTwice', { name: twice }))
  const groups = arms.flatMap(({ group }) => group ?? [])
  addProblem('arms', new Set(groups).size < groups.length && reason('groupOfTwoArms'))
  if (hasBlocks({ method })) {
    addProblem('blockSizes', !blockSizes.length && reason('noBlockSize'))
    const odd = blockSizes.find((size) => size % total)
    addProblem('blockSizes', odd !== undefined && reason('notMultipleOfRatios', { size: odd, total }))
  } else addProblem('blockSizes', blockSizes.length > 0 && reason('methodWithoutBlocks', { method }))
  const needsFactors = method === 'stratified' || method === 'minimisation'
  addProblem('factors', needsFactors && !factors.length && reason('factorsMissing', { method }))
  const takesFactors = needsFactors || method === 'list'
  addProblem('factors', !takesFactors && factors.length > 0 && reason('methodWithoutFactors', { method }))
  const same = firstRepeated(['arm', ...factors.map(({ name }) => name)])
  addProblem('factors', same !== undefined && reason('factorNameTaken', { name: same }))
  const weighted = method === 'minimisation' ? undefined : factors.find(({ weight }) => weight !== undefined)
  addProblem('factors', weighted !== undefined && reason('weightOfOtherMethod'))
  addProblem('list', method !== 'list' && list !== null && reason('listOfOtherMethod', { method }))
  addProblem('seed', method === 'list' && seed !== null && reason('seedOfList'))
  return problems
}

/** Refuses (422, 400) a draft that could not be sealed, or that its trial does not fit. An uploaded list may still be missing. */
export function checkDraft(db: Db, trial: Trial, draft: Draft): void {
  const problems = draftProblems(draft)
  if (Object.keys(problems).length) throw refuse.invalid(problems)
  const unknown = formKeyProblems(db, trial._id, draft.requiresConsent ?? [])
  if (unknown.length) throw refuse.invalid({ requiresConsent: unknown })
  const config = configuration(db, trial)
  const groups = new Set(groupsOf(db, trial._id, 'all').map(({ _id }) => _id))
  for (const { group } of draft.arms) if (group !== null) groups.delete(group)
  for (const [index, factor] of draft.factors.entries()) {
    const problem = factorProblem(config, factor, groups)
    if (problem) throw refuse.invalid({ factors: [at(index, problem)] })
  }
  const problem = draft.eligibility && eligibilityProblem(config, draft.eligibility)
  if (problem) throw refuse.invalid({ eligibility: [problem] })
  for (const arm of draft.arms) checkArm(db, draft, arm)
  const plans = planProblems(draft.arms, draft.isBlinded)
  if (plans.length) throw refuse.invalid({ arms: plans })
  checkRecipients(db, trial._id, draft.unblindingRecipients)
  if (draft.list !== null) listsIn(db, trial, draft, draft.list)
}

function checkArm(db: Db, { _id, trial, isBlinded }: Draft, arm: DraftArm): void {
  const { name, group } = arm
  for (const packType of typesOf(arm)) {
    if (!packTypeExists(db, trial, packType)) throw refuse.bad('armPackTypeElsewhere', { arm: name })
    if (isShownElsewhere(db, packType, { _id, isBlinded })) throw refuse.bad('armPackTypeShown', { arm: name })
  }
  if (group === null) return
  if (groupById(db, group)?.trial !== trial) throw refuse.bad('armGroupElsewhere', { arm: name })
  if (otherArmWith(db, group, _id)) throw refuse.bad('armGroupUsed', { arm: name })
  const uses = isBlinded ? usesOfGroup(db, trial, group) : []
  if (uses.length) throw refuse.bad('armGroupShown', { arm: name, uses }, { uses: uses.map(({ text }) => text) })
}

/** Refuses (400) people without access to the trial. */
export function checkRecipients(db: Db, trial: Id, people: readonly Id[]): void {
  const strangers = people.filter((user) => !accessOf(db, user).trials.has(trial))
  if (strangers.length) throw refuse.bad('recipientsWithoutAccess', { count: strangers.length }, { strangers })
}

/** The lists of an uploaded csv. @throws 422 with the problems and the numbers of their lines */
export function listsIn(db: Db, trial: Trial, draft: Pick<Draft, 'trial' | 'factors' | 'arms'>, csv: string) {
  const levels = levelsOfFactors(db, configuration(db, trial), draft)
  const read = readList(csv, draft.arms, draft.factors, levels)
  if (read.problems) throw refuse.invalid({ list: read.problems })
  return read.lists
}
