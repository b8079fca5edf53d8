/** The models of the events of packs (docs/packs.md, "Custody"). */
import { withoutConsentReason } from '#conduct/consents/required'
import { packEvents } from '#db/tables/index'
import * as t from '#wire/schema'

/** The events that a person records. The others come from creating, assigning and unassigning a pack. */
const recordableEvents = [
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

const reason = () => t.text(1, 1000)

/** When and why an assignment was made or taken back. */
export const AssignmentInput = t.shape('PackAssignmentInput', {
  occurredAt: t.maybe(t.withDescription('By default now.', t.instant())),
  reason: t.maybe(t.orNull(reason())),
})
export type AssignmentInput = t.ValueOf<typeof AssignmentInput>

/** The same of an assignment to a participant, whose consent may be missing. */
export const AssignInput = t.joinShapes(
  'PackAssignInput',
  AssignmentInput,
  t.shape({ withoutConsentReason: withoutConsentReason() }),
)

const eventFields = {
  type: t.withDescription(
    'temperatureExcursion and quarantined put the pack into quarantine, released takes it out again.',
    t.oneOf(...recordableEvents),
  ),
  occurredAt: t.maybe(
    t.withDescription(
      'When it happened, by default now: not in the future, nor before the event before it.',
      t.instant(),
    ),
  ),
  reason: t.maybe(t.withDescription('Required except for moved and returned.', t.orNull(reason()))),
  site: t.maybe(
    t.withDescription('Of moved, and required there: the new place; null for trial level.', t.orNull(t.id())),
  ),
  units: t.maybe(t.withDescription('Of returned: the number of units that came back.', t.whole(0, 1_000_000))),
  lowestTemperature: t.maybe(t.withDescription('Of temperatureExcursion, in °C.', t.number(-273.15, 1000))),
  highestTemperature: t.maybe(t.withDescription('Of temperatureExcursion, in °C.', t.number(-273.15, 1000))),
  minutes: t.maybe(t.withDescription('Of temperatureExcursion: how long it lasted.', t.whole(1, 1_000_000))),
}

export const PackEventInput = t.shape('PackEventInput', eventFields)
export type PackEventInput = t.ValueOf<typeof PackEventInput>

/** The most packs of one request. */
export const MOST_PACKS = 500

export const BulkEventInput = t.shape('PackEventsInput', {
  ids: t.withDescription('Packs of one trial. Each counts once.', t.list(t.id(), MOST_PACKS, 1)),
  ...eventFields,
})

const known = {
  pack: t.id(),
  _id: t.id(),
  createdAt: t.withDescription('When it was recorded.', t.instant()),
  createdBy: t.id(),
  occurredAt: t.instant(),
  state: t.withDescription('The state of the pack after it.', t.oneOf(...packEvents.state.enumValues)),
  site: t.withDescription('Where the pack is after it; null at trial level.', t.orNull(t.id())),
  fromSite: t.withDescription('Of moved: where it was; null at trial level.', t.orNull(t.id())),
  participant: t.maybe(
    t.withDescription(
      'To whom it was dispensed. Left out if the caller may not see the participant.',
      t.orNull(t.id()),
    ),
  ),
  reason: t.orNull(reason()),
  units: t.orNull(t.whole(0)),
  lowestTemperature: t.orNull(t.number()),
  highestTemperature: t.orNull(t.number()),
  minutes: t.orNull(t.whole(1)),
}

export const PackEvent = t.shape('PackEvent', { type: t.oneOf(...packEvents.type.enumValues), ...known })
export type PackEvent = t.ValueOf<typeof PackEvent>

export const PackEvents = t.shape('PackEvents', { events: t.list(PackEvent, 1_000_000) })

export const RecordedEvents = t.shape('RecordedPackEvents', { events: t.list(PackEvent, MOST_PACKS) })
