/** Texts by an AI endpoint about a whole trial. */
import { expect, test } from 'bun:test'
import { ended } from '../../../exchange/generation/generation.study'
import { asking, endpoint } from './texts.study'

async function askingAboutTrial(answer?: unknown) {
  const s = await asking(endpoint(answer ?? { text: 'Half of the forms come on time.' }))
  const url = `/trials/${s.trial}/insights` as const
  return {
    ...s,
    insights: url,
    compute: async () => ended(s.owner, (await s.owner.do('askForTrialInsights', s.trial)).jobId),
  }
}

test('are stored beside the numbers that they are about, for people who see the whole trial', async () => {
  const s = await askingAboutTrial()
  expect(await s.compute()).toMatchObject({ status: 'done' })
  const { computedAt, scopes, texts, generation } = await s.owner.do('readTrialInsights', s.trial)
  expect([computedAt, scopes[0]!.responses, generation.isAvailable]).toEqual([s.now(), 3, true])
  expect(texts).toMatchObject([
    {
      createdAt: s.now(),
      createdBy: s.owner._id,
      isGenerated: true,
      model: 'small',
      text: 'Half of the forms come on time.',
    },
  ])
  const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'NO' }))._id
  await s.owner.do('addSiteMember', site, s.anna)
  expect((await s.staff(s.trial, ['site.read'], site).do('readTrialInsights', s.trial)).texts).toEqual([])
  // A text about the trial is none about its participants.
  expect((await s.owner.do('readParticipantInsights', s.trial, s.anna)).texts).toEqual([])
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'createInsightText' })
  expect(entries).toMatchObject([{ userEmail: 'owner@example.org', event: { model: 'small' } }])
})

test('what is sent: statistics by name, and nothing of restricted and personal fields, IDs or dates', async () => {
  const s = await askingAboutTrial()
  await s.owner.do('updateParticipant', s.trial, s.anna, { name: 'Sesame Secret', email: 'sesame@example.org' })
  await s.owner.do('updateDataType', s.ids.glucose, { isPii: true })
  await s.enter({ symptom: 'Sesame', glucose: 17.3, sleep: 4 }, {}, s.owner, s.url(s.anna, `${s.stage}::3`))
  await s.compute()
  const [body] = s.ai.bodies
  const sent = JSON.parse(JSON.parse(body!).messages[1].content)
  expect(Object.keys(sent).sort()).toEqual(
    ['adherence', 'completeness', 'dropout', 'hoursToAnswer', 'measures', 'participants', 'responses', 'scores'].sort(),
  )
  expect(sent).toMatchObject({ participants: 3, responses: 4, scores: [{ form: 'Visit' }] })
  expect(sent.measures.map(({ name }: { name: string }) => name)).toEqual(['Pulse', 'Double pulse', 'Sleep'])
  const secrets = ['esame', 'example.org', '17.3', 'Glucose', 'P-1', '2026', s.anna, s.trial, s.stage, s.ids.pulse!]
  for (const each of secrets) expect([each, body!.includes(each)]).toEqual([each, false])
  expect(body).not.toMatch(/[0-9a-f]{24}/)
  await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: true })
  await s.compute()
  const again = JSON.parse(JSON.parse(s.ai.bodies[1]!).messages[1].content)
  expect(again.measures.map(({ name }: { name: string }) => name)).toEqual(['Sleep'])
  expect(again.scores).toEqual([])
  // The first text came from a field that is restricted now.
  const { texts } = await s.staff(s.trial, ['trial.read']).do('readTrialInsights', s.trial)
  expect(texts).toHaveLength(1)
  expect((await s.owner.do('readTrialInsights', s.trial)).texts).toHaveLength(2)
})

test('a measure whose numbers are telephone numbers of participants is not sent', async () => {
  const s = await askingAboutTrial()
  const card = (await s.owner.do('createDataType', s.trial, { name: 'Card', format: 'integer' }))._id
  await s.owner.do('updateStage', s.stage, {
    components: [...s.components, { id: 'card', dataType: card, title: 'Card' }],
  })
  await s.owner.do('updateParticipant', s.trial, s.bert, { phone: '+44 7700 900123' })
  await s.owner.put<'enterResponse'>(s.url(s.bert, `${s.stage}::0`), { response: { [card]: { value: 447700900123 } } })
  await s.compute()
  expect((await s.owner.do('readTrialInsights', s.trial)).scopes[0]?.measures.map(({ name }) => name)).toContain('Card')
  expect(s.ai.bodies[0]).toContain('Pulse')
  expect(s.ai.bodies[0]).not.toMatch(/7700 ?900123/)
})

test('without a text that can be used, the numbers are kept, and the job says why', async () => {
  const s = await askingAboutTrial('No JSON.')
  const problem = 'The answer of the AI endpoint is not valid JSON.'
  expect(await s.compute()).toMatchObject({ status: 'done', result: { insightText: null, problem } })
  expect(await s.owner.do('readTrialInsights', s.trial)).toMatchObject({ computedAt: s.now(), texts: [] })
})

test('while trialInsightsEnabled is false, POST computes the numbers and asks nobody', async () => {
  const s = await askingAboutTrial()
  await s.owner.do('updateTrial', s.trial, { trialInsightsEnabled: false })
  const { jobId, generation } = await s.owner.do('askForTrialInsights', s.trial)
  expect(generation).toMatchObject({ isAvailable: false, message: expect.stringContaining('trialInsightsEnabled') })
  expect(await ended(s.owner, jobId)).toMatchObject({ status: 'done' })
  expect(await s.owner.do('readTrialInsights', s.trial)).toMatchObject({ computedAt: s.now(), texts: [] })
  expect(s.ai.bodies).toEqual([])
})
