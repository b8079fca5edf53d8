/**
 * Dispenses packs to an allocated participant by their arm (docs/randomisation.md, "Dispensing by arm"), in one transaction. A refusal
 * throws, so that the transaction is rolled back and nothing is used up.
 */

import { armsVisibleTo } from '#access/armConcealmentStore'
import type { Access } from '#access/caller'
import { placesOf } from '#conduct/participants/memberships'
import type { ParticipantRow } from '#conduct/participants/store'
import type { SharedTrial } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { drawsOf } from '#office/allocationMethods/generator'
import { onlyPlace } from '#office/allocationMethods/levels'
import { type AllocationRow, allocationOf } from '#office/allocations/store'
import { assignAvailablePacks, requireActive, todayIn } from '#office/packs/assignments/assign'
import { hasInStock } from '#office/packs/assignments/store'
import { type CustodyContext, nameOfPack } from '#office/packs/custody'
import { stateLabels } from '#office/packs/events/rules'
import { packById } from '#office/packs/store'
import { countsOf, doseLevelsOf, linesAt, maximumNeeds, planOf } from '#office/randomisation/plan'
import { type ArmRow, armsOf, type RandomisationRow } from '#office/randomisation/store'
import type { ValueOf } from '#wire/schema'
import type { DispensationInput } from './model'
import { isScarce, recordScarcity } from './scarcityStore'
import {
  type DispensationRow,
  doseLevelOfPack,
  insertDispensation,
  lastDoseLevel,
  nextNumber,
  replacementNumber,
} from './store'

type DispensingContext = CustodyContext & {
  access: Access
  services: Pick<Services, 'commit'>
  trial: SharedTrial
  randomisation: RandomisationRow
}
type Input = ValueOf<typeof DispensationInput>
type Counts = ReadonlyMap<Id, number>

/** What a participant is to get: the packs of their arm, and what the arms need altogether, so that a refusal does not reveal the arm. */
type PackNeed = { doseLevel: string | null; own: Counts; all: Counts }

/** The most packs of one request: of all of them, one transaction. */
const MAX_PACKS = 100

/** The allocation of the participant. @throws 400 for a draft, and for who has left the study or was not allocated */
function requireAllocated({ db, randomisation }: DispensingContext, participant: ParticipantRow): AllocationRow {
  const { _id, name, status } = randomisation
  if (status === 'draft') throw refuse.bad('randomisationNotSealed', { name })
  requireActive(participant)
  const allocation = allocationOf(db, _id, participant._id)
  if (!allocation) throw refuse.bad('notAllocated', { participant: participant.id, name })
  return allocation
}

/** The states of a pack that may be replaced: a destroyed one was damaged or returned before. */
const REPLACEABLE = ['lost', 'damaged', 'returned', 'destroyed']

/** What replaces a pack: one of its type. @throws 400 if the participant did not get it, or it is in use, or was replaced */
function replacementNeed(
  { db, randomisation }: DispensingContext,
  participant: ParticipantRow,
  arms: readonly ArmRow[],
  { replaces, quantity = 1, doseLevel }: Input & { replaces: Id },
): PackNeed {
  if (quantity !== 1) throw refuse.invalid({ quantity: [reason('replacementQuantity')] })
  if (doseLevel !== undefined) throw refuse.invalid({ doseLevel: [reason('replacementLevel')] })
  const { _id, name } = randomisation
  const given = doseLevelOfPack(db, { randomisation: _id, participant: participant._id, pack: replaces })
  const pack = given === undefined ? undefined : packById(db, replaces)
  if (given === undefined || pack?.participant !== participant._id)
    throw refuse.bad('packGivenElsewhere', { name, participant: participant.id })
  const { state, packType } = pack
  if (!REPLACEABLE.includes(state))
    throw refuse.bad('packInUse', { pack: nameOfPack(pack), state: stateLabels[state] }, { state })
  const number = replacementNumber(db, _id, replaces)
  if (number !== undefined) throw refuse.bad('packReplaced', { pack: nameOfPack(pack), number }, { number })
  // That of an allocation has no dose level, and so have those that arms without levels dispense.
  const types = arms.flatMap((arm) => [
    ...(given === null && arm.packType !== null ? [arm.packType] : []),
    ...linesAt(arm, given).map((line) => line.packType),
  ])
  return { doseLevel: given, own: new Map([[packType, 1]]), all: new Map(types.map((type) => [type, 1])) }
}

/** The dose level that the request names, else that of the dispensation before, else the first of the arm. */
function doseLevelOf({ db, randomisation }: DispensingContext, arm: ArmRow, arms: readonly ArmRow[], input: Input) {
  const levels = doseLevelsOf([arm])
  const before = lastDoseLevel(db, randomisation._id, input.participant)
  const doseLevel = input.doseLevel?.trim() ?? before ?? levels[0] ?? null
  if (doseLevel === null || levels.includes(doseLevel)) return doseLevel
  const all = doseLevelsOf(arms)
  throw refuse.invalid({ doseLevel: [reason(all.includes(doseLevel) ? 'levelOfOtherArm' : 'noDoseLevel')] })
}

/** What the arm dispenses at a time, as often as asked for. @throws 400 if it dispenses nothing; 422 for a wrong level, or too much */
function plannedNeed(context: DispensingContext, arm: ArmRow, arms: readonly ArmRow[], input: Input): PackNeed {
  const { name } = context.randomisation
  const { quantity = 1 } = input
  if (!arms.some((each) => planOf(each).length)) throw refuse.bad('givesNoPacks', { name })
  const doseLevel = doseLevelOf(context, arm, arms, input)
  const own = countsOf(linesAt(arm, doseLevel), quantity)
  const count = [...own.values()].reduce((sum, each) => sum + each, 0)
  if (!count) throw refuse.bad('armGivesNoPacks')
  if (count > MAX_PACKS) throw refuse.invalid({ quantity: [reason('tooManyPacks', { count, most: MAX_PACKS })] })
  return { doseLevel, own, all: maximumNeeds(arms.map((each) => countsOf(linesAt(each, doseLevel), quantity))) }
}

/** The site whose packs are used; null for trial level. @throws 400 if that is open, or the participant does not belong to it */
function siteOf(sites: readonly Id[], named: Id | undefined): Id | null {
  if (named !== undefined && !sites.includes(named)) throw refuse.bad('participantNotAtSite')
  const site = named ?? onlyPlace(sites)
  if (site === undefined && sites.length) throw refuse.bad('siteOfPacksOpen')
  return site ?? null
}

type StockRequest = { all: Counts; types: readonly Id[]; site: Id | null; groups: readonly Id[]; quantity: number }

/**
 * Refuses (400) unless the packs of every arm are in stock: if only the participant's arm counted, a refusal would reveal it.
 * It is the last check, so that other refusals reveal nothing about the stock. Blinded people who were refused ask for
 * one time until packs arrive.
 */
function requireStock(context: DispensingContext, { all, types, site, groups, quantity }: StockRequest): void {
  const { db, now, trial, access, randomisation } = context
  const stock = { site, today: todayIn(trial, now), groups }
  const place = { trial: trial._id, randomisation: randomisation._id, site, types }
  const isOnce = quantity === 1 || armsVisibleTo(access)
  const isMissing = [...all].some(([packType, count]) => !hasInStock(db, { packType, ...stock }, count))
  if (!isMissing && (isOnce || !isScarce(db, place))) return
  if (!isOnce && !isScarce(db, place)) recordScarcity(context, place)
  throw refuse.bad(isOnce ? 'tooFewPacks' : 'tooFewPacksYet', undefined, { reason: 'noPack' })
}

/**
 * Dispenses packs by the arm of the participant, and returns the dispensation with its arm and the packs.
 * @throws 400 with the reason if the participant cannot get any, or too few are left; 422 for a quantity or dose level that cannot be
 */
export function dispense(context: DispensingContext, participant: ParticipantRow, input: Input) {
  const { db, now, id, caller, trial, randomisation } = context
  const allocation = requireAllocated(context, participant)
  const arms = armsOf(db, randomisation._id)
  const arm = arms.find(({ _id }) => _id === allocation.arm)!
  const { replaces } = input
  const need =
    replaces === undefined
      ? plannedNeed(context, arm, arms, input)
      : replacementNeed(context, participant, arms, { ...input, replaces })
  const { sites, groups } = placesOf(db, participant._id)
  const site = siteOf(sites, input.site)
  const isConcealed = randomisation.isBlinded && randomisation.unblindedAt === null
  const types = arms.flatMap((each) => [each.packType, ...planOf(each).map((line) => line.packType)])
  if (isConcealed)
    requireStock(context, {
      ...{ all: need.all, site, groups, quantity: input.quantity ?? 1 },
      types: types.filter((type) => type !== null),
    })
  const number = nextNumber(db, randomisation._id)
  const draw = drawsOf(randomisation.nonce!, `dispensation ${number}`)
  const packs = assignAvailablePacks(context, {
    ...{ participant, counts: need.own, site, reason: input.reason ?? randomisation.name },
    ...(isConcealed ? { concealment: { types: [...need.all.keys()], draw } } : {}),
  })
  const row: DispensationRow = {
    ...{ _id: id(), createdAt: now, createdBy: caller.user._id, trial: trial._id, randomisation: randomisation._id },
    ...{ participant: participant._id, number, doseLevel: need.doseLevel, quantity: input.quantity ?? 1, site },
    ...{ replaces: replaces ?? null, reason: input.reason ?? null },
  }
  insertDispensation(db, row, packs)
  return { row, arm, packs }
}
