import { describe, expect, test } from 'bun:test'
import { dueAnchors, type Milestone } from '#design/schedule/anchors'
import {
  compileTimeline,
  occurrenceDescription,
  occurrenceId,
  occurrenceName,
  occurrencesOf,
  parseOccurrence,
  type TimelineStage,
} from '#design/schedule/rules'
import { anAnchor, every, schedule } from './timeline.rules.configuration.shared'
import { aStage, at, idOf } from './timeline.rules.sample'

describe('occurrences', () => {
  const counts: [string, TimelineStage, number][] = [
    ['a plain stage', aStage(), 1],
    ['every day for a week', every(1, 7), 7],
    ['every 3 days for 10', every(3, 10), 4],
    ['every 30 days for 10', every(30, 10), 1],
    ['every 21 days for 168', every(21, 168), 8],
    ['recurring, with no numbers yet', every(null, null), 1],
    ['recurring, without a frequency yet', every(null, 7), 1],
    ['recurring, without a duration yet', every(7, null, { isAnchored: true, anchorSchedule: schedule('b', 'c') }), 2],
    ['anchored three times', aStage({ isAnchored: true, anchorSchedule: schedule('b', 'c', 'b') }), 3],
    ['anchored once', aStage({ isAnchored: true, anchorSchedule: schedule('b') }), 1],
    ['not anchored, with a schedule', aStage({ anchorSchedule: schedule('b', 'c') }), 1],
    ['ad hoc, with any other settings', every(1, 7, { adHoc: true }), 1],
  ]
  test.each(counts)('%s', (_, stage, count) => {
    expect(occurrencesOf(stage)).toBe(count)
    expect(compileTimeline([stage]).stages[0]!.occurrences).toHaveLength(count)
  })

  const names: [string, TimelineStage, number, string][] = [
    ['counted from one', every(1, 7, { name: 'Day %n' }), 0, 'Day 1'],
    ['each %n is replaced', every(1, 7, { name: 'Day %n of %n' }), 6, 'Day 7 of 7'],
    ['by its own name', every(1, 7, { name: 'Day %n', recurrenceNames: ['Baseline', 'Dose'] }), 1, 'Dose'],
    ['past the last of its own names', every(1, 7, { name: 'Day %n', recurrenceNames: ['Baseline'] }), 1, 'Day 2'],
    ['an empty name does not count', every(1, 7, { name: 'Day %n', recurrenceNames: ['', 'Dose'] }), 0, 'Day 1'],
    ['not in a stage that does not recur', aStage({ name: '100 %new', recurrenceNames: ['Baseline'] }), 0, '100 %new'],
    ['anchored', aStage({ name: 'Visit %n', isAnchored: true, anchorSchedule: schedule('b', 'c') }), 1, 'Visit 2'],
  ]
  test.each(names)('%s', (_, stage, n, name) => expect(occurrenceName(stage, n)).toBe(name))

  test('have descriptions', () => {
    expect(occurrenceDescription(every(1, 7, { description: 'On day %n' }), 2)).toBe('On day 3')
    expect(occurrenceDescription(aStage({ description: 'At %n' }), 0)).toBe('At %n')
    expect(occurrenceDescription(aStage(), 0)).toBe('')
  })

  test('have ids that can be parsed', () => {
    expect(occurrenceId(every(1, 7), 3)).toBe(`${idOf('a')}::3`)
    expect(occurrenceId(every(30, 10), 0)).toBe(`${idOf('a')}::0`)
    expect(occurrenceId(aStage(), 0)).toBe(idOf('a'))
    expect(occurrenceId(aStage({ isAnchored: true, anchorSchedule: schedule('b') }), 0)).toBe(idOf('a'))
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
  ])('"%s" is not an id of an occurrence', (text) => expect(parseOccurrence(text)).toBeUndefined())
})

test('completions are awaited if one of the stages opens after another', () => {
  const after = aStage({ _id: idOf('c'), enableAfter: { type: 'stage', stage: idOf('a') } })
  const awaits = (...stages: TimelineStage[]) => compileTimeline(stages).awaitsCompletions
  expect([awaits(), awaits(aStage()), awaits(after), awaits(aStage(), after)]).toEqual([false, false, true, true])
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
    ['not if it has a date', { type: 'participant_login' }, ['2'], []],
    ['at a completion', completion('a', 0), [], ['3', '5']],
    ['at a later occurrence', completion('a', 2), [], ['4']],
    ['not at an occurrence that no anchor names', completion('a', 1), [], []],
    ['not at another stage', completion('c', 0), [], []],
    ['only the one that has no date yet', completion('a', 0), ['5', '1'], ['3']],
  ]
  test.each(cases)('%s', (_, milestone, set, due) => {
    const dates = new Map(set.map((name) => [idOf(name), at('2026-01-01T00:00Z')]))
    expect(dueAnchors(anchors, milestone, dates)).toEqual(due.map(idOf))
  })
})
