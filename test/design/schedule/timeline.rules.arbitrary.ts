/** Random stages and random inputs of a participant, for the properties of the timeline. */
import fc from 'fast-check'
import type { EnableAfter, TimelineInput, TimelineStage } from '#design/schedule/rules'
import { aStage, at, idOf } from './timeline.rules.sample'

export const zoneNames = [
  ...['UTC', 'Europe/London', 'Europe/Dublin', 'America/New_York', 'America/Santiago', 'America/St_Johns'],
  ...['Australia/Sydney', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Chatham', 'Pacific/Apia'],
  ...['Africa/Casablanca', 'Antarctica/Troll', 'Africa/Monrovia', 'America/Sao_Paulo', 'Africa/Cairo'],
]
export const zoneName = fc.constantFrom(...zoneNames)
export const [start, end] = [at('2025-12-01T00:00Z'), at('2027-03-01T00:00Z')]
export const moment = fc.integer({ min: start, max: end })
export const ids = ['a', 'b', 'c', 'd'].map(idOf)
const places = [idOf('51'), idOf('52')]
export const stageId = fc.constantFrom(...ids)
export const anchorId = fc.constantFrom(idOf('e'), idOf('f'))
export const days = fc.integer({ min: -5, max: 40 })
const recurrence = fc.integer({ min: 0, max: 6 })
const time = fc.constantFrom('00:00:00', '01:30:00', '02:15', '08:00:00', '23:59:59')
export const oftenNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 })
const someOf = (all: string[]) => fc.subarray(all)

const enableAfter: fc.Arbitrary<EnableAfter> = fc.oneof(
  fc.record({ type: fc.constant('stage' as const), stage: stageId, stageRecurrence: recurrence, delay: days }),
  fc.record({ type: fc.constant('anchor' as const), anchor: anchorId, delay: days }),
)
const settings: fc.Arbitrary<Partial<TimelineStage>> = fc.record({
  index: fc.integer({ min: 0, max: 2 }),
  enabled: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.boolean()),
  adHoc: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.boolean()),
  isPoll: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.boolean()),
  isRecurring: fc.boolean(),
  recurringFrequency: fc.integer({ min: 1, max: 30 }),
  recurringDuration: fc.integer({ min: 1, max: 60 }),
  enableAfter: oftenNull(enableAfter),
  enableAtTime: oftenNull(time),
  availabilityWindowHours: oftenNull(fc.integer({ min: 1, max: 200 })),
  exemptFromBehindStatus: fc.boolean(),
  behindCutoffTime: oftenNull(time),
  isAnchored: fc.boolean(),
  anchorSchedule: oftenNull(fc.array(fc.record({ anchor: anchorId, dayOffset: days }), { maxLength: 4 })),
  availableToSites: oftenNull(someOf(places)),
  availableToGroups: fc.constantFrom(null, null, places),
})
export const stages = fc
  .array(settings, { minLength: 1, maxLength: 4 })
  .map((all) => all.map((each, i) => aStage({ ...each, _id: ids[i]! })))

export const input: fc.Arbitrary<TimelineInput> = fc.record({
  now: moment,
  zone: zoneName,
  registeredAt: moment,
  sites: someOf(places),
  groups: fc.constant(places),
  anchors: fc.uniqueArray(fc.tuple(anchorId, moment), { selector: ([id]) => id }).map((dates) => new Map(dates)),
  completions: fc
    .array(fc.tuple(stageId, recurrence, moment), { maxLength: 8 })
    .map((all) => new Map(all.map(([id, n, when]) => [`${id}::${n}`, when]))),
  overrides: fc.uniqueArray(
    fc.record({ stage: stageId, stageRecurrence: recurrence, enableAt: moment, applyToAllRecurrences: fc.boolean() }),
    { maxLength: 3, selector: ({ stage, stageRecurrence }) => `${stage} ${stageRecurrence}` },
  ),
})
