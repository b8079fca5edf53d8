import { describe, expect, test } from 'bun:test'
import { dueAnchors, type Milestone, type TimelineAnchor } from '#design/schedule/anchors'
import { dependantsOf, timelineProblems } from '#design/schedule/problems'
import {
  compileTimeline,
  type EnableAfter,
  occurrenceDescription,
  occurrenceId,
  occurrenceName,
  occurrencesOf,
  parseOccurrence,
  type TimelineStage,
} from '#design/schedule/rules'
import { aStage, at, idOf } from './timeline.rules.sample'

const every = (
  recurringFrequency: number | null,
  recurringDuration: number | null,
  rest: Partial<TimelineStage> = {},
) => aStage({ isRecurring: true, recurringFrequency, recurringDuration, ...rest })
const schedule = (...names: string[]) => names.map((name) => ({ anchor: idOf(name), dayOffset: 0 }))
const after = (name: string, stageRecurrence = 0): EnableAfter => ({
  type: 'stage',
  stage: idOf(name),
  stageRecurrence,
  delay: 1,
})
const anAnchor = (name: string, assignmentRule: TimelineAnchor['assignmentRule'] = { type: 'manual' }) =>
  ({ _id: idOf(name), name: `Anchor ${name}`, assignmentRule }) as const

describe('occurrences', () => {
  const counts: [string, TimelineStage, number][] = [
    ['a plain stage', aStage(), 1],
    ['every day for a week', every(1, 7), 7],
    ['every 3 days for 10', every(3, 10), 4],
    ['every 30 days for 10', every(30, 10), 1],
    ['every 21 days for 168', every(21, 168), 8],
    ['recurring, with no numbers yet', every(null, null), 1],
    ['anchored three times', aStage({ isAnchored: true, anchorSchedule: schedule('b', 'c', 'b') }), 3],
    ['anchored once', aStage({ isAnchored: true, anchorSchedule: schedule('b') }), 1],
    ['not anchored, with a schedule', aStage({ anchorSchedule: schedule('b', 'c') }), 1],
    ['ad hoc, whatever else', every(1, 7, { adHoc: true }), 1],
  ]
  test.each(counts)('%s', (_, stage, count) => {
    expect(occurrencesOf(stage)).toBe(count)
    expect(compileTimeline([stage]).stages[0]!.occurrences).toHaveLength(count)
  })

  const names: [string, TimelineStage, number, string][] = [
    ['counted from one', every(1, 7, { name: 'Day %n' }), 0, 'Day 1'],
    ['each time it stands', every(1, 7, { name: 'Day %n of %n' }), 6, 'Day 7 of 7'],
    ['by its own name', every(1, 7, { name: 'Day %n', recurrenceNames: ['Baseline', 'Dose'] }), 1, 'Dose'],
    ['past the last of its own names', every(1, 7, { name: 'Day %n', recurrenceNames: ['Baseline'] }), 1, 'Day 2'],
    ['an empty name is none', every(1, 7, { name: 'Day %n', recurrenceNames: ['', 'Dose'] }), 0, 'Day 1'],
    ['not where nothing recurs', aStage({ name: '100 %new', recurrenceNames: ['Baseline'] }), 0, '100 %new'],
    ['anchored', aStage({ name: 'Visit %n', isAnchored: true, anchorSchedule: schedule('b', 'c') }), 1, 'Visit 2'],
  ]
  test.each(names)('%s', (_, stage, n, name) => expect(occurrenceName(stage, n)).toBe(name))

  test('descriptions too', () => {
    expect(occurrenceDescription(every(1, 7, { description: 'On day %n' }), 2)).toBe('On day 3')
    expect(occurrenceDescription(aStage({ description: 'At %n' }), 0)).toBe('At %n')
    expect(occurrenceDescription(aStage(), 0)).toBe('')
  })

  test('their ids are read back', () => {
    expect(occurrenceId(every(1, 7), 3)).toBe(`${idOf('a')}::3`)
    expect(occurrenceId(every(30, 10), 0)).toBe(`${idOf('a')}::0`)
    expect(occurrenceId(aStage(), 0)).toBe(idOf('a'))
    expect(occurrenceId(every(1, 7, { adHoc: true }), 0)).toBe(idOf('a'))
    expect(parseOccurrence(`${idOf('a')}::12`)).toEqual({ stageId: idOf('a'), n: 12 })
    expect(parseOccurrence(idOf('a'))).toEqual({ stageId: idOf('a'), n: undefined })
  })

  test.each([
    '',
    'a',
    `${idOf('a')}::`,
    `${idOf('a')}::-1`,
    `${idOf('a')}::01`,
    `${idOf('a')}::1.5`,
    `${idOf('a')}:1`,
    `${idOf('A')}`,
    `${idOf('a')}::1\n`,
    `${idOf('a')}::99999999999`,
  ])('"%s" is none', (text) => expect(parseOccurrence(text)).toBeUndefined())
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
    ['recurring every 0 days', [every(0, 7)], [], ['recurringFrequency: A recurring stage needs a number of days.']],
    ['ad hoc, where recurrence does not matter', [every(null, null, { adHoc: true })], [], []],
    ['the most occurrences', [every(1, 5000)], [], []],
    [
      'too many occurrences',
      [every(1, 5001)],
      [],
      ['recurringDuration: The stage would occur 5001 times; at most 5000 are possible.'],
    ],
    ['further than a century', [every(36_500, 36_501)], [], ['recurringDuration: Must be at most 36500 days.']],
    [
      'after a stage that is gone',
      [named('c', { enableAfter: after('a') })],
      [],
      ['enableAfter: The stage it waits for does not exist.'],
    ],
    [
      'after an occurrence beyond the last',
      [every(1, 3, { name: 'Diary' }), named('c', { enableAfter: after('a', 3) })],
      [],
      ['enableAfter: "Diary" has no occurrence 3: they are counted from 0 to 2.'],
    ],
    ['after the last occurrence', [every(1, 3), named('c', { enableAfter: after('a', 2) })], [], []],
    [
      'after the ninth submission of an ad hoc stage',
      [named('a', { adHoc: true }), named('c', { enableAfter: after('a', 8) })],
      [],
      [],
    ],
    [
      'after an anchor that is gone',
      [named('c', { enableAfter: { type: 'anchor', anchor: idOf('b'), delay: 0 } })],
      [],
      ['enableAfter: The anchor it waits for does not exist.'],
    ],
    [
      'a delay of a thousand years',
      [named('a'), named('c', { enableAfter: { ...after('a'), delay: 365_000 } })],
      [],
      ['enableAfter: The delay must be whole days, at most 36500.'],
    ],
    [
      'a schedule by an anchor that is gone',
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
      'an anchor set by a stage that is gone',
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
    expect(timelineProblems(stages, anchors).map(({ field, problem }) => `${field}: ${problem}`)).toEqual(problems)
  })

  test('what others name cannot be deleted', () => {
    const stages = [
      named('a'),
      named('c', { enableAfter: after('a'), availableToGroups: [idOf('9')] }),
      named('d', { isAnchored: true, anchorSchedule: schedule('b'), availableToSites: [idOf('8')] }),
    ]
    const anchors = [anAnchor('b', completes('a')), anAnchor('e')]
    const dependants = (name: string) => dependantsOf(idOf(name), stages, anchors)
    expect(dependants('a')).toEqual(['Stage c', 'Anchor b'])
    expect(dependants('b')).toEqual(['Stage d'])
    expect([dependants('9'), dependants('8')]).toEqual([['Stage c'], ['Stage d']])
    expect([dependants('e'), dependants('d')]).toEqual([[], []])
  })
})

describe('anchors that are due', () => {
  const anchors = [
    anAnchor('1'),
    anAnchor('2', { type: 'participant_login' }),
    anAnchor('3', { type: 'stage_completion', stageId: idOf('a'), stageRecurrence: 0 }),
    anAnchor('4', { type: 'stage_completion', stageId: idOf('a'), stageRecurrence: 2 }),
    anAnchor('5', { type: 'stage_completion', stageId: idOf('a'), stageRecurrence: null }),
  ]
  const completion = (name: string, stageRecurrence: number): Milestone => ({
    type: 'stage_completion',
    stageId: idOf(name),
    stageRecurrence,
  })
  const cases: [string, Milestone, string[], string[]][] = [
    ['at the first sign-in', { type: 'participant_login' }, [], ['2']],
    ['not where it is set', { type: 'participant_login' }, ['2'], []],
    ['at a completion', completion('a', 0), [], ['3', '5']],
    ['at a later occurrence', completion('a', 2), [], ['4']],
    ['not at an occurrence that none names', completion('a', 1), [], []],
    ['not at another stage', completion('c', 0), [], []],
    ['only the one that has no date yet', completion('a', 0), ['5', '1'], ['3']],
  ]
  test.each(cases)('%s', (_, milestone, set, due) => {
    const dates = new Map(set.map((name) => [idOf(name), at('2026-01-01T00:00Z')]))
    expect(dueAnchors(anchors, milestone, dates)).toEqual(due.map(idOf))
  })
})
