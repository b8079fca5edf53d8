import { describe, expect, test } from 'bun:test'
import type { TimelineAnchor } from '#design/schedule/anchors'
import { dependantsOf, timelineProblems } from '#design/schedule/problems'
import type { EnableAfter, TimelineStage } from '#design/schedule/rules'
import { anAnchor, every, schedule } from './timeline.rules.configuration.shared'
import { aStage, idOf } from './timeline.rules.sample'

const after = (name: string, stageRecurrence = 0): EnableAfter => ({
  type: 'stage',
  stage: idOf(name),
  stageRecurrence,
  delay: 1,
})

describe('problems', () => {
  const completes = (name: string, stageRecurrence = 0) =>
    ({ type: 'stage_completion', stageId: idOf(name), stageRecurrence }) as const
  const named = (name: string, rest: Partial<TimelineStage> = {}) =>
    aStage({ _id: idOf(name), name: `Stage ${name}`, ...rest })
  const cases: [string, TimelineStage[], TimelineAnchor[], string[]][] = [
    ['nothing', [], [], []],
    [
      'a protocol as it should be',
      [named('a'), named('c', { enableAfter: after('a') }), every(1, 28, { _id: idOf('d'), enableAfter: after('c') })],
      [anAnchor('b')],
      [],
    ],
    [
      'recurring without numbers',
      [every(null, null)],
      [],
      [
        'recurringFrequency: A recurring stage needs a number of days.',
        'recurringDuration: A recurring stage needs a number of days.',
      ],
    ],
    [
      'recurring every day and a half',
      [every(1.5, 7)],
      [],
      ['recurringFrequency: A recurring stage needs a number of days.'],
    ],
    ['recurring every 0 days', [every(0, 7)], [], ['recurringFrequency: A recurring stage needs a number of days.']],
    ['ad hoc, where recurrence does not matter', [every(null, null, { adHoc: true })], [], []],
    ['the most occurrences', [every(1, 5000)], [], []],
    [
      'too many occurrences',
      [every(1, 5001)],
      [],
      ['recurringDuration: The stage would occur 5001 times; at most 5000 are possible.'],
    ],
    ['so long that only that is said', [every(1, 36_501)], [], ['recurringDuration: Must be at most 36500 days.']],
    ['further than a century', [every(36_500, 36_501)], [], ['recurringDuration: Must be at most 36500 days.']],
    [
      'after a stage that does not exist',
      [named('c', { enableAfter: after('a') })],
      [],
      ['enableAfter: The stage it waits for does not exist.'],
    ],
    [
      'after an occurrence beyond the last',
      [every(1, 3, { name: 'Diary' }), named('c', { enableAfter: after('a', 3) })],
      [],
      ['enableAfter: “Diary” has no occurrence 3: they are counted from 0 to 2.'],
    ],
    [
      'after an occurrence between two others',
      [every(1, 3, { name: 'Diary' }), named('c', { enableAfter: after('a', 0.5) })],
      [],
      ['enableAfter: “Diary” has no occurrence 0.5: they are counted from 0 to 2.'],
    ],
    [
      'after a submission before the first of an ad hoc stage',
      [named('a', { adHoc: true }), named('c', { enableAfter: after('a', -1) })],
      [],
      ['enableAfter: “Stage a” has no occurrence -1: they are counted from 0 to 0.'],
    ],
    [
      'at once after a stage that does not recur, by null',
      [
        named('a'),
        named('c', { enableAfter: { type: 'stage', stage: idOf('a'), stageRecurrence: null, delay: null } }),
      ],
      [],
      [],
    ],
    ['after the last occurrence', [every(1, 3), named('c', { enableAfter: after('a', 2) })], [], []],
    [
      'after the ninth submission of an ad hoc stage',
      [named('a', { adHoc: true }), named('c', { enableAfter: after('a', 8) })],
      [],
      [],
    ],
    [
      'after an anchor that does not exist',
      [named('c', { enableAfter: { type: 'anchor', anchor: idOf('b'), delay: 0 } })],
      [],
      ['enableAfter: The anchor it waits for does not exist.'],
    ],
    ['a delay of a century', [named('a'), named('c', { enableAfter: { ...after('a'), delay: -36_500 } })], [], []],
    [
      'a delay of a thousand years',
      [named('a'), named('c', { enableAfter: { ...after('a'), delay: 365_000 } })],
      [],
      ['enableAfter: The delay must be whole days, at most 36500.'],
    ],
    [
      'a schedule by an anchor that does not exist',
      [named('a', { isAnchored: true, anchorSchedule: schedule('b', 'f') })],
      [anAnchor('b')],
      ['anchorSchedule: Entry 1: the anchor does not exist.'],
    ],
    [
      'a schedule longer than the recurrence',
      [every(7, 14, { isAnchored: true, anchorSchedule: schedule('b', 'b', 'b') })],
      [anAnchor('b')],
      ['anchorSchedule: The schedule has 3 entries for 2 occurrences.'],
    ],
    [
      'a schedule shorter than the recurrence',
      [every(7, 14, { isAnchored: true, anchorSchedule: schedule('b') })],
      [anAnchor('b')],
      [],
    ],
    [
      'a longer schedule that is switched off',
      [every(7, 14, { anchorSchedule: schedule('b', 'b', 'b') })],
      [anAnchor('b')],
      [],
    ],
    [
      'the longest schedule, and one more',
      [named('a', { isAnchored: true, anchorSchedule: schedule(...Array(5001).fill('b')) })],
      [anAnchor('b')],
      ['anchorSchedule: The schedule has 5001 entries for 5000 occurrences.'],
    ],
    [
      'a schedule of an ad hoc stage',
      [every(7, 7, { adHoc: true, isAnchored: true, anchorSchedule: schedule('b', 'b') })],
      [anAnchor('b')],
      [],
    ],
    [
      'half a day',
      [named('a', { isAnchored: true, anchorSchedule: [{ anchor: idOf('b'), dayOffset: 0.5 }] })],
      [anAnchor('b')],
      ['anchorSchedule: Entry 0: dayOffset must be whole days, at most 36500.'],
    ],
    [
      'an anchor set by a stage that does not exist',
      [],
      [anAnchor('b', completes('a'))],
      ['assignmentRule: The stage it waits for does not exist.'],
    ],
    [
      'a stage after itself',
      [named('a', { enableAfter: after('a') })],
      [],
      ['enableAfter: These wait for each other in a circle: "Stage a" → "Stage a".'],
    ],
    [
      'two after each other',
      [named('a', { enableAfter: after('c') }), named('c', { enableAfter: after('a') })],
      [],
      ['enableAfter: These wait for each other in a circle: "Stage a" → "Stage c" → "Stage a".'],
    ],
    [
      'two after each other that do not recur, by null',
      ['a', 'c'].map((name, n) =>
        named(name, { enableAfter: { type: 'stage', stage: idOf(n ? 'a' : 'c'), stageRecurrence: null } }),
      ),
      [],
      ['enableAfter: These wait for each other in a circle: "Stage a" → "Stage c" → "Stage a".'],
    ],
    [
      'a circle that another stage leads into',
      [
        named('d', { enableAfter: after('a') }),
        named('a', { enableAfter: after('c') }),
        named('c', { enableAfter: after('a') }),
      ],
      [],
      ['enableAfter: These wait for each other in a circle: "Stage a" → "Stage c" → "Stage a".'],
    ],
    [
      'a circle through a later occurrence',
      [every(1, 3, { name: 'Diary %n', enableAfter: after('c') }), named('c', { enableAfter: after('a', 2) })],
      [],
      ['enableAfter: These wait for each other in a circle: "Stage c" → "Diary 3" → "Stage c".'],
    ],
    [
      'a circle through an anchor',
      [named('a', { enableAfter: { type: 'anchor', anchor: idOf('b'), delay: 0 } })],
      [anAnchor('b', completes('a'))],
      ['enableAfter: These wait for each other in a circle: "Stage a" → "Stage a".'],
    ],
    [
      'a schedule whose second visit waits for its first',
      [named('a', { isAnchored: true, anchorSchedule: schedule('b', 'e') })],
      [anAnchor('b'), anAnchor('e', completes('a', 0))],
      [],
    ],
    [
      'a schedule whose second visit waits for itself',
      [named('a', { isAnchored: true, anchorSchedule: schedule('b', 'e') })],
      [anAnchor('b'), anAnchor('e', completes('a', 1))],
      ['anchorSchedule: These wait for each other in a circle: "Stage a" → "Stage a".'],
    ],
    [
      'an ad hoc stage is always open, so it breaks a circle',
      [named('a', { adHoc: true, enableAfter: after('c') }), named('c', { enableAfter: after('a') })],
      [],
      [],
    ],
  ]
  test.each(cases)('%s', (_, stages, anchors, problems) => {
    expect(timelineProblems(stages, anchors).map(({ field, problem }) => `${field}: ${problem.text}`)).toEqual(problems)
  })

  test('what stages and anchors name cannot be deleted', () => {
    const stages = [
      named('a'),
      named('c', { enableAfter: after('a'), availableToGroups: [idOf('9')] }),
      named('d', { isAnchored: true, anchorSchedule: schedule('b', 'f'), availableToSites: [idOf('8')] }),
      named('7', { enableAfter: { type: 'anchor', anchor: idOf('6') } }),
    ]
    const anchors = [anAnchor('b', completes('a')), anAnchor('e')]
    const dependants = (name: string) => dependantsOf(idOf(name), stages, anchors)
    expect(dependants('a')).toEqual(['Stage c', 'Anchor b'])
    expect([dependants('b'), dependants('f'), dependants('6')]).toEqual([['Stage d'], ['Stage d'], ['Stage 7']])
    expect([dependants('9'), dependants('8')]).toEqual([['Stage c'], ['Stage d']])
    expect([dependants('e'), dependants('d')]).toEqual([[], []])
  })
})
