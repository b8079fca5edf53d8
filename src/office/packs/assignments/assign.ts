/** Gives packs to participants: each pack to one of them, and only what they may get now (docs/packs.md, "Assignment"). */
import type { Places } from '#access/caller'
import { placesOf } from '#conduct/participants/memberships'
import type { ParticipantRow } from '#conduct/participants/store'
import { rowById } from '#db/rows'
import { sites } from '#db/tables/index'
import { dayIn } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import { type Problem, refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import type { Instant } from '#kernel/time'
import { type CustodyContext, impossibleEvent, nameOfPack, recordEvent } from '#office/packs/custody'
import type { PackRow } from '#office/packs/store'
import {
  type Draw,
  drawFromStock,
  expiredAt,
  nextInStock,
  randomisedTypes,
  type Stock,
  sharedExpiry,
  statesAt,
} from './store'

/** The day in the zone of the trial, `YYYY-MM-DD`. */
export const todayIn = ({ timezone }: { timezone?: string | null }, now: Instant): string =>
  new Date(dayIn(now, timezone ?? 'UTC') * 86_400_000).toISOString().slice(0, 10)

type Recipient = Pick<ParticipantRow, '_id' | 'id' | 'isArchived' | 'isWithdrawn'>

/** Whether packs may be given to the participant at all. */
export const isActive = ({ isArchived, isWithdrawn }: Recipient): boolean => !isArchived && !isWithdrawn

/** Refuses (400) to give anything to a participant who has left the study. */
export function requireActive({ id, isArchived, isWithdrawn }: Recipient): void {
  if (isWithdrawn) throw refuse.bad('recipientWithdrawn', { participant: id })
  if (isArchived) throw refuse.bad('recipientArchived', { participant: id })
}

/** Why a pack cannot go to the participant of these sites and groups; undefined if it can. */
function assignmentProblem(pack: PackRow, participant: Recipient, places: Places, today: string): Reason | undefined {
  const about = { pack: nameOfPack(pack) }
  if (pack.participant !== null)
    return reason(pack.participant === participant._id ? 'packAssignedToThem' : 'packAssignedToOther', about)
  if (pack.state !== 'inStock') return impossibleEvent(pack, 'dispensed')
  if (pack.expiryDate !== null && pack.expiryDate < today)
    return reason('packExpired', { ...about, expiryDate: pack.expiryDate })
  if (pack.assignedToSite !== null && !places.sites.includes(pack.assignedToSite))
    return reason('packAtOtherSite', about)
  if (!pack.availableToAllGroups && !pack.availableToGroups.some((group) => places.groups.includes(group)))
    return reason('packForOtherGroups', about)
  return undefined
}

type AssignContext = CustodyContext & { trial: { timezone?: string | null } }
type AssignmentDetails = { occurredAt?: Instant | undefined; reason?: string | null | undefined }

/**
 * Gives a pack to a participant, which somebody chose.
 * @throws 400 with the reason if the participant cannot get it, or if a sealed randomisation gives packs of its type
 */
export function assignPack(
  context: AssignContext,
  pack: PackRow,
  participant: Recipient,
  { occurredAt, reason: why = null }: AssignmentDetails = {},
): PackRow {
  // It says the same of every type, and comes before all that depends on the pack: else it would tell types apart.
  if (randomisedTypes(context.db, [pack.packType]).size)
    throw refuse.bad('packRandomised', undefined, { reason: 'randomised' })
  requireActive(participant)
  const places = placesOf(context.db, participant._id)
  const problem = assignmentProblem(pack, participant, places, todayIn(context.trial, occurredAt ?? context.now))
  if (problem) throw refuse.bad(problem, { state: pack.state })
  return recordEvent(context, pack, {
    type: 'dispensed',
    occurredAt,
    participant: participant._id,
    reason: why,
  }).pack
}

/** The refusal (400) if no pack is left. It does not name the type, from which the arm may follow. */
function shortageRefusal({ db }: AssignContext, stock: Stock): Problem {
  const states = statesAt(db, stock)
  const expired = expiredAt(db, stock)
  const others = (states.get('inStock') ?? 0) - expired
  const quarantined = states.get('quarantined') ?? 0
  const reasons = [
    ...(expired ? [reason('packsExpired', { count: expired })] : []),
    ...(quarantined ? [reason('packsInQuarantine', { count: quarantined })] : []),
    ...(others ? [reason('packsForOthers', { count: others })] : []),
  ]
  const details = { reason: 'noPack' }
  if (stock.site === null) {
    if (!reasons.length) return refuse.bad('noPackAtTrial', undefined, details)
    return refuse.bad('noUsablePackAtTrial', { reasons }, details)
  }
  const site = rowById(db, sites, stock.site)?.name ?? stock.site
  return reasons.length
    ? refuse.bad('noUsablePackAtSite', { site, reasons }, details)
    : refuse.bad('noPackAtSite', { site }, details)
}

/**
 * How a pack of a concealed type is chosen: if it were the next in order, everybody would know that those before it are of
 * another type. `types`: those of all arms; the expiry date is one that all of them have, if there is any.
 */
export type Concealment = { types: readonly Id[]; draw: Draw }

/** What a participant is to get: so many packs of each type, from the packs of one place. */
export type AssignmentRequest = {
  participant: Recipient
  counts: ReadonlyMap<Id, number>
  /** Null for packs at trial level. */
  site: Id | null
  reason?: string | undefined
  concealment?: Concealment | undefined
}

/**
 * Chooses available packs: one of each type, then the next of each. Of concealed types, those of one round expire on the same day, if all
 * have such packs. They are returned by name: which was chosen first would tell its type.
 * @throws 400 if one is missing
 */
function choosePacks(context: AssignContext, { participant, counts, site, concealment }: AssignmentRequest): PackRow[] {
  const { db, now, trial } = context
  const { groups } = placesOf(db, participant._id)
  const chosen: PackRow[] = []
  for (let round = 0; round < Math.max(...counts.values()); round++) {
    const stock = { site, today: todayIn(trial, now), groups, except: chosen.map(({ _id }) => _id) }
    const expiry = concealment && sharedExpiry(db, stock, concealment.types)
    for (const [packType, count] of counts) {
      if (round >= count) continue
      const own = { ...stock, packType }
      const pack = concealment ? drawFromStock(db, own, expiry, concealment.draw) : nextInStock(db, own)
      if (!pack) throw shortageRefusal(context, own)
      chosen.push(pack)
    }
  }
  const order = ({ name, _id }: PackRow) => `${name ?? ''}\u0001${_id}`
  return chosen.sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

/**
 * Gives available packs at a site to a participant, inside the present transaction: those that expire first, those without an expiry
 * date last, then by name; or any of them, to conceal their type. Returns them by name. The participant must be in the database with the
 * groups that they have then.
 * @throws 400 with the reason if the participant has left the study, or too few packs are left for them there
 */
export function assignAvailablePacks(context: AssignContext, request: AssignmentRequest): PackRow[] {
  const { participant, reason } = request
  requireActive(participant)
  return choosePacks(context, request).map(
    (pack) => recordEvent(context, pack, { type: 'dispensed', participant: participant._id, reason }).pack,
  )
}

type SingleAssignment = Omit<AssignmentRequest, 'counts'> & { packType: Id }

/** The same for one pack of a type. */
export const assignAvailablePack = (context: AssignContext, { packType, ...request }: SingleAssignment): PackRow =>
  assignAvailablePacks(context, { ...request, counts: new Map([[packType, 1]]) })[0]!
