import { describe, expect, test } from 'bun:test'
import { compileTimeline, openingOf, type TimelineInput, type TimelineStage, timelineOf } from '#design/schedule/rules'
import { anInput, aStage, at, daily, idOf, short } from './timeline.rules.sample'
import { entriesOf, opensOf } from './timeline.rules.shared'
import table from './timeline.rules.table.txt' with { type: 'text' }

const momentsOf = (json: string | undefined) =>
  new Map(Object.entries(JSON.parse(json ?? '{}') as Record<string, string>).map(([key, text]) => [key, at(text)]))

describe('the table of protocols', () => {
  const [, ...blocks] = table.split('\n# ')
  test('is read completely', () => expect(blocks).toHaveLength(182))

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
      'a stage completed that does not recur, by null',
      { enableAfter: { ...afterScreening, stageRecurrence: null } },
      { completions: completed },
      ['2026-03-05T09:00Z'],
    ],
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
      'a schedule with more recurrences than visits',
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

  test('an opening at registration in the second of two repeated hours stays in the second', () => {
    // 01:30 in London happens at 00:30Z and again at 01:30Z.
    const input = anInput({ zone: 'Europe/London', registeredAt: at('2026-10-25T01:30Z') })
    expect(opensOf(entriesOf([daily(2)], input))).toEqual(['2026-10-25T01:30Z', '2026-10-26T01:30Z'])
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
    ['a waiting stage', late, {}, 'notYet', true],
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
    ['for a site, of a participant without one', { availableToSites: [north] }, {}, 'notAvailable', false],
    ['for no site at all', { availableToSites: [] }, { sites: [north] }, 'notAvailable', false],
    ['for a group of theirs', { availableToGroups: [blue] }, { groups: [north, blue] }, null, true],
    [
      'for their site but another group',
      { availableToSites: [north], availableToGroups: [blue] },
      { sites: [north] },
      'notAvailable',
      false,
    ],
    ['ad hoc, and waiting', { ...late, adHoc: true, availabilityWindowHours: 1 }, {}, null, true],
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

  test('an unknown occurrence has no opening; an ad hoc stage has any occurrence', () => {
    const compiled = compileTimeline([daily(3), aStage({ _id: idOf('c'), adHoc: true })])
    const exists = (id: string, n: number) => openingOf(compiled, anInput(), id, n) !== undefined
    expect([exists(idOf('a'), 2), exists(idOf('a'), 3), exists(idOf('a'), -1)]).toEqual([true, false, false])
    expect([exists(idOf('c'), 40), exists(idOf('d'), 0)]).toEqual([true, false])
  })
})
