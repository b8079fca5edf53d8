/**
 * Allocates a participant (docs/randomisation.md, "Allocation"): draws the arm, puts the participant into its group and gives
 * them a pack, in one transaction. A refusal throws, so that the transaction is rolled back and nothing is used up.
 */

import { addMembership } from '#conduct/participants/membershipStore'
import { placesOf } from '#conduct/participants/memberships'
import type { ParticipantRow } from '#conduct/participants/store'
import { changeParticipant } from '#conduct/participants/updateStore'
import type { SharedTrial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { drawsOf } from '#office/allocationMethods/generator'
import { onlyPlace } from '#office/allocationMethods/levels'
import { stratumOf } from '#office/allocationMethods/lists'
import { minimisationLabel, minimise } from '#office/allocationMethods/minimise'
import { assignAvailablePack, todayIn } from '#office/packs/assignments/assign'
import { nextInStock } from '#office/packs/assignments/store'
import type { CustodyContext } from '#office/packs/custody'
import { listFor } from '#office/randomisation/seal'
import { type ArmRow, armsOf, type RandomisationRow } from '#office/randomisation/store'
import { type Candidate, levelsOf, requireEligible } from './levels'
import {
  type AllocationRow,
  allocationOf,
  countAllocation,
  countsAt,
  insertAllocation,
  nextNumber,
  nextPosition,
} from './store'

type AllocationContext = CustodyContext & { trial: SharedTrial; randomisation: RandomisationRow }
type DrawnArm = { arm: ArmRow; position: number | null }

/** Refuses (400) a participant who cannot be allocated now. */
function requireAllocatable({ db, randomisation }: AllocationContext, participant: ParticipantRow): void {
  const { _id, name, status } = randomisation
  if (status === 'draft') throw refuse.bad('randomisationNotSealed', { name })
  if (status === 'closed') throw refuse.bad('randomisationClosed', { name })
  if (participant.isWithdrawn) throw refuse.bad('cannotAllocateWithdrawn', { participant: participant.id })
  if (participant.isArchived) throw refuse.bad('cannotAllocateArchived', { participant: participant.id })
  const earlier = allocationOf(db, _id, participant._id)
  if (!earlier) return
  const { _id: allocation, number, createdAt } = earlier
  throw refuse.bad(
    'allocatedAlready',
    { participant: participant.id, at: instantText(createdAt), number },
    { allocation },
  )
}

/** The site that counts: the one that the request names, else the only one. @throws 400 for a site to which the participant does not belong */
function siteOf(sites: readonly Id[], named: Id | undefined): Id | undefined {
  if (named === undefined) return onlyPlace(sites)
  if (!sites.includes(named)) throw refuse.bad('participantNotAtSite')
  return named
}

/** The next arm in the list of the stratum. @throws 400 if there is none */
function fromList({ db, randomisation }: AllocationContext, arms: readonly ArmRow[], stratum: string): DrawnArm {
  const list = listFor(db, randomisation, arms, stratum)
  if (!list) throw refuse.bad('noListOfStratum', { name: randomisation.name })
  const position = nextPosition(db, randomisation._id, stratum)
  const arm = list.arms[position]
  if (arm === undefined) throw refuse.bad('listUsedUp', { places: list.arms.length })
  return { arm: arms[arm]!, position }
}

function byMinimisation(
  { db, randomisation }: AllocationContext,
  arms: readonly ArmRow[],
  levels: readonly string[],
  number: number,
): DrawnArm {
  const { _id, factors, preferredPercent, seed } = randomisation
  const counts = levels.map((level, factor) => {
    const known = countsAt(db, _id, factor, level)
    return arms.map((arm) => known.get(arm._id) ?? 0)
  })
  const weights = factors.map(({ weight = 1 }) => weight)
  const parameters = { ratios: arms.map(({ ratio }) => ratio), weights, preferredPercent }
  return { arm: arms[minimise(parameters, counts, drawsOf(seed!, minimisationLabel(number)))]!, position: null }
}

/**
 * Refuses (400) an allocation for which no pack is in stock, as far as this is known before the arm is drawn.
 * While the arms are concealed, every type must be in stock at the site: if only that of the drawn arm counted, a refusal would
 * tell which arm is next, and so would the packs that are left.
 */
function requirePacks(
  { db, now, trial, randomisation }: AllocationContext,
  arms: readonly ArmRow[],
  candidate: Candidate,
): void {
  const types = packTypesOf(arms)
  if (!types.length) return
  if (candidate.site === undefined && candidate.places.sites.length) throw refuse.bad('siteOfPacksOpen')
  if (!randomisation.isBlinded) return
  const stock = { site: candidate.site ?? null, today: todayIn(trial, now), groups: candidate.places.groups }
  const isComplete = types.every((packType) => nextInStock(db, { packType, ...stock }))
  if (!isComplete) throw refuse.bad('noPackOfTypes', undefined, { reason: 'noPack' })
}

/** Gives the participant a pack of the arm. @param number of the allocation */
function givePack(
  context: AllocationContext,
  arms: readonly ArmRow[],
  { packType }: ArmRow,
  { participant, site }: Candidate & { participant: ParticipantRow },
  number: number,
) {
  const { name: reason, isBlinded, nonce } = context.randomisation
  if (packType === null) return null
  const draw = drawsOf(nonce!, `pack ${number}`)
  const concealment = isBlinded ? { types: packTypesOf(arms), draw } : undefined
  return assignAvailablePack(context, { participant, packType, site: site ?? null, reason, concealment })
}

const packTypesOf = (arms: readonly ArmRow[]): Id[] => [...new Set(arms.flatMap(({ packType }) => packType ?? []))]

/**
 * Allocates a participant once.
 * @param named the site that counts, for a participant of several
 * @throws 400 with the reason if they cannot be allocated, or no list place or pack is left
 */
export function allocate(
  context: AllocationContext,
  participant: ParticipantRow,
  named: Id | undefined,
): AllocationRow {
  const { db, now, id, caller, trial, randomisation } = context
  requireAllocatable(context, participant)
  const places = placesOf(db, participant._id)
  const candidate = { db, trial, participant, places, site: siteOf(places.sites, named) }
  requireEligible(candidate, randomisation)
  const levels = levelsOf(candidate, randomisation)
  const stratum = stratumOf(levels)
  const arms = armsOf(db, randomisation._id)
  const number = nextNumber(db, randomisation._id)
  requirePacks(context, arms, candidate)
  const { arm, position } =
    randomisation.method === 'minimisation'
      ? byMinimisation(context, arms, levels, number)
      : fromList(context, arms, stratum)
  if (randomisation.method === 'minimisation') countForMinimisation(context, arm, levels)
  // Before the pack, which may be for participants of this group only.
  if (arm.group !== null && !arm.isConcealed) addMembership(db, 'group', participant._id, arm.group)
  const pack = givePack(context, arms, arm, candidate, number)
  if (participant.isUnallocated) changeParticipant(db, participant._id, { isUnallocated: false })
  const key = {
    _id: id(),
    createdAt: now,
    createdBy: caller.user._id,
    trial: trial._id,
    randomisation: randomisation._id,
  }
  const drawn = { participant: participant._id, number, arm: arm._id, stratum, position }
  return insertAllocation(db, { ...key, ...drawn, site: candidate.site ?? null, pack: pack?._id ?? null })
}

/** Counts the allocation for the minimisation of those that follow. */
function countForMinimisation(
  { db, randomisation: { _id, trial } }: AllocationContext,
  { _id: arm }: ArmRow,
  levels: readonly string[],
): void {
  for (const [factor, level] of levels.entries()) {
    countAllocation(db, { randomisation: _id, trial, factor, level, arm })
  }
}
