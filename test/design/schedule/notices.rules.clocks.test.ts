/** Notices about stages behind schedule in several time zones, and when the clocks change. */
import { anchored, morning, testNotices } from './notices.rules.shared'

testNotices([
  {
    name: 'the cut-off is by the clock of the zone',
    stage: { behindCutoffTime: '20:00' },
    now: '2026-03-01T10:00Z',
    input: { zone: 'America/New_York' },
    next: '2026-03-02T01:00Z',
  },
  {
    name: 'the clocks of the north go forward: the cut-off keeps its time of day',
    stage: { ...morning, behindCutoffTime: '12:00' },
    now: '2026-03-28T12:00Z',
    input: anchored('Europe/Berlin', '2026-03-28T12:00Z'),
    next: '2026-03-29T10:00Z',
  },
  {
    name: 'the clocks of the north go back',
    stage: { ...morning, behindCutoffTime: '12:00' },
    now: '2026-10-31T12:00Z',
    input: anchored('America/New_York', '2026-10-31T12:00Z'),
    next: '2026-11-01T17:00Z',
  },
  {
    name: 'the clocks of the south go back',
    stage: { ...morning, behindCutoffTime: '07:00' },
    now: '2026-04-03T06:00Z',
    input: anchored('Australia/Sydney', '2026-04-03T06:00Z'),
    next: '2026-04-04T21:00Z',
  },
  {
    name: 'the clocks of the south go forward',
    stage: { ...morning, behindCutoffTime: '07:00' },
    now: '2026-10-02T06:00Z',
    input: anchored('Australia/Sydney', '2026-10-02T06:00Z'),
    next: '2026-10-03T20:00Z',
  },
  {
    name: 'a cut-off that the clocks skip is later by the skipped time',
    stage: { ...morning, behindCutoffTime: '02:30' },
    now: '2026-03-27T12:00Z',
    input: anchored('Europe/Berlin', '2026-03-27T12:00Z'),
    next: '2026-03-29T01:30Z',
  },
  {
    name: 'a cut-off that the clocks repeat is the first of the two',
    stage: { ...morning, behindCutoffTime: '01:30' },
    now: '2026-10-30T12:00Z',
    input: anchored('America/New_York', '2026-10-30T12:00Z'),
    next: '2026-11-01T05:30Z',
  },
  {
    name: 'a cut-off that half an hour’s shift repeats',
    stage: { ...morning, behindCutoffTime: '01:45' },
    now: '2026-04-03T06:00Z',
    input: anchored('Australia/Lord_Howe', '2026-04-03T06:00Z'),
    next: '2026-04-04T14:45Z',
  },
  {
    name: 'a day of no cut-off is 24 hours, also when the clocks change',
    stage: { ...morning },
    now: '2026-03-28T12:00Z',
    input: anchored('Europe/Berlin', '2026-03-27T12:00Z'),
    next: '2026-03-29T07:00Z',
  },
])
