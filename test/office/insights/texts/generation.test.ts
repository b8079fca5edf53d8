/** Texts by an AI endpoint about a participant: what is sent, what is stored, who sees it. */
import { expect, test } from 'bun:test'
import { numbersIn, personalAmong } from '#office/insights/texts/personalNumbers'
import { ended } from '../../../exchange/generation/generation.study'
import { asking, endpoint, servers } from './texts.study'

test('a text is stored with who asked for it and when, and marked as generated', async () => {
  const s = await asking()
  const asked = await s.owner.do('askForParticipantInsights', s.trial, s.anna)
  expect(asked.generation).toEqual({
    isAvailable: true,
    message: 'A text about these numbers can be asked for with POST.',
  })
  const job = await ended(s.owner, asked.jobId!)
  expect(job.status).toBe('done')
  const { texts } = await s.owner.do('readParticipantInsights', s.trial, s.anna)
  expect(texts).toEqual([
    {
      _id: job.result!.insightText as string,
      createdAt: s.now(),
      createdBy: s.owner._id,
      isGenerated: true,
      model: 'small',
      text: 'The pulse rises by 4 a day (n = 3).',
    },
  ])
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'createInsightText' })
  expect(entries).toMatchObject([{ participantId: 'P-1', userEmail: 'owner@example.org', event: { model: 'small' } }])
})

test('what is sent, byte by byte: statistics by name and day, and nothing else', async () => {
  const s = await asking()
  await s.ask()
  const [body] = s.ai.bodies
  const { messages, ...rest } = JSON.parse(body!)
  expect(rest).toEqual({ model: 'small', temperature: 0, response_format: { type: 'json_object' } })
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user'])
  expect(messages[0].content).not.toMatch(/[0-9a-f]{24}|P-1/)
  const values = (list: number[]) => list.map((value, day) => ({ day, value }))
  const slope = (estimate: number) => ({ n: 3, estimate, low: expect.any(Number), high: expect.any(Number) })
  const course = (list: number[], each: { median: number; change: object; trendPerWeek: object }) => ({
    ...{ n: 3, ...each, outliers: [] },
    values: values(list),
  })
  const rise = (baseline: number, latest: number, mean: number) => ({
    baseline,
    latest,
    toLatest: latest - baseline,
    toMean: { n: 2, estimate: mean, low: expect.any(Number), high: expect.any(Number) },
  })
  expect(JSON.parse(messages[1].content)).toEqual({
    completeness: {
      forms: { n: 4, count: 3, estimate: 0.75, low: expect.any(Number), high: expect.any(Number) },
      fields: { n: 54, count: 3, estimate: 3 / 54, low: expect.any(Number), high: expect.any(Number) },
    },
    adherence: {
      due: 3,
      onTime: 3,
      late: 0,
      missed: 0,
      by: 'week',
      periods: [{ due: 3, onTime: 3, late: 0, missed: 0 }],
    },
    hoursToAnswer: { n: 3, median: 0, lowerQuartile: 0, upperQuartile: 0 },
    measures: [
      {
        name: 'Pulse',
        unit: null,
        ...course([60, 64, 68], { median: 64, change: rise(60, 68, 6), trendPerWeek: slope(28) }),
      },
      {
        name: 'Double pulse',
        unit: null,
        ...course([120, 128, 136], { median: 128, change: rise(120, 136, 12), trendPerWeek: slope(56) }),
      },
    ],
    scores: [{ form: 'Visit', ...course([0, 2, 2], { median: 2, change: rise(0, 2, 2), trendPerWeek: slope(7) }) }],
    dropout: { level: 'low', reasons: [] },
  })
})

test('restricted and personal fields, names, addresses, IDs and dates are not among it', async () => {
  const s = await asking()
  const personal = { name: 'Sesame Secret', dob: '1977-07-17', email: 'sesame@example.org', phone: '+44 7700 900123' }
  await s.owner.do('updateParticipant', s.trial, s.anna, personal)
  await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: true })
  await s.owner.do('updateDataType', s.ids.glucose, { isPii: true })
  const said = { symptom: 'Sesame', diary: 'Secret diary', glucose: 17.3, pulse: 187, sleep: 4, girth: 190.5 }
  await s.enter(said, {}, s.owner, s.url(s.anna, `${s.stage}::3`))
  expect((await s.ask()).status).toBe('done')
  const [body] = s.ai.bodies
  const sent = JSON.parse(JSON.parse(body!).messages[1].content)
  expect(sent.measures.map(({ name }: { name: string }) => name)).toEqual(['Sleep', 'Girth'])
  expect(sent.scores).toEqual([])
  expect(sent.completeness.fields).toMatchObject({ count: 4 })
  const secrets = [
    'esame',
    'diary',
    '1977',
    'example.org',
    '7700',
    '17.3',
    '187',
    '374',
    'P-1',
    s.anna,
    s.trial,
    s.stage,
  ]
  for (const each of [...secrets, s.ids.pulse!, s.owner._id, '2026', 'a-secret-key'])
    expect([each, body!.includes(each)]).toEqual([each, false])
})

test.each([447700900123, 7700900123])(
  'the telephone number of the participant is not sent as a number: %p',
  async (value) => {
    const s = await asking()
    const card = (await s.owner.do('createDataType', s.trial, { name: 'Card', format: 'integer' }))._id
    const components = [...s.components, { id: 'card', dataType: card, title: 'Card' }]
    await s.owner.do('updateStage', s.stage, { components })
    await s.owner.do('updateParticipant', s.trial, s.anna, { phone: '+44 7700 900123' })
    const response = { [card]: { value } }
    await s.owner.put<'enterResponse'>(s.url(s.anna, `${s.stage}::3`), { response })
    expect((await s.ask()).status).toBe('done')
    const sent = JSON.parse(JSON.parse(s.ai.bodies[0]!).messages[1].content)
    expect(sent.measures.map(({ name }: { name: string }) => name)).toEqual(['Pulse', 'Double pulse'])
    expect(s.ai.bodies[0]).not.toMatch(/7700 ?900123/)
    const { measures } = await s.owner.do('readParticipantInsights', s.trial, s.anna)
    expect(measures.map(({ name }) => name)).toContain('Card')
  },
)

test('a text whose numbers came from a field that was restricted since is hidden with it', async () => {
  const s = await asking()
  await s.ask()
  const nurse = s.staff(s.trial, ['trial.read'])
  expect((await nurse.do('readParticipantInsights', s.trial, s.anna)).texts).toHaveLength(1)
  await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: true })
  expect((await nurse.do('readParticipantInsights', s.trial, s.anna)).texts).toEqual([])
  expect((await s.owner.do('readParticipantInsights', s.trial, s.anna)).texts).toHaveLength(1)
  // The numbers of asked and answered fields came from each field that was asked.
  await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: false })
  expect((await nurse.do('readParticipantInsights', s.trial, s.anna)).texts).toHaveLength(1)
  await s.owner.do('updateDataType', s.ids.diary, { isRestricted: true })
  expect((await nurse.do('readParticipantInsights', s.trial, s.anna)).texts).toEqual([])
})

test.each([
  [[{ n: 700900123 }], ['+44 7700 900123'], [700900123]],
  [[{ at: { deep: [-4711471] } }], ['P-4711471'], [-4711471]],
  [[{ n: 19710423 }], ['1971-04-23'], [19710423]],
  [[{ n: 60 }, { n: 12345 }], ['60', '12345'], []], // the same by chance
  [[{ n: 123456.5 }], ['123456'], []],
])('numbers in %j that are personal by %j: %j', (content, texts, expected) =>
  expect([...personalAmong(content.flatMap(numbersIn), texts)]).toEqual(expected),
)

test.each([
  ['not JSON', 'All is well.'],
  ['another form', { summary: 'All is well.' }],
  ['blank', { text: '  ' }],
  ['too long', { text: 'x'.repeat(10_001) }],
  ['not well-formed', '{"text": "half \\ud83d"}'],
  ['a failure', new Response('', { status: 500 })],
])('an answer that is %s ends the job with a sentence, and stores nothing', async (_, answer) => {
  const s = await asking(endpoint(answer))
  const { status, error } = await s.ask()
  expect([status, error]).toEqual(['error', expect.stringMatching(/^The answer of the AI endpoint|^The AI endpoint/)])
  expect((await s.owner.do('readParticipantInsights', s.trial, s.anna)).texts).toEqual([])
})

/** An endpoint that answers when it is told to. */
async function askingSlowly() {
  const { promise, resolve } = Promise.withResolvers<Response>()
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => promise })
  servers.push(server)
  const s = await asking({ url: `http://127.0.0.1:${server.port}/v1`, bodies: [] })
  return { ...s, answer: resolve }
}

test('a text that comes after an erasure is not stored', async () => {
  const s = await askingSlowly()
  const { jobId } = await s.owner.do('askForParticipantInsights', s.trial, s.anna)
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  await s.owner.do('erasePersonalInformation', s.trial, s.anna, { reason: 'asked us by letter' })
  s.answer(Response.json({ choices: [{ message: { content: '{"text": "Too late."}' } }] }))
  expect(await ended(s.owner, jobId!)).toMatchObject({ status: 'error', error: expect.stringContaining('erased') })
  expect(s.db.$client.query('SELECT * FROM insightTexts').all()).toEqual([])
})

test('texts can be switched off in the trial, also while one is being written', async () => {
  const { answer, ...s } = await askingSlowly()
  const { jobId } = await s.owner.do('askForParticipantInsights', s.trial, s.anna)
  await s.owner.do('updateTrial', s.trial, { participantInsightsEnabled: false })
  const refused = await s.owner.do('askForParticipantInsights', s.trial, s.anna)
  expect([refused.jobId, refused.generation]).toEqual([
    null,
    { isAvailable: false, message: 'Generated texts are switched off in this trial (participantInsightsEnabled).' },
  ])
  answer(Response.json({ choices: [{ message: { content: '{"text": "Too late."}' } }] }))
  expect(await ended(s.owner, jobId!)).toMatchObject({
    status: 'error',
    error: 'Generated texts were switched off in this trial.',
  })
  expect((await s.owner.do('readParticipantInsights', s.trial, s.anna)).texts).toEqual([])
})

test('a text goes with its participant, and is erased with their personal information', async () => {
  const s = await asking()
  await s.ask()
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  await s.owner.do('erasePersonalInformation', s.trial, s.anna, { reason: 'asked us by letter' })
  expect((await s.owner.do('readParticipantInsights', s.trial, s.anna)).texts[0]!.text).not.toContain('pulse')
  await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'registered twice' })
  expect(s.db.$client.query('SELECT * FROM insightTexts').all()).toEqual([])
})
