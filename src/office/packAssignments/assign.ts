/** Gives packs to participants: each pack to one of them, and only what they may get now (docs/packs.md, "Assignment"). */
import type { Places } from '#access/caller'
import { placesOf } from '#conduct/participants/memberships'
import type { ParticipantRow } from '#conduct/participants/store'
import { rowById } from '#db/rows'
import { sites } from '#db/tables/index'
import { dayIn } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { stateWords } from '#office/packEvents/rules'
import { type CustodyContext, nameOfPack, recordEvent } from '#office/packs/custody'
import type { PackRow } from '#office/packs/store'
import { anyInStock, type Draw, expiredAt, nextInStock, type Stock, sharedExpiry, statesAt } from './store'

/** The day in the zone of the trial, `YYYY-MM-DD`. */
export const todayIn = ({ timezone }: { timezone?: string | null }, now: Instant): string =>
  new Date(dayIn(now, timezone ?? 'UTC') * 86_400_000).toISOString().slice(0, 10)

type Recipient = Pick<ParticipantRow, '_id' | 'id' | 'isArchived' | 'isWithdrawn'>

/** Whether packs may be given to the participant at all. */
export const isActive = ({ isArchived, isWithdrawn }: Recipient): boolean => !isArchived && !isWithdrawn

/** Refuses (400) to give anything to a participant who has left the study. */
function requireActive({ id, isArchived, isWithdrawn }: Recipient): void {
  if (isWithdrawn) throw refuse.bad(`The participant “${id}” has withdrawn.`)
  if (isArchived) throw refuse.bad(`The participant “${id}” is archived.`)
}

/** Why a pack cannot go to the participant of these sites and groups, as a sentence; undefined if it can. */
export function unfitness(pack: PackRow, participant: Recipient, places: Places, today: string): string | undefined {
  const name = nameOfPack(pack)
  if (pack.participant !== null) {
    const whom = pack.participant === participant._id ? 'this participant' : 'another participant'
    return `The pack ${name} is assigned to ${whom} already.`
  }
  if (pack.state !== 'inStock') return `The pack ${name} is ${stateWords[pack.state]}: it cannot be dispensed.`
  if (pack.expiryDate !== null && pack.expiryDate < today) return `The pack ${name} expired on ${pack.expiryDate}.`
  if (pack.assignedToSite !== null && !places.sites.includes(pack.assignedToSite))
    return `The pack ${name} is at a site to which the participant does not belong.`
  if (!pack.availableToAllGroups && !pack.availableToGroups.some((group) => places.groups.includes(group)))
    return `The pack ${name} is not for a group of this participant.`
  return undefined
}

type AssignContext = CustodyContext & { trial: { timezone?: string | null } }
type Details = { occurredAt?: Instant | undefined; reason?: string | null | undefined }

/** Gives a pack to a participant. @throws 400 with the reason if the participant cannot get it */
export function assignPack(
  context: AssignContext,
  pack: PackRow,
  participant: Recipient,
  { occurredAt, reason = null }: Details = {},
): PackRow {
  requireActive(participant)
  const places = placesOf(context.db, participant._id)
  const problem = unfitness(pack, participant, places, todayIn(context.trial, occurredAt ?? context.now))
  if (problem !== undefined) throw refuse.bad(problem, { state: pack.state })
  return recordEvent(context, pack, {
    type: 'dispensed',
    occurredAt,
    participant: participant._id,
    reason: reason ?? null,
  }).pack
}

/** Why no pack is left, in the words of a person. It does not name the type, from which the arm may follow. */
function noneLeft({ db }: AssignContext, stock: Stock): string {
  const states = statesAt(db, stock)
  const expired = expiredAt(db, stock)
  const others = (states.get('inStock') ?? 0) - expired
  const quarantined = states.get('quarantined') ?? 0
  const reasons = [
    expired && `${expired} expired`,
    quarantined && `${quarantined} in quarantine`,
    others && `${others} for other groups`,
  ].filter(Boolean)
  const place = stock.site === null ? 'at trial level' : `at “${rowById(db, sites, stock.site)?.name ?? stock.site}”`
  return `No pack for this participant is left ${place}${reasons.length ? `: ${reasons.join(', ')}` : ''}.`
}

/**
 * How a pack is chosen whose type nobody may know: if it were the next in order, everybody would know that those before it are of
 * another type. `types`: those of all arms; the expiry date is one that all of them have, if there is any.
 */
export type Concealing = { types: readonly Id[]; draw: Draw }

type Assigned = {
  participant: Recipient
  packType: Id
  /** Null for packs at trial level. */
  site: Id | null
  reason?: string | undefined
  concealing?: Concealing | undefined
}

/**
 * Gives an available pack of a type at a site to a participant, inside the present transaction: the one that expires first,
 * those without an expiry date last, then by name; or any of them, to conceal its type. The participant must be in the database with the
 * groups that they have then.
 * @throws 400 with the reason if the participant has left the study, or no pack is left for them there
 */
export function assignAvailablePack(
  context: AssignContext,
  { participant, packType, site, reason, concealing }: Assigned,
): PackRow {
  const { db, now, trial } = context
  requireActive(participant)
  const { groups } = placesOf(db, participant._id)
  const stock = { packType, site, today: todayIn(trial, now), groups }
  const pack = concealing
    ? anyInStock(db, stock, sharedExpiry(db, stock, concealing.types), concealing.draw)
    : nextInStock(db, stock)
  if (!pack) throw refuse.bad(noneLeft(context, stock), { reason: 'noPack' })
  return recordEvent(context, pack, { type: 'dispensed', participant: participant._id, reason }).pack
}
