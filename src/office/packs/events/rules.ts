/** The states of a pack, and which events lead from one to another (docs/packs.md, "Custody"). */

import type { packEvents } from '#db/tables/index'
import { type Reason, reason } from '#kernel/refusals/reason'

export type EventType = (typeof packEvents.type.enumValues)[number]
export type PackState = (typeof packEvents.state.enumValues)[number]

/** The states in a sentence: “This pack is …”. */
export const stateLabels: Readonly<Record<PackState, Reason>> = {
  inStock: reason('stateInStock'),
  quarantined: reason('stateQuarantined'),
  dispensed: reason('stateDispensed'),
  returned: reason('stateReturned'),
  lost: reason('stateLost'),
  damaged: reason('stateDamaged'),
  destroyed: reason('stateDestroyed'),
}

/** The events in a sentence: “it cannot be …”. */
export const eventLabels: Readonly<Record<EventType, Reason>> = {
  received: reason('eventReceived'),
  moved: reason('eventMoved'),
  temperatureExcursion: reason('eventTemperatureExcursion'),
  quarantined: reason('eventQuarantined'),
  released: reason('eventReleased'),
  lost: reason('eventLost'),
  found: reason('eventFound'),
  damaged: reason('eventDamaged'),
  dispensed: reason('eventDispensed'),
  unassigned: reason('eventUnassigned'),
  returned: reason('eventReturned'),
  destroyed: reason('eventDestroyed'),
}

/** From which states an event is possible, and the state after it. `same`: the state stays; `beforeLoss`: see `stateOfFound`. */
type Transition = { from: readonly PackState[]; to: PackState | 'same' | 'beforeLoss' }

/**
 * Every event but the first, which is always `received`. A pack that was dispensed and not taken back never becomes stock again, also
 * if it was lost and found in between, since nobody knows how it was kept. A destroyed pack has no further events.
 */
export const transitions: Readonly<Record<Exclude<EventType, 'received'>, Transition>> = {
  moved: { from: ['inStock', 'quarantined', 'returned', 'damaged'], to: 'same' },
  temperatureExcursion: { from: ['inStock', 'quarantined'], to: 'quarantined' },
  quarantined: { from: ['inStock'], to: 'quarantined' },
  released: { from: ['quarantined'], to: 'inStock' },
  lost: { from: ['inStock', 'quarantined', 'dispensed', 'returned', 'damaged'], to: 'lost' },
  found: { from: ['lost'], to: 'beforeLoss' },
  damaged: { from: ['inStock', 'quarantined', 'dispensed', 'returned'], to: 'damaged' },
  dispensed: { from: ['inStock'], to: 'dispensed' },
  unassigned: { from: ['dispensed'], to: 'inStock' },
  returned: { from: ['dispensed'], to: 'returned' },
  destroyed: { from: ['inStock', 'quarantined', 'returned', 'damaged'], to: 'destroyed' },
}

/** The state of a pack that was found: the one in which it was lost, but stock is in quarantine until somebody releases it. */
const stateOfFound = (lostAs: PackState): PackState => (lostAs === 'inStock' ? 'quarantined' : lostAs)

/**
 * The state after an event; undefined if the event is not possible in this state.
 * @param lostAs of a lost pack: the state in which it was lost
 */
export function stateAfter(type: EventType, state: PackState, lostAs: PackState = 'inStock'): PackState | undefined {
  if (type === 'received') return undefined
  const { from, to } = transitions[type]
  if (!from.includes(state)) return undefined
  if (to === 'beforeLoss') return stateOfFound(lostAs)
  return to === 'same' ? state : to
}
