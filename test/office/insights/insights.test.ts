/** Insights on a participant over HTTP. */
import { expect, test } from 'bun:test'
import { study } from '../../study'

const daily = { isRecurring: true, recurringFrequency: 1, recurringDuration: 6, availabilityWindowHours: 24 }

/** Anna fills in a daily form; the world stands at noon of 2 March 2026, when she was registered. */
async function diary(change: Record<string, unknown> = {}) {
  const s = await study({ stage: { ...daily, ...change } })
  const about = `/trials/${s.trial}/participants/${s.anna}/insights` as const
  const day = (n: number, answers: Record<string, unknown>) =>
    s.enter(answers, {}, s.owner, s.url(s.anna, `${s.stage}::${n}`))
  return { ...s, about, day }
}

test('completeness, adherence, time to answer, measures and the risk of dropping out, each with its numbers', async () => {
  const s = await diary()
  s.clock(2 * 3600e6)
  await s.day(0, { pulse: 60, smoker: ['No'] })
  s.clock(24 * 3600e6)
  await s.day(1, { pulse: 64 })
  s.clock(50 * 3600e6) // the third day is missed
  await s.day(2, { pulse: 70 }) // late
  const insights = await s.owner.do('readParticipantInsights', s.trial, s.anna)
  expect(insights).toMatchObject({
    participant: s.anna,
    at: s.now(),
    completeness: { forms: { n: 4, count: 3 }, fields: { n: 54, count: 4 } },
    adherence: { due: 3, onTime: 2, late: 1, missed: 0, by: 'week', share: { n: 3, count: 2 } },
    timeToAnswer: { n: 3, median: 2, lowerQuartile: 2, upperQuartile: 15 },
    dropout: { level: 'low', n: 3, reasons: [] },
    texts: [],
    generation: { isAvailable: false },
  })
  expect(insights.adherence.periods).toMatchObject([{ from: '2026-03-02', due: 3 }])
  const pulse = insights.measures.find(({ dataType }) => dataType === s.ids.pulse)!
  expect(pulse).toMatchObject({
    name: 'Pulse',
    n: 3,
    median: 64,
    change: { baseline: 60, latest: 70, toLatest: 10, toMean: { n: 2, estimate: 7 } },
    outliers: [],
  })
  expect(pulse.trend).toMatchObject({ n: 3 })
  expect(pulse.values.map(({ value, stageRecurrence }) => [value, stageRecurrence])).toEqual([
    [60, 0],
    [64, 1],
    [70, 2],
  ])
  expect(insights.measures.map(({ name }) => name)).toEqual(['Pulse', 'Double pulse'])
})

test('a participant without any answer has insights too', async () => {
  const s = await diary({ enabled: false })
  expect(await s.owner.do('readParticipantInsights', s.trial, s.anna)).toMatchObject({
    completeness: { forms: null, fields: null },
    adherence: { due: 0, share: null, periods: [] },
    timeToAnswer: { n: 0, median: null },
    measures: [],
    scores: [],
    dropout: { level: 'unknown', n: 0 },
  })
})

test('whoever misses forms is at risk, and whoever was withdrawn has ended', async () => {
  const s = await diary()
  s.clock(5 * 86_400e6)
  const { dropout } = await s.owner.do('readParticipantInsights', s.trial, s.anna)
  expect(dropout.level).toBe('high')
  expect(dropout.reasons[0]).toMatchObject({ rule: 'missedInRow', n: 5, numbers: { missed: 5 } })
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  expect((await s.owner.do('readParticipantInsights', s.trial, s.anna)).dropout).toEqual({
    level: 'ended',
    n: 5,
    reasons: [],
  })
})

test('scores follow each other, with outliers', async () => {
  const rule = { id: 'r', points: 3, operator: 'more', value: 100 }
  const s = await diary({ component: { pulse: { scoringRules: [rule] } }, recurringDuration: 30 })
  for (const [n, pulse] of [110, 60, 120].entries()) await s.day(n, { pulse })
  const { scores } = await s.owner.do('readParticipantInsights', s.trial, s.anna)
  expect(scores).toMatchObject([{ stage: s.stage, name: 'Visit', n: 3, median: 3, change: { baseline: 3, latest: 3 } }])
  expect(scores[0]!.values.map(({ value }) => value)).toEqual([3, 0, 3])
})

test('hidden fields are in no insight: not as a measure, a calculation, a score or a count', async () => {
  const rule = { id: 'r', points: 3, operator: 'more', value: 100 }
  const s = await diary({ component: { pulse: { scoringRules: [rule] } } })
  await s.day(0, { pulse: 133, sleep: 4, glucose: 17.3 })
  await s.day(1, { pulse: 137, sleep: 4, glucose: 17.7 })
  const nurse = s.staff(s.trial, ['trial.read'])
  const open = await nurse.do('readParticipantInsights', s.trial, s.anna)
  expect(open.measures.map(({ name }) => name)).toEqual(['Pulse', 'Glucose', 'Sleep', 'Double pulse'])
  await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: true })
  await s.owner.do('updateDataType', s.ids.glucose, { isPii: true })
  const hidden = await nurse.do('readParticipantInsights', s.trial, s.anna)
  expect([hidden.measures.map(({ name }) => name), hidden.scores]).toEqual([['Sleep'], []])
  expect(hidden.completeness.fields).toMatchObject({ count: 2, n: 32 })
  for (const value of ['133', '137', '266', '17.3', s.ids.pulse, s.ids.glucose, s.ids.double])
    expect([value, JSON.stringify(hidden).includes(`${value}`)]).toEqual([value, false])
  const special = s.staff(s.trial, ['trial.read', 'trial.readParticipantStudyDataRestricted'])
  const more = await special.do('readParticipantInsights', s.trial, s.anna)
  expect([more.measures.map(({ name }) => name), more.scores.length]).toEqual([['Pulse', 'Sleep', 'Double pulse'], 1])
  const { measures } = await s.owner.do('readParticipantInsights', s.trial, s.anna)
  expect(measures).toHaveLength(4)
})

test('the feature of the team and the permission are needed; another site, trial and team see nothing', async () => {
  const s = await diary()
  const north = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'NO' }))._id
  const at = s.staff(s.trial, ['site.readParticipantStudyData'], north)
  expect((await at.call('GET', s.about)).status).toBe(404)
  await s.owner.do('addSiteMember', north, s.anna)
  expect((await at.call('GET', s.about)).status).toBe(200)
  expect((await at.call('POST', s.about)).status).toBe(200)
  expect((await s.staff(s.trial, ['trial.readParticipants']).call('POST', s.about)).status).toBe(403)
  expect((await s.neighbours().owner.call('GET', s.about)).status).toBe(404)
  const other = await s.owner.do('createTrial', s.team, { name: 'Other' })
  expect((await s.owner.call('GET', `/trials/${other._id}/participants/${s.anna}/insights`)).status).toBe(404)
  await s.owner.do('updateTeam', s.team, { features: { ai: false } })
  for (const method of ['GET', 'POST'])
    expect((await s.owner.call(method, s.about)).body).toMatchObject({ details: { feature: 'ai' } })
})

test('without an AI endpoint, POST returns the same numbers and says that none is configured', async () => {
  const s = await diary()
  await s.day(0, { pulse: 60 })
  await s.owner.do('updateTrial', s.trial, { participantInsightsEnabled: true })
  const asked = await s.owner.do('askForParticipantInsights', s.trial, s.anna)
  expect(asked).toMatchObject({ ...(await s.owner.do('readParticipantInsights', s.trial, s.anna)), jobId: null })
  expect(asked.generation).toEqual({
    isAvailable: false,
    message: 'No AI endpoint is configured on this server. The numbers need none.',
  })
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'askForParticipantInsights' })
  expect(entries).toMatchObject([{ participantId: 'P-1', userEmail: 'owner@example.org' }])
})
