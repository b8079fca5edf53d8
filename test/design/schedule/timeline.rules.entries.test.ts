import { describe, expect, test } from 'bun:test'
import { Timeline } from '#conduct/timeline/model'
import {
  compileTimeline,
  type Progress,
  progressOf,
  type TimelineInput,
  type TimelineStage,
  timelineOf,
} from '#design/schedule/rules'
import { HOUR } from '#kernel/time'
import { checker } from '#wire/check'
import { projector } from '#wire/project'
import { anInput, aStage, at, daily, idOf, short } from './timeline.rules.sample'
import { entriesOf } from './timeline.rules.shared'

describe('entries', () => {
  test('are sorted by opening, then waiting ones, then ad hoc; ties by index, then n', () => {
    const anchor = { type: 'anchor', anchor: idOf('b'), delay: 0 } as const
    const stages = [
      aStage({ _id: idOf('1'), index: 0, adHoc: true }),
      aStage({ _id: idOf('2'), index: 1, enableAfter: anchor }),
      daily(3, { _id: idOf('3'), index: 3 }),
      aStage({ _id: idOf('4'), index: 2 }),
      aStage({ _id: idOf('6'), index: 4, adHoc: true }),
      daily(2, { _id: idOf('5'), index: 0, enableAfter: anchor }),
    ]
    const [three, five] = [idOf('3'), idOf('5')]
    expect(entriesOf(stages, anInput()).map(({ _id }) => _id)).toEqual([
      ...[idOf('4'), `${three}::0`, `${three}::1`, `${three}::2`],
      ...[`${five}::0`, `${five}::1`, idOf('2'), idOf('1'), idOf('6')],
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

  test('match their model, which hides from participants what only staff see', () => {
    const waiting = { type: 'anchor', anchor: idOf('b'), delay: 0 } as const
    const stages = [
      daily(2, { availabilityWindowHours: 3 }),
      aStage({ _id: idOf('c'), availabilityWindowHours: 3, enableAfter: waiting }),
    ]
    const written = projector(Timeline)(
      {
        stages: entriesOf(stages, anInput()),
        ratioComplete: 0,
        texts: { language: null, source: null, untranslated: [] },
      },
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
      behind: false,
    })
    expect((written as Timeline).stages[2]!.expiresAt).toBeNull()
    expect(entriesOf([aStage()], anInput())[0]).not.toHaveProperty('expiresAt')
  })
})

describe('progress', () => {
  const done = (...keys: string[]) => new Map(keys.map((key) => [key, at('2026-03-01T11:00Z')]))
  const diary = daily(4, { behindCutoffTime: '20:00' }) // opens at 10:00 on the 1st to the 4th
  const cases: [string, TimelineStage[], Partial<TimelineInput>, [number, number, string]][] = [
    ['nothing to do', [], {}, [0, 0, '-']],
    [
      'only entries that do not count',
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
      'two stages that are behind',
      [diary, daily(2, { _id: idOf('c') })],
      { now: at('2027-01-01T00:00Z') },
      [0, 6, '-'],
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
    const expected = { ratioComplete, stagesBehindSchedule, nextChangeAt: next === '-' ? null : at(next) }
    const { overdue, ...progress }: Progress = progressOf(compileTimeline(stages), anInput(input))
    expect(progress).toEqual(expected)
    // The overdue forms are those of the timeline, counted by stage.
    const behind = timelineOf(compileTimeline(stages), anInput(input)).filter((entry) => entry.behind)
    const counted = Map.groupBy(behind, ({ stage }) => stage)
    expect(new Map(overdue.map(({ stage, forms }) => [stage, forms]))).toEqual(
      new Map([...counted].map(([stage, entries]) => [stage, entries.length])),
    )
  })

  test('a window is in elapsed hours over a change of the clocks', () => {
    const input = anInput({ zone: 'America/New_York', registeredAt: at('2026-03-07T17:00Z') })
    const entry = entriesOf([aStage({ enableAtTime: '20:00', availabilityWindowHours: 12 })], input)[0]!
    expect(entry.expiresAt! - entry.enableAt!).toBe(12 * HOUR) // 20:00 to 09:00
    expect(short(entry.expiresAt)).toBe('2026-03-08T13:00Z')
  })
})
