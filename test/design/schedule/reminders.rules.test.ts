import { expect, test } from 'bun:test'
import { compileTimeline, type TimelineInput, type TimelineStage } from '#design/schedule/rules'
import { a, hours } from './reminders.rules.shared'
import { anInput, aStage, at, daily, idOf, reminded, short } from './timeline.rules.sample'

/** A case for a stage that opens at 10:00 on 1 March 2026. */
type Case = {
  name: string
  stage: Partial<TimelineStage>
  now: string
  input?: Partial<TimelineInput>
  sent?: string[]
  due?: string[]
  next?: string
}

const cases: Case[] = [
  { name: 'none are set', stage: {}, now: '2026-03-01T12:00Z' },
  {
    name: 'before the hour',
    stage: { reminders: hours(3) },
    now: '2026-03-01T12:59:59Z',
    next: '2026-03-01T13:00Z',
  },
  { name: 'at the hour', stage: { reminders: hours(3) }, now: '2026-03-01T13:00Z', due: ['0 3'] },
  { name: 'at the opening', stage: { reminders: hours(0) }, now: '2026-03-01T10:00Z', due: ['0 0'] },
  {
    name: 'the first was sent, the next is not due yet',
    stage: { reminders: hours(24, 3) },
    now: '2026-03-01T14:00Z',
    sent: [`${a}::0 3`],
    next: '2026-03-02T10:00Z',
  },
  { name: 'of several only the last', stage: { reminders: hours(1, 2, 3) }, now: '2026-03-01T20:00Z', due: ['0 3'] },
  {
    name: 'the last was sent, an earlier one was not',
    stage: { reminders: hours(1, 2) },
    now: '2026-03-01T20:00Z',
    sent: [`${a}::0 2`],
  },
  { name: 'almost a day late', stage: { reminders: hours(3) }, now: '2026-03-02T12:59:59Z', due: ['0 3'] },
  {
    name: 'due before the registration, for an opening that morning',
    stage: { reminders: hours(9, 20), enableAtTime: '00:00:00' },
    now: '2026-03-01T10:00Z',
    next: '2026-03-01T20:00Z',
  },
  {
    name: 'due at the time of registration',
    stage: { reminders: hours(10), enableAtTime: '00:00:00' },
    now: '2026-03-01T10:00Z',
    due: ['0 10'],
  },
  { name: 'a day late', stage: { reminders: hours(3) }, now: '2026-03-02T13:00Z' },
  {
    name: 'the first is too late, the second is still due',
    stage: { reminders: hours(3, 72) },
    now: '2026-03-03T00:00Z',
    next: '2026-03-04T10:00Z',
  },
  {
    name: 'completed',
    stage: { reminders: hours(3, 30) },
    now: '2026-03-01T14:00Z',
    input: { completions: new Map([[`${a}::0`, at('2026-03-01T11:00Z')]]) },
  },
  {
    name: 'just before the window ends',
    stage: { reminders: hours(3), availabilityWindowHours: 6 },
    now: '2026-03-01T15:59:59Z',
    due: ['0 3'],
  },
  { name: 'expired', stage: { reminders: hours(3, 9), availabilityWindowHours: 6 }, now: '2026-03-01T16:00Z' },
  {
    name: 'none at or after the end of the window',
    stage: { reminders: hours(3, 6, 9), availabilityWindowHours: 6 },
    now: '2026-03-01T10:00Z',
    next: '2026-03-01T13:00Z',
  },
  {
    name: 'only one at the end of the window',
    stage: { reminders: hours(6), availabilityWindowHours: 6 },
    now: '2026-03-01T10:00Z',
  },
  { name: 'switched off', stage: { reminders: hours(3), enabled: false }, now: '2026-03-01T13:00Z' },
  { name: 'ad hoc', stage: { reminders: hours(3), adHoc: true }, now: '2026-03-01T13:00Z' },
  { name: 'a poll', stage: { reminders: hours(3), isPoll: true }, now: '2026-03-01T13:00Z' },
  { name: 'of another site', stage: { reminders: hours(3), availableToSites: [idOf('51')] }, now: '2026-03-01T13:00Z' },
  {
    name: 'of another group',
    stage: { reminders: hours(3), availableToGroups: [idOf('51')] },
    now: '2026-03-01T13:00Z',
  },
  {
    name: 'of the participant’s group',
    stage: { reminders: hours(3), availableToGroups: [idOf('51')] },
    now: '2026-03-01T13:00Z',
    input: { groups: [idOf('51')] },
    due: ['0 3'],
  },
  {
    name: 'it waits for something',
    stage: { reminders: hours(3), enableAfter: { type: 'anchor', anchor: idOf('e') } },
    now: '2026-03-01T13:00Z',
  },
  {
    name: 'moved for this participant',
    stage: { reminders: hours(3) },
    now: '2026-03-01T13:00Z',
    input: {
      overrides: [{ stage: a, stageRecurrence: 0, enableAt: at('2026-03-08T00:00Z'), applyToAllRecurrences: false }],
    },
    next: '2026-03-08T03:00Z',
  },
  {
    name: 'moved after it was sent: not sent again',
    stage: { reminders: hours(3) },
    now: '2026-03-08T04:00Z',
    sent: [`${a}::0 3`],
    input: {
      overrides: [{ stage: a, stageRecurrence: 0, enableAt: at('2026-03-08T00:00Z'), applyToAllRecurrences: false }],
    },
  },
  {
    name: 'each occurrence has its own',
    stage: daily(3, { reminders: hours(2, 25) }),
    now: '2026-03-02T12:00Z',
    due: ['0 25', '1 2'],
    next: '2026-03-03T11:00Z',
  },
  {
    name: 'the opening follows the zone, hours are real ones: the clocks go forward',
    stage: { reminders: hours(24), enableAtTime: '08:00:00' },
    now: '2026-03-28T12:00Z',
    input: { zone: 'Europe/Berlin', registeredAt: at('2026-03-28T12:00Z') },
    next: '2026-03-29T07:00Z',
  },
  {
    name: 'the clocks go forward before the opening',
    stage: {
      reminders: hours(1),
      enableAtTime: '08:00:00',
      enableAfter: { type: 'anchor', anchor: idOf('e'), delay: 1 },
    },
    now: '2026-03-28T12:00Z',
    input: { zone: 'Europe/Berlin', anchors: new Map([[idOf('e'), at('2026-03-28T12:00Z')]]) },
    next: '2026-03-29T07:00Z',
  },
  {
    name: 'the clocks go back before the opening',
    stage: {
      reminders: hours(1),
      enableAtTime: '08:00:00',
      enableAfter: { type: 'anchor', anchor: idOf('e'), delay: 1 },
    },
    now: '2026-10-31T12:00Z',
    input: { zone: 'America/New_York', anchors: new Map([[idOf('e'), at('2026-10-31T12:00Z')]]) },
    next: '2026-11-01T14:00Z',
  },
  {
    name: 'the clocks of the south go back before the opening',
    stage: {
      reminders: hours(1),
      enableAtTime: '08:00:00',
      enableAfter: { type: 'anchor', anchor: idOf('e'), delay: 1 },
    },
    now: '2026-04-04T06:00Z',
    input: { zone: 'Australia/Sydney', anchors: new Map([[idOf('e'), at('2026-04-04T06:00Z')]]) },
    next: '2026-04-04T23:00Z',
  },
  {
    name: 'the clocks of the south go forward between the opening and the hour',
    stage: { reminders: hours(24), enableAtTime: '08:00:00' },
    now: '2026-10-03T06:00Z',
    input: { zone: 'Australia/Sydney', registeredAt: at('2026-10-03T06:00Z') },
    next: '2026-10-03T22:00Z',
  },
  {
    name: 'the opening is in an hour that the clocks skip',
    stage: {
      reminders: hours(1),
      enableAtTime: '02:30:00',
      enableAfter: { type: 'anchor', anchor: idOf('e'), delay: 1 },
    },
    now: '2026-03-28T12:00Z',
    input: { zone: 'Europe/Berlin', anchors: new Map([[idOf('e'), at('2026-03-28T12:00Z')]]) },
    next: '2026-03-29T02:30Z',
  },
]

test.each(cases.map((each) => [each.name, each] as const))(
  '%s',
  (_, { stage, now, input, sent = [], due = [], next }) => {
    const reminders = reminded(compileTimeline([aStage(stage)]), anInput({ now: at(now), ...input }), new Set(sent))
    expect(reminders.due.map(({ stageRecurrence, occasion }) => `${stageRecurrence} ${occasion}`)).toEqual(due)
    expect(short(reminders.nextAt)).toBe(next ?? '-')
  },
)

test.each([
  ['for a day', null, '2026-03-02T13:00Z'],
  ['until the window ends', 6, '2026-03-01T16:00Z'],
  ['for a day, although the window ends later', 72, '2026-03-02T13:00Z'],
])('a reminder is sent %s', (_, availabilityWindowHours, until) => {
  const timeline = compileTimeline([aStage({ reminders: hours(3), availabilityWindowHours })])
  const { due } = reminded(timeline, anInput({ now: at('2026-03-01T13:00Z') }), new Set())
  expect(due.map((reminder) => short(reminder.until))).toEqual([until])
})
