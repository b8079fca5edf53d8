import { describe, expect, test } from 'bun:test'
import { Timeline } from '#conduct/timeline/model'
import {
  compileTimeline,
  type Entry,
  openingOf,
  type Progress,
  progressOf,
  type StageOverride,
  type TimelineInput,
  type TimelineStage,
  timelineOf,
} from '#design/schedule/rules'
import { HOUR } from '#kernel/time'
import { checker } from '#wire/check'
import { projector } from '#wire/project'
import { anInput, aStage, at, daily, idOf, short } from './timeline.rules.sample'
import table from './timeline.rules.table.txt' with { type: 'text' }

const entriesOf = (stages: TimelineStage[], input: TimelineInput) => timelineOf(compileTimeline(stages), input)
const opensOf = (entries: Entry[]) => entries.map(({ enableAt }) => short(enableAt))

const momentsOf = (json: string | undefined) =>
  new Map(Object.entries(JSON.parse(json ?? '{}') as Record<string, string>).map(([key, text]) => [key, at(text)]))

describe('the table of protocols', () => {
  const [, ...blocks] = table.split('\n# ')
  test('is read whole', () => expect(blocks).toHaveLength(182))

  for (const block of blocks) {
    const [of, ...lines] = block.trimEnd().split('\n')
    const rows = lines.filter((line) => line.startsWith(' ')).map((line) => line.trim().split(/ +/))
    const told = new Map(
      lines.filter((line) => !line.startsWith(' ')).map((line) => line.split(/ (.*)/) as [string, string]),
    )
    const stage = aStage(JSON.parse(told.get('stage')!))
    const input = anInput({
      zone: told.get('zone')!,
      registeredAt: at(told.get('registered')!),
      anchors: momentsOf(told.get('anchors')),
      completions: momentsOf(told.get('completions')),
    })
    const compiled = compileTimeline([stage])

    test(`${of}, ${input.zone}`, () => {
      const entries = timelineOf(compiled, input).sort((a, b) => a.stageRecurrence! - b.stageRecurrence!)
      const seen = entries.map((entry) => [short(entry.enableAt), short(entry.expiresAt)])
      expect(seen).toEqual(rows.map(([, opens, closes]) => [opens!, closes!]))
      for (const [n, , , behind] of rows) {
        const behindAt = (now: number) =>
          timelineOf(compiled, { ...input, now }).find((entry) => entry.stageRecurrence === Number(n))!.behind
        expect([n, behindAt(at(behind!) - 1), behindAt(at(behind!))]).toEqual([n, false, true])
      }
    })
  }
})

describe('what an occurrence waits for', () => {
  const baseline = idOf('b')
  const afterScreening = { type: 'stage', stage: idOf('5c'), stageRecurrence: 0, delay: 2 } as const
  const completed = new Map([[`${idOf('5c')}::0`, at('2026-03-03T09:00Z')]])
  const anchored = new Map([[baseline, at('2026-03-10T09:00Z')]])
  const cases: [string, Partial<TimelineStage>, Partial<TimelineInput>, string[]][] = [
    ['nothing but registration', {}, {}, ['2026-03-01T10:00Z']],
    ['registration, at a time already past that day', { enableAtTime: '06:00' }, {}, ['2026-03-01T06:00Z']],
    ['a stage not completed', { enableAfter: afterScreening }, {}, ['-']],
    ['a stage completed', { enableAfter: afterScreening }, { completions: completed }, ['2026-03-05T09:00Z']],
    [
      'another occurrence than the one completed',
      { enableAfter: { ...afterScreening, stageRecurrence: 1 } },
      { completions: completed },
      ['-'],
    ],
    [
      'a stage completed, with no delay',
      { enableAfter: { ...afterScreening, delay: 0 } },
      { completions: completed },
      ['2026-03-03T09:00Z'],
    ],
    ['an anchor not set', { enableAfter: { type: 'anchor', anchor: baseline, delay: 1 } }, {}, ['-']],
    [
      'an anchor set',
      { enableAfter: { type: 'anchor', anchor: baseline, delay: 1 } },
      { anchors: anchored },
      ['2026-03-11T09:00Z'],
    ],
    [
      'days before an anchor',
      { enableAfter: { type: 'anchor', anchor: baseline, delay: -9 } },
      { anchors: anchored },
      ['2026-03-01T09:00Z'],
    ],
    [
      'a schedule, rather than enableAfter',
      { isAnchored: true, anchorSchedule: [{ anchor: baseline, dayOffset: 0 }], enableAfter: afterScreening },
      { anchors: anchored, completions: completed },
      ['2026-03-10T09:00Z'],
    ],
    [
      'a schedule that is switched off',
      { isAnchored: false, anchorSchedule: [{ anchor: baseline, dayOffset: 0 }] },
      { anchors: anchored },
      ['2026-03-01T10:00Z'],
    ],
    ['a schedule still to be written', { isAnchored: true, anchorSchedule: [] }, {}, ['-']],
    [
      'one anchor of two',
      {
        isAnchored: true,
        anchorSchedule: [
          { anchor: idOf('c'), dayOffset: 0 },
          { anchor: baseline, dayOffset: 7 },
        ],
      },
      { anchors: anchored },
      ['2026-03-17T09:00Z', '-'],
    ],
    [
      'a schedule that recurrence goes beyond',
      {
        isAnchored: true,
        isRecurring: true,
        recurringFrequency: 7,
        recurringDuration: 28,
        anchorSchedule: [
          { anchor: baseline, dayOffset: 0 },
          { anchor: baseline, dayOffset: 2 },
        ],
      },
      { anchors: anchored },
      ['2026-03-10T09:00Z', '2026-03-12T09:00Z', '2026-03-19T09:00Z', '2026-03-26T09:00Z'],
    ],
    ['nothing, being ad hoc', { adHoc: true, enableAfter: afterScreening }, {}, ['-']],
  ]
  test.each(cases)('%s', (_, stage, input, opens) => {
    expect(opensOf(entriesOf([aStage(stage)], anInput(input)))).toEqual(opens)
  })

  test('the second of two repeated hours stays itself on the day of registration', () => {
    // 01:30 in London happens at 00:30Z and again at 01:30Z.
    const input = anInput({ zone: 'Europe/London', registeredAt: at('2026-10-25T01:30Z') })
    expect(opensOf(entriesOf([daily(2)], input))).toEqual(['2026-10-25T01:30Z', '2026-10-26T01:30Z'])
  })
})

describe('overrides', () => {
  const moved = (stageRecurrence: number | null, enableAt: string, applyToAllRecurrences = false): StageOverride => ({
    stage: idOf('a'),
    stageRecurrence,
    enableAt: at(enableAt),
    applyToAllRecurrences,
  })
  const diary = daily(4, { enableAtTime: '08:00' })
  const waiting = daily(3, { enableAfter: { type: 'anchor', anchor: idOf('b'), delay: 0 }, enableAtTime: '08:00' })
  const visits = aStage({
    isAnchored: true,
    enableAtTime: '00:00',
    anchorSchedule: [-3, 25, 53].map((dayOffset) => ({ anchor: idOf('b'), dayOffset })),
  })
  const firstDose = new Map([[idOf('b'), at('2026-03-10T14:00Z')]])
  const cases: [string, TimelineStage, Partial<TimelineInput>, string[]][] = [
    [
      'one occurrence',
      diary,
      { overrides: [moved(1, '2026-03-02T18:00Z')] },
      ['2026-03-01T08:00Z', '2026-03-02T18:00Z', '2026-03-03T08:00Z', '2026-03-04T08:00Z'],
    ],
    [
      'one into the past',
      diary,
      { overrides: [moved(2, '2025-12-24T00:00Z')] },
      ['2025-12-24T00:00Z', '2026-03-01T08:00Z', '2026-03-02T08:00Z', '2026-03-04T08:00Z'],
    ],
    [
      'all, from the first',
      diary,
      { overrides: [moved(0, '2026-03-08T10:30Z', true)] },
      ['2026-03-08T10:30Z', '2026-03-09T10:30Z', '2026-03-10T10:30Z', '2026-03-11T10:30Z'],
    ],
    [
      'all, from the third: earlier ones stay',
      diary,
      { overrides: [moved(2, '2026-03-13T08:00Z', true)] },
      ['2026-03-01T08:00Z', '2026-03-02T08:00Z', '2026-03-13T08:00Z', '2026-03-14T08:00Z'],
    ],
    [
      'all, and one of them again',
      diary,
      { overrides: [moved(0, '2026-03-08T08:00Z', true), moved(2, '2026-03-20T08:00Z')] },
      ['2026-03-08T08:00Z', '2026-03-09T08:00Z', '2026-03-11T08:00Z', '2026-03-20T08:00Z'],
    ],
    [
      'all, twice: the nearer counts',
      diary,
      { overrides: [moved(2, '2026-03-20T08:00Z', true), moved(0, '2026-03-08T08:00Z', true)] },
      ['2026-03-08T08:00Z', '2026-03-09T08:00Z', '2026-03-20T08:00Z', '2026-03-21T08:00Z'],
    ],
    [
      'all, over a change of the clocks',
      diary,
      { zone: 'Europe/London', overrides: [moved(0, '2026-03-27T09:00Z', true)] },
      ['2026-03-27T09:00Z', '2026-03-28T09:00Z', '2026-03-29T08:00Z', '2026-03-30T08:00Z'],
    ],
    [
      'of another stage',
      diary,
      { overrides: [{ ...moved(0, '2026-04-01T08:00Z', true), stage: idOf('d') }] },
      ['2026-03-01T08:00Z', '2026-03-02T08:00Z', '2026-03-03T08:00Z', '2026-03-04T08:00Z'],
    ],
    ['one of what waits', waiting, { overrides: [moved(1, '2026-03-05T06:00Z')] }, ['2026-03-05T06:00Z', '-', '-']],
    [
      'all of what waits',
      waiting,
      { overrides: [moved(0, '2026-03-05T06:00Z', true)] },
      ['2026-03-05T06:00Z', '2026-03-06T06:00Z', '2026-03-07T06:00Z'],
    ],
    [
      'all of what waited: nothing moves when its anchor comes',
      waiting,
      { anchors: firstDose, overrides: [moved(0, '2026-03-05T06:00Z', true)] },
      ['2026-03-05T06:00Z', '2026-03-06T06:00Z', '2026-03-07T06:00Z'],
    ],
    [
      'visits by a schedule, all: the later by the same difference',
      visits,
      { anchors: firstDose, overrides: [moved(0, '2026-03-09T00:00Z', true)] },
      ['2026-03-09T00:00Z', '2026-04-06T00:00Z', '2026-05-04T00:00Z'],
    ],
    [
      'visits by a schedule, all, over a change of the clocks',
      visits,
      { zone: 'Europe/London', anchors: firstDose, overrides: [moved(0, '2026-03-09T09:00Z', true)] },
      ['2026-03-09T09:00Z', '2026-04-06T08:00Z', '2026-05-04T08:00Z'],
    ],
    [
      'visits that wait: no difference is known yet',
      visits,
      { overrides: [moved(0, '2026-03-09T00:00Z', true)] },
      ['2026-03-09T00:00Z', '-', '-'],
    ],
    [
      'the same one twice: the later entry counts',
      aStage(),
      { overrides: [moved(0, '2026-05-01T00:00Z'), moved(0, '2026-06-01T00:00Z')] },
      ['2026-06-01T00:00Z'],
    ],
    [
      'two on one day, into the second of two repeated hours',
      aStage({ isAnchored: true, anchorSchedule: [0, 0].map((dayOffset) => ({ anchor: idOf('b'), dayOffset })) }),
      { zone: 'Europe/London', anchors: firstDose, overrides: [moved(0, '2026-10-25T01:30Z', true)] },
      ['2026-10-25T01:30Z', '2026-10-25T01:30Z'],
    ],
    [
      'a stage that does not recur, by null',
      aStage(),
      { overrides: [moved(null, '2026-05-01T00:00Z')] },
      ['2026-05-01T00:00Z'],
    ],
  ]
  test.each(cases)('move %s', (_, stage, input, opens) => {
    expect(opensOf(entriesOf([stage], anInput(input)))).toEqual(opens)
  })

  test('a moved occurrence takes its window and its cut-off with it', () => {
    const stage = daily(2, { availabilityWindowHours: 6, behindCutoffTime: '20:00' })
    const overrides = [moved(0, '2026-02-20T21:00Z')]
    const input = anInput({ now: at('2026-02-21T19:59:59Z'), overrides })
    const entry = entriesOf([stage], input)[0]!
    expect([short(entry.expiresAt), entry.expired, entry.behind]).toEqual(['2026-02-21T03:00Z', true, false])
    expect(entriesOf([stage], { ...input, now: at('2026-02-21T20:00Z') })[0]!.behind).toBe(true)
  })
})

describe('what is open', () => {
  const [north, south, blue] = [idOf('51'), idOf('52'), idOf('6b')]
  const late = { enableAfter: { type: 'anchor', anchor: idOf('b'), delay: 0 } } as const
  // Registered at 10:00, now 12:00.
  const cases: [string, Partial<TimelineStage>, Partial<TimelineInput>, string | null, boolean][] = [
    ['a plain stage', {}, {}, null, true],
    ['at the moment it opens', {}, { now: at('2026-03-01T10:00Z') }, null, true],
    ['a microsecond before', {}, { now: at('2026-03-01T10:00Z') - 1 }, 'notYet', true],
    ['what waits', late, {}, 'notYet', true],
    [
      'a microsecond before the window ends',
      { availabilityWindowHours: 2 },
      { now: at('2026-03-01T12:00Z') - 1 },
      null,
      true,
    ],
    ['when the window ends', { availabilityWindowHours: 2 }, {}, 'expired', true],
    ['disabled', { enabled: false }, {}, 'disabled', false],
    ['a poll', { isPoll: true }, {}, 'poll', false],
    ['for a site of theirs', { availableToSites: [north, south] }, { sites: [south] }, null, true],
    ['for another site', { availableToSites: [north] }, { sites: [south] }, 'notAvailable', false],
    ['for a site, having none', { availableToSites: [north] }, {}, 'notAvailable', false],
    ['for no site at all', { availableToSites: [] }, { sites: [north] }, 'notAvailable', false],
    ['for a group of theirs', { availableToGroups: [blue] }, { groups: [north, blue] }, null, true],
    [
      'for their site but another group',
      { availableToSites: [north], availableToGroups: [blue] },
      { sites: [north] },
      'notAvailable',
      false,
    ],
    ['ad hoc, whatever it waits for', { ...late, adHoc: true, availabilityWindowHours: 1 }, {}, null, true],
    ['ad hoc, disabled', { adHoc: true, enabled: false }, {}, 'disabled', false],
    [
      'completed: it may be amended',
      {},
      { completions: new Map([[`${idOf('a')}::0`, at('2026-03-01T11:00Z')]]) },
      null,
      true,
    ],
  ]
  test.each(cases)('%s', (_, stage, settings, closed, visible) => {
    const compiled = compileTimeline([aStage(stage)])
    const input = anInput(settings)
    expect(openingOf(compiled, input, idOf('a'), 0)).toMatchObject({
      closedReason: closed as never,
      enabled: closed === null,
    })
    expect(timelineOf(compiled, input)[0]).toMatchObject({
      enabled: closed === null,
      expired: closed === 'expired',
      visible,
    })
  })

  test('there is no opening for what does not exist; an ad hoc stage has any occurrence', () => {
    const compiled = compileTimeline([daily(3), aStage({ _id: idOf('c'), adHoc: true })])
    const exists = (id: string, n: number) => openingOf(compiled, anInput(), id, n) !== undefined
    expect([exists(idOf('a'), 2), exists(idOf('a'), 3), exists(idOf('a'), -1)]).toEqual([true, false, false])
    expect([exists(idOf('c'), 40), exists(idOf('d'), 0)]).toEqual([true, false])
  })
})

describe('entries', () => {
  test('stand by opening, then what waits, then ad hoc; ties by index, then n', () => {
    const anchor = { type: 'anchor', anchor: idOf('b'), delay: 0 } as const
    const stages = [
      aStage({ _id: idOf('1'), index: 0, adHoc: true }),
      aStage({ _id: idOf('2'), index: 1, enableAfter: anchor }),
      daily(3, { _id: idOf('3'), index: 3 }),
      aStage({ _id: idOf('4'), index: 2 }),
      daily(2, { _id: idOf('5'), index: 0, enableAfter: anchor }),
    ]
    const [three, five] = [idOf('3'), idOf('5')]
    expect(entriesOf(stages, anInput()).map(({ _id }) => _id)).toEqual([
      ...[idOf('4'), `${three}::0`, `${three}::1`, `${three}::2`],
      ...[`${five}::0`, `${five}::1`, idOf('2'), idOf('1')],
    ])
  })

  test('an ad hoc stage is one entry, completed since its latest submission', () => {
    const completions = new Map([
      [`${idOf('a')}::0`, at('2026-03-01T11:00Z')],
      [`${idOf('a')}::3`, at('2026-03-02T11:00Z')],
      [`${idOf('a')}::1`, at('2026-03-01T12:00Z')],
    ])
    const entries = entriesOf([aStage({ adHoc: true, availabilityWindowHours: 5 })], anInput({ completions }))
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      _id: idOf('a'),
      completed: true,
      completedAt: at('2026-03-02T11:00Z'),
      behind: false,
    })
    expect(entries[0]).not.toHaveProperty('expiresAt')
  })

  test('fit the model, which keeps from participants what only staff see', () => {
    const waiting = { type: 'anchor', anchor: idOf('b'), delay: 0 } as const
    const stages = [
      daily(2, { availabilityWindowHours: 3 }),
      aStage({ _id: idOf('c'), availabilityWindowHours: 3, enableAfter: waiting }),
    ]
    const written = projector(Timeline)(
      { stages: entriesOf(stages, anInput()), ratioComplete: 0 },
      { personal: () => false },
    )
    expect(checker(Timeline)(structuredClone(written)).problems).toBeUndefined()
    expect((written as Timeline).stages[0]).toEqual({
      _id: `${idOf('a')}::0`,
      name: 'Form',
      description: '',
      enabled: true,
      completed: false,
      completedAt: null,
      enableAt: '2026-03-01T10:00:00.000000Z' as never,
      expiresAt: '2026-03-01T13:00:00.000000Z' as never,
      expired: false,
      adHoc: false,
    })
    expect((written as Timeline).stages[2]!.expiresAt).toBeNull()
  })
})

describe('progress', () => {
  const done = (...keys: string[]) => new Map(keys.map((key) => [key, at('2026-03-01T11:00Z')]))
  const diary = daily(4, { behindCutoffTime: '20:00' }) // opens at 10:00 on the 1st to the 4th
  const cases: [string, TimelineStage[], Partial<TimelineInput>, [number, number, string]][] = [
    ['nothing to do', [], {}, [0, 0, '-']],
    [
      'only what does not count',
      [aStage({ adHoc: true }), aStage({ _id: idOf('b'), isPoll: true }), aStage({ _id: idOf('c'), enabled: false })],
      {},
      [0, 0, '-'],
    ],
    ['nothing done', [diary], {}, [0, 0, '2026-03-01T20:00Z']],
    ['the first done', [diary], { completions: done(`${idOf('a')}::0`) }, [0.25, 0, '2026-03-02T20:00Z']],
    ['a later one done', [diary], { completions: done(`${idOf('a')}::2`) }, [0.25, 0, '2026-03-01T20:00Z']],
    ['at the first cut-off', [diary], { now: at('2026-03-01T20:00Z') }, [0, 1, '2026-03-02T20:00Z']],
    ['a microsecond before it', [diary], { now: at('2026-03-01T20:00Z') - 1 }, [0, 0, '2026-03-01T20:00Z']],
    [
      'long after, one done',
      [diary],
      { now: at('2027-01-01T00:00Z'), completions: done(`${idOf('a')}::1`) },
      [0.25, 3, '-'],
    ],
    ['all done', [daily(2)], { completions: done(`${idOf('a')}::0`, `${idOf('a')}::1`) }, [1, 0, '-']],
    [
      'beyond the last occurrence',
      [daily(2)],
      { completions: done(`${idOf('a')}::0`, `${idOf('a')}::7`) },
      [0.5, 0, '2026-03-03T10:00Z'],
    ],
    ['exempt', [daily(2, { exemptFromBehindStatus: true })], { now: at('2027-01-01T00:00Z') }, [0, 0, '-']],
    [
      'an expired one is still behind',
      [aStage({ availabilityWindowHours: 3 })],
      { now: at('2026-03-05T00:00Z') },
      [0, 1, '-'],
    ],
    [
      'an opening that waits',
      [aStage({ enableAfter: { type: 'anchor', anchor: idOf('b'), delay: 0 } })],
      {},
      [0, 0, '-'],
    ],
    [
      'a stage of another site',
      [diary, aStage({ _id: idOf('c'), availableToSites: [idOf('51')] })],
      { now: at('2027-01-01T00:00Z') },
      [0, 4, '-'],
    ],
    [
      'the earlier cut-off of two stages',
      [diary, aStage({ _id: idOf('c'), availabilityWindowHours: 4 })],
      {},
      [0, 0, '2026-03-01T14:00Z'],
    ],
    [
      'a third of three stages',
      [aStage(), aStage({ _id: idOf('c') }), aStage({ _id: idOf('d'), index: 4 })],
      { completions: done(`${idOf('c')}::0`) },
      [1 / 3, 0, '2026-03-02T10:00Z'],
    ],
  ]
  test.each(cases)('%s', (_, stages, input, [ratioComplete, stagesBehindSchedule, next]) => {
    const expected: Progress = { ratioComplete, stagesBehindSchedule, nextChangeAt: next === '-' ? null : at(next) }
    expect(progressOf(compileTimeline(stages), anInput(input))).toEqual(expected)
  })

  test('a window counts real hours over a change of the clocks', () => {
    const input = anInput({ zone: 'America/New_York', registeredAt: at('2026-03-07T17:00Z') })
    const entry = entriesOf([aStage({ enableAtTime: '20:00', availabilityWindowHours: 12 })], input)[0]!
    expect(entry.expiresAt! - entry.enableAt!).toBe(12 * HOUR) // 20:00 to 09:00
    expect(short(entry.expiresAt)).toBe('2026-03-08T13:00Z')
  })
})
