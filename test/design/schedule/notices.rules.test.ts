/** Which notices about stages behind schedule are due, and when the next one is. */
import { expect, test } from 'bun:test'
import { noticeText } from '#design/schedule/reminders'
import { compileTimeline } from '#design/schedule/rules'
import { writerFor } from '#texts/writer'
import { a, hours, morning, moved, testNotices } from './notices.rules.shared'
import { anInput, aStage, at, daily, idOf, reminded } from './timeline.rules.sample'

testNotices([
  {
    name: 'no cut-off, no window: a day after the opening',
    stage: {},
    now: '2026-03-01T12:00Z',
    next: '2026-03-02T10:00Z',
  },
  { name: 'just before', stage: {}, now: '2026-03-02T09:59:59Z', next: '2026-03-02T10:00Z' },
  { name: 'at the very moment', stage: {}, now: '2026-03-02T10:00Z', due: ['0 behind'] },
  { name: 'almost a day late', stage: {}, now: '2026-03-03T09:59:59Z', due: ['0 behind'] },
  { name: 'a day late', stage: {}, now: '2026-03-03T10:00Z' },
  { name: 'already sent', stage: {}, now: '2026-03-02T10:00Z', sent: [`${a}::0 behind`] },
  {
    name: 'a cut-off later the same day',
    stage: { behindCutoffTime: '20:00' },
    now: '2026-03-01T12:00Z',
    next: '2026-03-01T20:00Z',
  },
  {
    name: 'a cut-off earlier the same day: the next day’s',
    stage: { behindCutoffTime: '09:00:00' },
    now: '2026-03-01T12:00Z',
    next: '2026-03-02T09:00Z',
  },
  {
    name: 'a cut-off at the opening: the next day’s',
    stage: { behindCutoffTime: '10:00' },
    now: '2026-03-01T10:00Z',
    next: '2026-03-02T10:00Z',
  },
  {
    name: 'at the cut-off',
    stage: { behindCutoffTime: '20:00' },
    now: '2026-03-01T20:00Z',
    due: ['0 behind'],
  },
  {
    name: 'a cut-off within the window',
    stage: { behindCutoffTime: '20:00', availabilityWindowHours: 48 },
    now: '2026-03-01T20:00Z',
    due: ['0 behind'],
  },
  {
    name: 'a cut-off within the window, just before that ends',
    stage: { behindCutoffTime: '20:00', availabilityWindowHours: 12 },
    now: '2026-03-01T21:59:59Z',
    due: ['0 behind'],
  },
  {
    name: 'a cut-off within the window, which has ended',
    stage: { behindCutoffTime: '20:00', availabilityWindowHours: 12 },
    now: '2026-03-01T22:00Z',
  },
  {
    name: 'a cut-off at the end of the window',
    stage: { behindCutoffTime: '20:00', availabilityWindowHours: 10 },
    now: '2026-03-01T12:00Z',
  },
  {
    name: 'a cut-off after the end of the window',
    stage: { behindCutoffTime: '20:00', availabilityWindowHours: 6 },
    now: '2026-03-01T12:00Z',
  },
  { name: 'the end of the window is the cut-off', stage: { availabilityWindowHours: 6 }, now: '2026-03-01T12:00Z' },
  { name: 'the window has ended', stage: { availabilityWindowHours: 6 }, now: '2026-03-01T16:00Z' },
  { name: 'exempt', stage: { exemptFromBehindStatus: true, behindCutoffTime: '20:00' }, now: '2026-03-01T20:00Z' },
  {
    name: 'exempt, with a reminder',
    stage: { exemptFromBehindStatus: true, reminders: hours(3) },
    now: '2026-03-01T12:00Z',
    next: '2026-03-01T13:00Z',
  },
  {
    name: 'completed in time',
    stage: {},
    now: '2026-03-02T10:00Z',
    input: { completions: new Map([[`${a}::0`, at('2026-03-01T11:00Z')]]) },
  },
  { name: 'switched off', stage: { enabled: false }, now: '2026-03-02T10:00Z' },
  { name: 'ad hoc', stage: { adHoc: true }, now: '2026-03-02T10:00Z' },
  { name: 'a poll', stage: { isPoll: true }, now: '2026-03-02T10:00Z' },
  { name: 'of another site', stage: { availableToSites: [idOf('51')] }, now: '2026-03-02T10:00Z' },
  { name: 'of another group', stage: { availableToGroups: [idOf('51')] }, now: '2026-03-02T10:00Z' },
  {
    name: 'of the participant’s group',
    stage: { availableToGroups: [idOf('51')] },
    now: '2026-03-02T10:00Z',
    input: { groups: [idOf('51')] },
    due: ['0 behind'],
  },
  { name: 'a waiting stage', stage: morning, now: '2026-03-02T10:00Z' },
  {
    name: 'moved to later',
    stage: {},
    now: '2026-03-02T10:00Z',
    input: moved('2026-03-08T00:00Z'),
    next: '2026-03-09T00:00Z',
  },
  {
    name: 'moved to later after it was sent: not sent again',
    stage: {},
    now: '2026-03-09T00:00Z',
    sent: [`${a}::0 behind`],
    input: moved('2026-03-08T00:00Z'),
  },
  {
    name: 'the cut-off passed before the registration',
    stage: { enableAtTime: '06:00', behindCutoffTime: '09:00' },
    now: '2026-03-01T10:00Z',
  },
  {
    name: 'the cut-off is the moment of the registration',
    stage: { enableAtTime: '06:00', behindCutoffTime: '10:00' },
    now: '2026-03-01T10:00Z',
  },
  {
    name: 'the opening is before the registration, the cut-off after',
    stage: { enableAtTime: '06:00', behindCutoffTime: '11:00' },
    now: '2026-03-01T10:00Z',
    next: '2026-03-01T11:00Z',
  },
  {
    name: 'each occurrence has its own, and only recent ones are sent',
    stage: daily(10),
    now: '2026-03-05T12:00Z',
    due: ['3 behind'],
    next: '2026-03-06T10:00Z',
  },
  {
    name: 'after a pause, nothing earlier than the last one sent',
    stage: daily(10),
    now: '2026-03-05T09:00Z',
    sent: [`${a}::2 behind`],
    next: '2026-03-05T10:00Z',
  },
  {
    name: 'together with the last of several reminders',
    stage: { reminders: hours(3, 24, 30) },
    now: '2026-03-02T11:00Z',
    due: ['0 24', '0 behind'],
    next: '2026-03-02T16:00Z',
  },
  {
    name: 'the notice is next, and the reminder after it',
    stage: { reminders: hours(30) },
    now: '2026-03-01T12:00Z',
    next: '2026-03-02T10:00Z',
  },
])

test('a trial without notices has none', () => {
  const compiled = compileTimeline([aStage({ behindCutoffTime: '20:00' })])
  expect(reminded(compiled, anInput({ now: at('2026-03-01T20:00Z') }), new Set())).toEqual({ due: [], nextAt: null })
})

test.each([
  [['Diary day 3'], '“Diary day 3” is waiting for your answers.'],
  [['Diary', 'Diary'], '“Diary” is waiting for your answers.'],
  [['Diary', 'Sleep'], '“Diary” and “Sleep” are waiting for your answers.'],
  [['A', 'B', 'C'], '“A”, “B” and “C” are waiting for your answers.'],
  [['A', 'B', 'C', 'D', 'E', 'F'], '“A”, “B”, “C”, “D”, “E” and “F” are waiting for your answers.'],
  [['A', 'B', 'C', 'D', 'E', 'F', 'G'], '“A”, “B”, “C”, “D”, “E” and 2 more are waiting for your answers.'],
])('the notice of %j is a sentence', (names, sentence) => {
  expect<string>(noticeText(writerFor('en'), names)).toBe(sentence)
})
