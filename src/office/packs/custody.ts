/** Records what becomes of packs: the event and the state that follows from it, in one transaction (docs/packs.md, "Custody"). */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import { type Instant, instantText } from '#kernel/time'
import { type EventType, eventLabels, stateAfter, stateLabels } from '#office/packs/events/rules'
import { insertEvent, lastEventOf, type PackEventRow, stateBeforeLoss } from '#office/packs/events/store'
import { insertPackRows, type NewPackRow, type PackRow, updateCustody } from './store'

/** Who records it, and when. */
export type CustodyContext = { db: Db; now: Instant; id(): Id; caller: { user: { _id: Id } } }

/** An event to record. `site` of a move is the new place; `participant` of an assignment is who gets the pack. */
export type NewEvent = Partial<
  Pick<
    PackEventRow,
    'site' | 'participant' | 'reason' | 'units' | 'lowestTemperature' | 'highestTemperature' | 'minutes'
  >
> & { type: Exclude<EventType, 'received'>; occurredAt?: Instant | undefined }

/** A pack as a sentence names it. Its type and batch are left out: the reader of a refusal may not be allowed to know them. */
export const nameOfPack = ({ name, _id }: Pick<PackRow, 'name' | '_id'>): string => name ?? _id

/** Why an event is not possible in the state of a pack. */
export const impossibleEvent = (pack: PackRow, type: EventType): Reason =>
  reason('impossibleEvent', { pack: nameOfPack(pack), state: stateLabels[pack.state], event: eventLabels[type] })

/** Refuses (400) a moment in the future. */
export function requirePast(occurredAt: Instant, now: Instant): void {
  if (occurredAt > now) throw refuse.bad('eventInFuture', undefined, { occurredAt: instantText(occurredAt) })
}

/** A new pack, and when it was received: now, unless it says otherwise. */
export type Receipt = { pack: NewPackRow; receivedAt?: Instant | undefined }

/** Inserts packs, and for each the event that it was received where it is. */
export function receivePacks(context: CustodyContext, receipts: readonly Receipt[]): PackRow[] {
  const { db, now, caller } = context
  for (const { receivedAt = now } of receipts) requirePast(receivedAt, now)
  const rows = insertPackRows(
    db,
    receipts.map(({ pack }) => pack),
  )
  for (const [at, { _id, packType, state, assignedToSite: site }] of rows.entries()) {
    const occurredAt = receipts[at]?.receivedAt ?? now
    const recorded = { pack: _id, _id: context.id(), createdAt: now, createdBy: caller.user._id, occurredAt }
    insertEvent(db, { ...recorded, packType, type: 'received', state, site })
  }
  return rows
}

/** When an event happened. @throws 400 if that is in the future, or before the event before it */
function momentOf({ db, now }: CustodyContext, pack: PackRow, sent: Instant | undefined): Instant {
  const last = lastEventOf(db, pack._id)
  if (sent === undefined) return Math.max(now, last?.occurredAt ?? now)
  requirePast(sent, now)
  if (last && sent < last.occurredAt) {
    const at = instantText(last.occurredAt)
    throw refuse.bad('eventBefore', { event: last.type, at }, { occurredAt: at })
  }
  return sent
}

/** What an event changes in its pack, besides the state. */
function packChange({ type, site, participant, units }: NewEvent, occurredAt: Instant): Partial<NewPackRow> {
  if (type === 'moved') return { assignedToSite: site ?? null }
  if (type === 'dispensed') return { participant: participant ?? null, assignedAt: occurredAt }
  if (type === 'unassigned') return { participant: null, assignedAt: null }
  return type === 'returned' ? { unitsReturned: units ?? null } : {}
}

/**
 * Records an event of a pack, and changes the pack as it says. Returns both as they are then.
 * @throws 400 if the event is not possible in the state of the pack, or its moment is not
 */
export function recordEvent(
  context: CustodyContext,
  before: PackRow,
  event: NewEvent,
): { pack: PackRow; event: PackEventRow } {
  const { db, now, caller } = context
  const { type, occurredAt: sent, ...details } = event
  const lostAs = before.state === 'lost' ? stateBeforeLoss(db, before._id) : undefined
  const state = stateAfter(type, before.state, lostAs)
  if (!state) throw refuse.bad(impossibleEvent(before, type), { state: before.state })
  const occurredAt = momentOf(context, before, sent)
  const pack = updateCustody(db, before, { state, ...packChange(event, occurredAt) })
  const recorded = { pack: pack._id, _id: context.id(), createdAt: now, createdBy: caller.user._id, occurredAt }
  const place = { site: pack.assignedToSite, fromSite: type === 'moved' ? before.assignedToSite : null }
  // What becomes of a pack after it was dispensed is about its participant too, and so is taking the assignment back.
  const participant = pack.participant ?? before.participant
  const row = { ...recorded, packType: pack.packType, state, ...details, type, ...place, participant }
  return { pack, event: insertEvent(db, row) }
}
