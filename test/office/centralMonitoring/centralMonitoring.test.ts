/** Central monitoring: which shares of which sites stand out. */
import { describe, expect, test } from 'bun:test'
import { compareSites } from '#office/insights/trial/compare'
import { addIndicators, lastDigit, noIndicators } from '#office/insights/trial/indicators'
import { ended } from '../../exchange/generation/generation.study'
import { study } from '../../study'

describe('what is counted', () => {
  test.each([
    [60, '0'],
    [5.25, '5'],
    [-7, '7'],
    [0, '0'],
    [1e21, '1'],
    [1.5e-7, '5'],
  ])('the last digit of %p is %p', (value, digit) => expect(lastDigit(value)).toBe(digit))

  test('a number that was asked for with decimals ends with one, also if it is whole', () => {
    expect([61, 61.3, 61.25].map((value) => lastDigit(value, 1))).toEqual(['0', '3', '3'])
    expect(lastDigit(61.4, 0)).toBe('1')
  })

  test('missing fields, late forms, last digits of 0 and 5, repeated values', () => {
    const found = noIndicators()
    const form = (state: 'onTime' | 'late' | 'missed' | 'open' | null) => ({
      stage: 's',
      stageRecurrence: 0,
      openedAt: 0,
      completedAt: null,
      state,
    })
    const points = (...values: number[]) => values.map((y, x) => ({ x, y }))
    const secret = [{ dataType: 'secret', isAnswered: false }]
    const facts = {
      fields: [true, true, false].map((isAnswered) => ({ dataType: 'a', isAnswered })).concat(secret),
      entered: ['a', 'a', 'c', 'secret'],
      forms: [form('onTime'), form('late'), form('missed'), form('open'), form(null)],
      series: new Map([
        ['a', points(60, 60, 75, 62)],
        ['secret', points(50, 50)],
        ['score', points(15, 20)],
        ['rating', points(5, 5)],
      ]),
    }
    addIndicators(found, facts, (dataType) =>
      dataType === 'secret'
        ? undefined
        : { values: dataType !== 'score', digits: dataType !== 'rating', decimals: null },
    )
    expect(found).toEqual({
      missing: { count: 1, of: 3 },
      late: { count: 2, of: 3 },
      queries: { count: 0, of: 3 },
      digits: { count: 3, of: 4 },
      repeats: { count: 2, of: 4 },
    })
  })
})

describe('the comparison', () => {
  const site = (name: string, count: number, of: number) => ({
    site: name,
    indicators: { ...noIndicators(), missing: { count, of } },
  })
  const usual = Array.from({ length: 8 }, (_, n) => site(`s${n}`, 20 + (n % 3), 400))
  const unusual = (sites: ReturnType<typeof site>[]) =>
    compareSites(sites).flatMap((each) => (each.isUnusual ? [`${each.site} ${each.indicator}`] : []))

  test('names the site that stands out, and no other', () => {
    expect(unusual([...usual, site('odd', 80, 400)])).toEqual(['odd missing'])
    expect(unusual([...usual, site('none', 0, 400)])).toEqual(['none missing'])
    expect(unusual(usual)).toEqual([])
  })

  test('a small site does not stand out by a few fields', () => {
    expect(unusual([...usual, site('small', 2, 10)])).toEqual([])
    expect(unusual([...usual, site('small', 9, 10)])).toEqual(['small missing'])
  })

  test('the correction is for all comparisons that were made', () => {
    const found = compareSites([...usual, site('odd', 40, 400)])
    const made = found.filter(({ p }) => p !== null)
    expect([found.length, made.length]).toEqual([45, 9])
    const odd = found.find((each) => each.site === 'odd' && each.indicator === 'missing')!
    expect(odd).toMatchObject({ count: 40, of: 400, others: 167 / 3200 })
    expect(odd.adjusted!).toBeCloseTo(Math.min(1, 9 * odd.p!), 12)
    expect(odd.low!).toBeLessThan(0.1)
    expect(odd.high!).toBeGreaterThan(0.1)
  })

  test('a single site, and sites without anything, are not compared', () => {
    expect(compareSites([site('one', 5, 10)]).every(({ p, isUnusual }) => p === null && !isUnusual)).toBe(true)
    expect(compareSites([])).toEqual([])
    expect(unusual([site('a', 5, 10), site('b', 0, 0)])).toEqual([])
  })
})

test('over HTTP: the rates of each site, for people who see the whole trial', async () => {
  const s = await study({ stage: { adHoc: true, components: [] } })
  const url = `/trials/${s.trial}/central-monitoring` as const
  expect(await s.owner.do('readCentralMonitoring', s.trial)).toMatchObject({
    computedAt: null,
    comparisons: 0,
    sites: [],
  })
  const stage = (
    await s.owner.do('createStage', s.trial, {
      name: 'Check',
      adHoc: true,
      components: ['pulse', 'glucose', 'girth'].map((code) => ({ id: code, dataType: s.ids[code], title: code })),
    })
  )._id
  const north = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'NO' }))._id
  const south = (await s.owner.do('createSite', s.trial, { name: 'South', id: 'SO' }))._id
  await s.owner.do('addSiteMember', north, s.anna)
  await s.owner.do('addSiteMember', south, s.bert)
  const enter = (participant: string, answers: Record<string, unknown>) =>
    s.enter(answers, {}, s.owner, s.url(participant, stage))
  for (let n = 0; n < 12; n++) {
    await enter(s.anna, { pulse: 61 + ((n * 7) % 30), glucose: 5 + ((n * 3) % 7) / 10, girth: 90 + n })
    await enter(s.bert, { pulse: 70 })
  }
  const { responses } = await s.owner.do('readParticipantResponses', s.trial, s.bert)
  for (const { _id } of responses.slice(0, 3))
    await s.owner.do('raiseQuery', s.trial, { response: _id, dataType: s.ids.pulse, text: 'Really?' })
  expect((await ended(s.owner, (await s.owner.do('askForTrialInsights', s.trial)).jobId)).status).toBe('done')
  const { computedAt, sites, comparisons } = await s.owner.do('readCentralMonitoring', s.trial)
  expect([computedAt, comparisons]).toEqual([s.now(), 8])
  const bySite = (id: string) =>
    Object.fromEntries(sites.find(({ site }) => site === id)!.indicators.map((each) => [each.indicator, each]))
  expect(bySite(south)).toMatchObject({
    missing: { count: 24, of: 36, share: 24 / 36, others: 0, isUnusual: true },
    late: { of: 0, share: null, p: null, adjusted: null, isUnusual: false },
    queries: { count: 3, of: 12, others: 0 },
    digits: { count: 12, of: 12 },
    repeats: { count: 11, of: 11, others: 0, isUnusual: true },
  })
  expect(bySite(north)).toMatchObject({ missing: { count: 0, of: 36 }, repeats: { count: 0, of: 33 } })
  const recomputed = async () => {
    await ended(s.owner, (await s.owner.do('askForTrialInsights', s.trial)).jobId)
    const found = (await s.owner.do('readCentralMonitoring', s.trial)).sites.find(
      ({ site }) => site === south,
    )!.indicators
    return Object.fromEntries(found.map((each) => [each.indicator, each]))
  }
  // Nothing tells about restricted fields.
  await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: true })
  expect(await recomputed()).toMatchObject({
    missing: { count: 24, of: 24 },
    queries: { count: 0, of: 0 },
    digits: { count: 0, of: 0 },
    repeats: { count: 0, of: 0 },
  })
  // Nor about archived participants.
  await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: false })
  await s.owner.do('updateParticipant', s.trial, s.bert, { isArchived: true })
  expect(await recomputed()).toMatchObject({ missing: { of: 0 }, queries: { count: 0, of: 0 }, digits: { of: 0 } })
  expect((await s.staff(s.trial, ['site.read'], south).call('GET', url)).status).toBe(403)
  expect((await s.neighbours().owner.call('GET', url)).status).toBe(404)
})
