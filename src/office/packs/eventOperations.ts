/** What becomes of packs besides their assignment: moves, excursions, losses, returns, destruction (docs/packs.md, "Custody"). */
import { type Access, holds } from '#access/caller'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import {
  BulkEventInput,
  eventsWithReason,
  PackEvent,
  PackEventInput,
  PackEvents,
  RecordedEvents,
} from '#office/packs/events/model'
import { eventsOf } from '#office/packs/events/store'
import type { ChangeContext } from './change'
import { type NewEvent, recordEvent } from './custody'
import { requirePlaces, requireUnconcealedStock } from './fields'
import { pack, packsInBody, placesOfPack } from './scope'
import type { PackRow } from './store'
import { eventViews } from './view'

/** The type of event that a field belongs to; it goes with no other. */
const typeOfField = {
  site: 'moved',
  units: 'returned',
  lowestTemperature: 'temperatureExcursion',
  highestTemperature: 'temperatureExcursion',
  minutes: 'temperatureExcursion',
} as const

/** Checks what an event needs and what does not go with it (422). Returns it as it is recorded. */
function eventOf(input: PackEventInput): NewEvent {
  const { type, reason: why = null, lowestTemperature: lowest, highestTemperature: highest } = input
  const invalidField = (field: string, problem: Reason) => refuse.invalid({ [field]: [problem] })
  for (const [field, owner] of Object.entries(typeOfField)) {
    if (input[field as keyof typeof typeOfField] !== undefined && type !== owner)
      throw invalidField(field, reason('otherEventType', { type: owner }))
  }
  if (type === 'moved' && input.site === undefined) throw invalidField('site', reason('missing'))
  if (eventsWithReason.includes(type) && why === null)
    throw invalidField('reason', reason('eventReasonMissing', { type }))
  if (lowest !== undefined && highest !== undefined && lowest > highest)
    throw invalidField('lowestTemperature', reason('aboveOther', { field: 'highestTemperature' }))
  return { ...input, reason: why }
}

/** A person who may assign packs may also take them back; all other events need `writePacks` where the pack is. */
function requirePermission(access: Access, { type }: NewEvent, pack: PackRow): void {
  const places = placesOfPack(pack)
  if (holds(access, 'writePacks', places)) return
  if (type === 'returned' && holds(access, 'assignPacks', places)) return
  throw refuse.missingPermission(type === 'returned' ? ['trial.writePacks', 'trial.assignPacks'] : ['trial.writePacks'])
}

/** Records an event of each of these packs, of all or of none. */
function recordAll(context: ChangeContext, packs: readonly PackRow[], input: PackEventInput) {
  const event = eventOf(input)
  for (const pack of packs) requirePermission(context.access, event, pack)
  requireUnconcealedStock(context, packs)
  if (event.type === 'moved') {
    requirePlaces(context, [event.site ?? null])
    const unmovedPack = packs.find(({ assignedToSite }) => assignedToSite === event.site)
    if (unmovedPack) throw refuse.bad('packNotMoved', undefined, { pack: unmovedPack._id })
  }
  return packs.map((before) => ({ before, ...recordEvent(context, before, event) }))
}

type RecordedEvent = ReturnType<typeof recordAll>[number]

/** What the audit trail says of an event. */
const auditNote = ({ before, event, pack }: RecordedEvent) => ({
  participant: event.participant,
  event: { packId: pack._id, recorded: event, state: { before: before.state, after: pack.state } },
})

const listEvents = operation({
  id: 'listPackEvents',
  method: 'GET',
  path: '/packs/:packId/events',
  summary: 'Read the chain of custody of a pack',
  description: 'From its receipt on, in the order in which the events were recorded.',
  scope: pack,
  needs: 'trial.listPacks',
  reads: ({ events }) => events.map(({ participant }) => participant),
  returns: PackEvents,
  run: ({ db, access, pack }) => ({ events: eventViews(db, access, eventsOf(db, pack._id)) }),
})

const recordPackEvent = operation({
  id: 'recordPackEvent',
  method: 'POST',
  path: '/packs/:packId/events',
  summary: 'Record what became of a pack',
  description: 'Refused (400) if it is not possible in the state of the pack. Events are never changed or deleted.',
  scope: pack,
  needs: ['trial.writePacks', 'trial.assignPacks'],
  logs: 'recordPackEvent',
  body: PackEventInput,
  returns: PackEvent,
  run: (context) => {
    const { db, access, pack, body, record } = context
    const recorded = recordAll(context, [pack], body)[0]!
    record(auditNote(recorded))
    return eventViews(db, access, [recorded.event])[0]!
  },
})

const recordPackEvents = operation({
  id: 'recordPackEvents',
  method: 'POST',
  path: '/packs/events',
  summary: 'Record what became of several packs of a trial',
  description: 'For all of them or none, such as a shipment or a destruction.',
  scope: packsInBody,
  needs: [anywhere('trial.writePacks'), anywhere('trial.assignPacks')],
  logs: 'recordPackEvent',
  body: BulkEventInput,
  returns: RecordedEvents,
  run: (context) => {
    const { db, access, packs, body, record } = context
    const { ids: _, ...input } = body
    const recorded = recordAll(context, packs, input)
    for (const each of recorded) record({ type: 'recordPackEvent', ...auditNote(each) })
    return {
      events: eventViews(
        db,
        access,
        recorded.map(({ event }) => event),
      ),
    }
  },
})

export const packEventOperations = [listEvents, recordPackEvent, recordPackEvents] as const
