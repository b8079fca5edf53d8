/** Insights on a trial over HTTP: how they are computed, kept and shown. */
import { expect, test } from 'bun:test'
import { HOUR } from '#kernel/time'
import { ended } from '../../../exchange/generation/generation.study'
import { purgeTrial } from '../../../purge'
import { study } from '../../../study'
import { until } from '../../../until'

const daily = { isRecurring: true, recurringFrequency: 1, recurringDuration: 4, availabilityWindowHours: 24 }
const scoringRules = [{ id: 'r', points: 2, operator: 'more', value: 62 }]

/** Anna at North fills in three days, Bert at South one, Carl, who is nowhere, none. */
async function filled() {
  const s = await study({ stage: { ...daily, component: { pulse: { scoringRules } } } })
  const north = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'NO' }))._id
  const south = (await s.owner.do('createSite', s.trial, { name: 'South', id: 'SO' }))._id
  await s.owner.do('addSiteMember', north, s.anna)
  await s.owner.do('addSiteMember', south, s.bert)
  for (const [n, pulse] of [60, 64, 68].entries()) {
    await s.enter({ pulse, glucose: 5.5 }, {}, s.owner, s.url(s.anna, `${s.stage}::${n}`))
    if (n === 0) await s.enter({ pulse: 80 }, {}, s.owner, s.url(s.bert, `${s.stage}::0`))
    s.clock(24 * HOUR)
  }
  const url = `/trials/${s.trial}/insights` as const
  return {
    ...s,
    north,
    south,
    insights: url,
    compute: async () => ended(s.owner, (await s.owner.do('askForTrialInsights', s.trial)).jobId),
  }
}

test('are computed when asked for, with the numbers behind each', async () => {
  const s = await filled()
  expect(await s.owner.do('readTrialInsights', s.trial)).toMatchObject({
    computedAt: null,
    message: expect.stringContaining('trialInsightsEnabled'),
    scopes: [],
    generation: { isAvailable: false },
  })
  expect(await s.compute()).toMatchObject({ status: 'done' })
  const { computedAt, scopes } = await s.owner.do('readTrialInsights', s.trial)
  expect(computedAt).toBe(s.now())
  expect(scopes).toHaveLength(1)
  const [whole] = scopes
  expect(whole).toMatchObject({
    site: null,
    name: null,
    participants: 3,
    responses: 4,
    completeness: { forms: { n: 12, count: 4 }, fields: { n: 72, count: 7 } },
    adherence: {
      due: 9,
      onTime: 4,
      late: 0,
      missed: 5,
      share: { n: 9, count: 4 },
      periods: [{ from: '2026-03-01', due: 9 }],
    },
    timeToAnswer: { n: 4, median: 0 },
    scores: [{ stage: s.stage, name: 'Visit' }],
    dropout: { low: 1, raised: 1, high: 1, unknown: 0, ended: 0, rules: { missedInRow: 2 } },
  })
  const pulse = whole!.measures.find(({ dataType }) => dataType === s.ids.pulse)!
  expect(pulse).toMatchObject({
    ...{ name: 'Pulse', participants: 2, n: 4, digits: null, median: 66, outliers: 0 },
    baseline: { n: 2, estimate: 70 },
    change: { n: 1, estimate: 8, low: null },
    trend: { n: 1, low: null },
  })
  expect(pulse.trend!.estimate).toBeCloseTo(28, 6)
  expect(whole!.scores[0]!.occurrences).toMatchObject([
    { stageRecurrence: 0, n: 2, estimate: 1 },
    { stageRecurrence: 1, n: 1, estimate: 2 },
    { stageRecurrence: 2, n: 1, estimate: 2 },
  ])
})

test('archived participants do not count, withdrawn ones have ended', async () => {
  const s = await filled()
  await s.owner.do('updateParticipant', s.trial, s.bert, { isArchived: true })
  await s.owner.do('updateParticipant', s.trial, s.carl, { isWithdrawn: true })
  await s.compute()
  const [whole] = (await s.owner.do('readTrialInsights', s.trial)).scopes
  expect(whole).toMatchObject({ participants: 2, responses: 3, dropout: { low: 1, ended: 1 } })
})

test('an account that is limited to sites gets those on its sites only', async () => {
  const s = await filled()
  await s.compute()
  const nurse = s.staff(s.trial, ['site.read'], s.south)
  const { scopes, texts } = await nurse.do('readTrialInsights', s.trial)
  expect(scopes).toMatchObject([{ site: s.south, name: 'South', participants: 1, responses: 1 }])
  expect([texts, scopes[0]!.measures[0]]).toMatchObject([[], { n: 1, median: 80 }])
  expect((await s.owner.do('readTrialInsights', s.trial, { site: s.north })).scopes).toMatchObject([
    { site: s.north, participants: 1 },
  ])
  expect((await nurse.call('GET', `${s.insights}?site=${s.north}`)).status).toBe(404)
  expect((await nurse.call('POST', s.insights)).status).toBe(403)
  expect((await s.staff(s.trial, ['trial.readSites']).call('GET', s.insights)).status).toBe(403)
  expect((await s.neighbours().owner.call('GET', s.insights)).status).toBe(404)
  const group = (await s.owner.do('createGroup', s.trial, { name: 'Arm A' }))._id
  expect((await s.staff(s.trial, ['group.read'], group).call('GET', s.insights)).status).toBe(403)
  const site = (
    await s.owner.post<'createSite'>(
      `/trials/${(await s.owner.do('createTrial', s.team, { name: 'Other' }))._id}/sites`,
      {
        name: 'East',
        id: 'EA',
      },
    )
  )._id
  expect((await s.owner.call('GET', `${s.insights}?site=${site}`)).status).toBe(404)
})

test('fields that are hidden from the reader are left out: as measures, scores and counts', async () => {
  const s = await filled()
  await s.compute()
  const nurse = s.staff(s.trial, ['trial.read'])
  await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: true })
  await s.owner.do('updateDataType', s.ids.glucose, { isPii: true })
  const [whole] = (await nurse.do('readTrialInsights', s.trial)).scopes
  expect([whole!.measures, whole!.scores]).toEqual([[], []])
  expect(whole!.completeness.fields).toMatchObject({ count: 0, n: 64 })
  for (const each of [s.ids.pulse!, s.ids.glucose!, s.ids.double!, 'Pulse'])
    expect([each, JSON.stringify(whole).includes(each)]).toEqual([each, false])
  expect((await s.owner.do('readTrialInsights', s.trial)).scopes[0]!.measures).toHaveLength(3)
  // At one site only, a reader may see more.
  const special = s.staff(s.trial, ['site.read', 'site.readParticipantStudyDataRestricted'], s.south)
  expect((await special.do('readTrialInsights', s.trial)).scopes[0]!.measures.map(({ name }) => name)).toEqual([
    'Pulse',
    'Double pulse',
  ])
})

test('with trialInsightsEnabled they are kept up to date: at once, within an hour of a change, and each day', async () => {
  const s = await filled()
  const computedAt = async () => (await s.owner.do('readTrialInsights', s.trial)).computedAt
  const tick = async () => {
    await s.service.services.tick()
    await Bun.sleep(300)
  }
  await tick()
  expect(await computedAt()).toBeNull()
  await s.owner.do('updateTrial', s.trial, { trialInsightsEnabled: true })
  expect((await s.owner.do('readTrialInsights', s.trial)).message).toContain('within an hour')
  const becomes = (moment: string) =>
    until(async () => {
      await s.service.services.tick()
      return (await computedAt()) === moment
    })
  await becomes(s.now())
  const first = s.now()
  await s.enter({ pulse: 70 }, {}, s.owner, s.url(s.bert, `${s.stage}::1`))
  s.clock(HOUR - 1e6)
  await tick()
  expect(await computedAt()).toBe(first)
  s.clock(1e6)
  await becomes(s.now())
  expect((await s.owner.do('readTrialInsights', s.trial)).scopes[0]!.responses).toBe(5)
  const second = s.now()
  s.clock(2 * HOUR)
  await tick()
  expect(await computedAt()).toBe(second)
  s.clock(22 * HOUR)
  await becomes(s.now())
})

test('who asks again while the job waits gets the same job', async () => {
  const s = await filled()
  const [first, second] = await Promise.all([
    s.owner.do('askForTrialInsights', s.trial),
    s.owner.do('askForTrialInsights', s.trial),
  ])
  expect(second.jobId).toBe(first.jobId)
  const other = await s.staff(s.trial, ['trial.read']).do('askForTrialInsights', s.trial)
  expect(other.jobId).not.toBe(first.jobId)
  await ended(s.owner, first.jobId)
  expect((await s.owner.do('askForTrialInsights', s.trial)).jobId).not.toBe(first.jobId)
})

test('insights on few participants are forgotten when one of them is deleted or erased', async () => {
  const s = await filled()
  const scopes = async () => (await s.owner.do('readTrialInsights', s.trial)).scopes.length
  await s.compute()
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  expect(await scopes()).toBe(1)
  await s.owner.do('erasePersonalInformation', s.trial, s.anna, { reason: 'asked us by letter' })
  expect(await scopes()).toBe(0)
  await s.compute()
  await s.owner.do('deleteParticipant', s.trial, s.bert, { reason: 'registered twice' })
  expect(await scopes()).toBe(0)
  const many = Array.from({ length: 10 }, (_, n) => ({ participantId: `M-${n}` }))
  const { participants } = await s.owner.do('registerParticipants', s.trial, { participants: many })
  await s.compute()
  await s.owner.do('deleteParticipant', s.trial, participants[0]!._id, { reason: 'registered twice' })
  expect(await scopes()).toBe(1)
})

test('a trial or a site that is deleted takes its insights with it', async () => {
  const s = await filled()
  await s.compute()
  await s.owner.do('deleteSite', s.south)
  expect((await s.owner.call('GET', `${s.insights}?site=${s.south}`)).status).toBe(404)
  await purgeTrial(s, s.trial)
  expect(s.db.$client.query('SELECT * FROM trialInsights').all()).toEqual([])
})

test('a trial without sites, forms and participants has insights too', async () => {
  const s = await filled()
  const trial = (await s.owner.do('createTrial', s.team, { name: 'Empty' }))._id
  const { jobId } = await s.owner.do('askForTrialInsights', trial)
  expect((await ended(s.owner, jobId)).status).toBe('done')
  expect((await s.owner.do('readTrialInsights', trial)).scopes).toMatchObject([
    { participants: 0, completeness: { forms: null, fields: null }, measures: [], scores: [], adherence: { due: 0 } },
  ])
  expect(await s.owner.do('readCentralMonitoring', trial)).toMatchObject({ sites: [], comparisons: 0 })
})
