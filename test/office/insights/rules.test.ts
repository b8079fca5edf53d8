/** The rules behind insights, with made-up timelines. */
import { describe, expect, test } from 'bun:test'
import { compileForm } from '#design/forms/form'
import { noHiddenFields } from '#design/hiddenFields/hiddenFields'
import { DAY, HOUR, type Instant, parseInstant } from '#kernel/time'
import { adherenceOf, countsOf, periodOf, timeToAnswer } from '#office/insights/adherence'
import { countFields } from '#office/insights/completeness'
import { dropoutOf } from '#office/insights/dropout'
import type { DueForm, DueState } from '#office/insights/due'
import { courseOf, numberIn, trendOf, weeksSince } from '#office/insights/measures'

const START = parseInstant('2026-03-02T08:00:00Z')!

/** Daily forms with these ends: `t` on time, `l` late, `m` missed, `o` open, `x` exempt and not completed. */
function daily(ends: string, hours = 2): DueForm[] {
  const states: Record<string, DueState | null> = { t: 'onTime', l: 'late', m: 'missed', o: 'open', x: null }
  return [...ends].map((end, n) => {
    const openedAt = START + n * DAY
    const delay = end === 't' ? hours * HOUR : 30 * HOUR
    return {
      stage: 's',
      stageRecurrence: n,
      openedAt,
      completedAt: 'tl'.includes(end) ? openedAt + delay : null,
      state: states[end]!,
    }
  })
}

describe('adherence', () => {
  test('counts what became of forms; open and exempt ones are not due', () => {
    const { due, onTime, late, missed, share } = countsOf(daily('ttlmmox'))
    expect([due, onTime, late, missed]).toEqual([5, 2, 1, 2])
    expect(share).toMatchObject({ n: 5, count: 2, estimate: 0.4 })
    expect(countsOf([])).toEqual({ due: 0, onTime: 0, late: 0, missed: 0, share: null })
  })

  test.each([
    ['2026-03-02', 'week', '2026-03-02'],
    ['2026-03-08', 'week', '2026-03-02'],
    ['2026-03-09', 'week', '2026-03-09'],
    ['1969-12-28', 'week', '1969-12-22'],
    ['2026-03-31', 'month', '2026-03-01'],
  ] as const)('%s belongs to the %s of %s', (day, by, expected) => {
    expect(periodOf(Date.parse(day) / 86_400_000, by)).toBe(expected)
  })

  test('is counted by week in the zone of the participant, and by month over long times', () => {
    const { by, periods } = adherenceOf(daily('tttttttlm'), 'Europe/Berlin')
    expect(by).toBe('week')
    expect(periods).toMatchObject([
      { from: '2026-03-02', due: 7, onTime: 7 },
      { from: '2026-03-09', due: 2, onTime: 0, late: 1, missed: 1 },
    ])
    const long = adherenceOf(daily('t'.repeat(200)), 'UTC')
    expect(long.by).toBe('month')
    expect(long.periods[0]).toMatchObject({ from: '2026-03-01', due: 30 })
    expect(adherenceOf(daily('t'), 'Pacific/Kiritimati').periods[0]!.from).toBe('2026-03-02')
  })

  test('the time to answer leaves out what staff entered before the form opened', () => {
    const early = { ...daily('t')[0]!, completedAt: START - DAY }
    expect(timeToAnswer([early, ...daily('ttl')])).toEqual({ n: 3, median: 2, lowerQuartile: 2, upperQuartile: 16 })
  })
})

describe('the risk of dropping out', () => {
  const risk = (
    forms: DueForm[],
    change: { now?: Instant; lastSeenAt?: Instant | null; submittedAt?: Instant[] } = {},
  ) => {
    const submittedAt = forms.flatMap(({ completedAt }) => completedAt ?? [])
    const now = (forms.at(-1)?.openedAt ?? START) + 2 * DAY
    return dropoutOf({ now, registeredAt: START, lastSeenAt: null, submittedAt, forms, ...change })
  }
  const rules = (forms: DueForm[], change = {}) => risk(forms, change).reasons.map(({ rule }) => rule)

  test.each([
    ['', 'unknown', []],
    ['tt', 'unknown', []],
    ['ttt', 'low', []],
    ['tttm', 'low', []],
    ['tttmm', 'raised', ['missedInRow']],
    ['tttmmo', 'raised', ['missedInRow']],
    ['tttmmxx', 'raised', ['missedInRow']],
    ['mm', 'raised', ['missedInRow']],
    ['tttmmm', 'high', ['missedInRow', 'missedHalf']],
    ['mtmtmt', 'raised', ['missedHalf']],
    ['mlmlml', 'raised', ['missedHalf']],
    ['mtmtmttt', 'low', []],
  ] as const)('after %p it is %s', (ends, level, expected) => {
    const found = risk(daily(ends))
    expect([found.level, found.reasons.map(({ rule }) => rule)]).toEqual([level, [...expected]])
  })

  test('each reason has its numbers', () => {
    expect(risk(daily('tttmmm')).reasons[0]).toEqual({
      rule: 'missedInRow',
      weight: 2,
      text: 'The last 3 forms that were due were not filled in.',
      n: 6,
      numbers: { missed: 3 },
    })
  })

  test('silence counts if it is long, also for this participant, and something was asked meanwhile', () => {
    const forms = daily('ttttm')
    const now = START + 30 * DAY
    const last = START + 3 * DAY + 2 * HOUR
    expect(rules(forms, { now })).toEqual(['silence'])
    expect(risk(forms, { now }).reasons[0]!.numbers).toEqual({ days: 26.92, opened: 1, usualDays: 1 })
    expect(rules(forms, { now, lastSeenAt: now - DAY })).toEqual([])
    expect(rules(daily('tttt'), { now })).toEqual([])
    const monthly = [0, 30, 60, 90].map((day) => START + day * DAY)
    expect(rules(forms, { now: START + 120 * DAY, submittedAt: monthly })).toEqual([])
    expect(rules(forms, { now: last + 14 * DAY })).toEqual([])
  })

  test('adherence that falls, and answers that come later', () => {
    expect(rules(daily(`${'t'.repeat(10)}${'tm'.repeat(5)}`))).toEqual(['fallingAdherence'])
    expect(rules(daily(`${'t'.repeat(10)}${'t'.repeat(8)}ll`))).toEqual([])
    expect(rules(daily(`${'t'.repeat(9)}${'l'.repeat(10)}`))).toContain('slowerAnswers')
    expect(rules([...daily('t'.repeat(10)), ...daily('t'.repeat(5), 13)])).toEqual([])
    expect(rules([...daily('t'.repeat(10)), ...daily('t'.repeat(5), 14)])).toEqual(['slowerAnswers'])
  })

  test('whoever was withdrawn or archived has ended', () => {
    const forms = daily('mmmmmm')
    const input = { now: START + 90 * DAY, registeredAt: START, lastSeenAt: null, submittedAt: [], forms }
    expect(dropoutOf(input, true)).toEqual({ level: 'ended', n: 6, reasons: [] })
  })
})

describe('measures', () => {
  test.each([
    [7, 7],
    [{ bmi: 25, height: 180, weight: 81 }, 25],
    ['7', undefined],
    [null, undefined],
    [['Yes'], undefined],
    [{ q1: 2 }, undefined],
  ])('%p is the number %p', (answer, expected) => expect(numberIn(answer)).toBe(expected as number))

  const points = (...values: number[]) =>
    values.map((value, n) => ({ at: START + n * 7 * DAY, value, response: `r${n}`, stage: 's', stageRecurrence: n }))

  test('the course of numbers: change, trend by week, outliers', () => {
    const { n, median, change, trend, outliers } = courseOf(points(10, 12, 14, 16, 60, 18))
    expect([n, median]).toEqual([6, 15])
    expect(change).toMatchObject({ baseline: 10, latest: 18, toLatest: 8, toMean: { n: 5, estimate: 14 } })
    expect(trend!.n).toBe(6)
    expect(trend!.estimate).toBeCloseTo(93 / 17.5, 10)
    expect(outliers).toMatchObject([{ response: 'r4', value: 60 }])
    expect(courseOf(points(3))).toMatchObject({ n: 1, median: 3, change: null, trend: null, outliers: [] })
    const visit = points(120, 140, 131).map((each, n) => ({ ...each, at: START + n * 5 * 60_000_000 }))
    expect(courseOf(visit).trend).toBeNull() // values of one visit say nothing about a week
    const weeks = weeksSince(0, START)
    expect(trendOf([1, 2, 3].map((y) => ({ x: weeks, y })))).toBeNull() // of one moment
    expect(courseOf(points(...Array.from({ length: 300 }, (_, n) => n))).values).toHaveLength(200)
  })
})

test('asked are the fields whose condition holds, without calculations, fields for staff and hidden ones', () => {
  const type = (_id: string, more = {}) => ({
    _id,
    name: _id,
    code: _id,
    description: null,
    unit: null,
    isRestricted: false,
    isPii: false,
    trial: 't',
    createdAt: 0,
    format: 'integer' as const,
    ...more,
  })
  const types = new Map([
    ['a', type('a')],
    ['b', type('b')],
    ['c', type('c', { format: 'calculation', expression: 'a + 1' })],
    ['d', type('d')],
  ])
  const condition = { dataType: 'a', operator: 'more' as const, value: 5 }
  const form = compileForm(
    {
      components: [
        { id: 'a', dataType: 'a', title: 'A' },
        { id: 'b', dataType: 'b', title: 'B', condition },
        { id: 'c', dataType: 'c', title: 'C' },
        { id: 'd', dataType: 'd', title: 'D', isHidden: true },
      ],
    },
    types,
  )
  const asked = (answers: Record<string, unknown>, hidden = noHiddenFields) =>
    countFields({ form, answers }, hidden, 'UTC')
  expect(asked({})).toEqual({ asked: 1, answered: 0 })
  expect(asked({ a: 3, c: 4 })).toEqual({ asked: 1, answered: 1 })
  expect(asked({ a: 6, c: 7 })).toEqual({ asked: 2, answered: 1 })
  expect(asked({ a: 6, b: 0, c: 7 })).toEqual({ asked: 2, answered: 2 })
  expect(asked({ a: 6, b: 0, c: 7 }, (dataType) => dataType === 'b')).toEqual({ asked: 1, answered: 1 })
})
