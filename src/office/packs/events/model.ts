/** The models of the events of packs (docs/packs.md, "Custody"). */
import { withoutConsentReason } from '#conduct/consents/required'
import { packEvents } from '#db/tables/index'
import {
  id,
  instant,
  joinShapes,
  list,
  maybe,
  number,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

/** The events that a person records. The others come from creating, assigning and unassigning a pack. */
export const recordableEvents = [
  'moved',
  'temperatureExcursion',
  'quarantined',
  'released',
  'lost',
  'found',
  'damaged',
  'returned',
  'destroyed',
] as const
export type RecordableEvent = (typeof recordableEvents)[number]

/** Events that need a reason. */
export const eventsWithReason: readonly RecordableEvent[] = [
  'temperatureExcursion',
  'quarantined',
  'released',
  'lost',
  'found',
  'damaged',
  'destroyed',
]

const reason = () => text(1, 1000)

/** When and why an assignment was made or taken back. */
export const AssignmentInput = shape('PackAssignmentInput', {
  occurredAt: maybe(withDescription('By default now.', instant())),
  reason: maybe(orNull(reason())),
})
export type AssignmentInput = ValueOf<typeof AssignmentInput>

/** The same of an assignment to a participant, whose consent may be missing. */
export const AssignInput = joinShapes(
  'PackAssignInput',
  AssignmentInput,
  shape({ withoutConsentReason: withoutConsentReason() }),
)

const eventFields = {
  type: withDescription(
    'temperatureExcursion and quarantined put the pack into quarantine, released takes it out again.',
    oneOf(...recordableEvents),
  ),
  occurredAt: maybe(
    withDescription('When it happened, by default now: not in the future, nor before the event before it.', instant()),
  ),
  reason: maybe(withDescription('Required except for moved and returned.', orNull(reason()))),
  site: maybe(withDescription('Of moved, and required there: the new place; null for trial level.', orNull(id()))),
  units: maybe(withDescription('Of returned: the number of units that came back.', whole(0, 1_000_000))),
  lowestTemperature: maybe(withDescription('Of temperatureExcursion, in °C.', number(-273.15, 1000))),
  highestTemperature: maybe(withDescription('Of temperatureExcursion, in °C.', number(-273.15, 1000))),
  minutes: maybe(withDescription('Of temperatureExcursion: how long it lasted.', whole(1, 1_000_000))),
}

export const PackEventInput = shape('PackEventInput', eventFields)
export type PackEventInput = ValueOf<typeof PackEventInput>

/** The most packs of one request. */
export const MOST_PACKS = 500

export const BulkEventInput = shape('PackEventsInput', {
  ids: withDescription('Packs of one trial. Each counts once.', list(id(), MOST_PACKS, 1)),
  ...eventFields,
})

const known = {
  pack: id(),
  _id: id(),
  createdAt: withDescription('When it was recorded.', instant()),
  createdBy: id(),
  occurredAt: instant(),
  state: withDescription('The state of the pack after it.', oneOf(...packEvents.state.enumValues)),
  site: withDescription('Where the pack is after it; null at trial level.', orNull(id())),
  fromSite: withDescription('Of moved: where it was; null at trial level.', orNull(id())),
  participant: maybe(
    withDescription('To whom it was dispensed. Left out if the caller may not see the participant.', orNull(id())),
  ),
  reason: orNull(reason()),
  units: orNull(whole(0)),
  lowestTemperature: orNull(number()),
  highestTemperature: orNull(number()),
  minutes: orNull(whole(1)),
}

export const PackEvent = shape('PackEvent', { type: oneOf(...packEvents.type.enumValues), ...known })
export type PackEvent = ValueOf<typeof PackEvent>

export const PackEvents = shape('PackEvents', { events: list(PackEvent, 1_000_000) })

export const RecordedEvents = shape('RecordedPackEvents', { events: list(PackEvent, MOST_PACKS) })
