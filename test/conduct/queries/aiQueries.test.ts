import { afterEach, describe, expect, test } from 'bun:test'
import { MINUTE } from '#kernel/time'
import { world } from '../../harness'
import { study } from '../../study'
import { until } from '../../until'

type AiRequest = { messages: { role: string; content: string }[] }
const servers: { stop(force: boolean): unknown }[] = []
afterEach(() => servers.splice(0).forEach((server) => void server.stop(true)))

/** An endpoint that returns these replies one after the other, and then an empty list of queries. */
function endpoint(...answers: (unknown | (() => Promise<unknown>))[]) {
  const requests: AiRequest[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      requests.push((await request.json()) as AiRequest)
      const answer = answers[requests.length - 1] ?? { queries: [] }
      const reply = typeof answer === 'function' ? await answer() : answer
      if (reply instanceof Response) return reply
      const content = typeof reply === 'string' ? reply : JSON.stringify(reply)
      return Response.json({ choices: [{ message: { content } }] })
    },
  })
  servers.push(server)
  return { url: `http://127.0.0.1:${server.port}/v1`, asked: requests }
}

/** A study whose answers are checked by an endpoint. */
async function aiStudy(ai: ReturnType<typeof endpoint>, change: Record<string, unknown> = {}) {
  const w = world({ ai: { url: ai.url, key: 'a-secret-key', model: 'small', timeLimit: 30_000 } })
  const s = await study({ world: w, stage: { adHoc: true } })
  await s.owner.do('updateTrial', s.trial, {
    smartAutomaticQueriesEnabled: true,
    smartAutomaticQueryInstructions: 'Look at pulses.\npulse < 200',
    ...change,
  })
  const cursor = () =>
    w.db.$client.query<{ value: number }, []>(`SELECT value FROM cursors WHERE name = 'queriesOfAi'`).get()?.value
  const tick = () => w.service.services.tick()
  const sent = (n = 0) => JSON.parse(ai.asked[n]!.messages.at(-1)!.content)
  return {
    ...s,
    ai,
    cursor,
    tick,
    sentTo: sent,
    /** Ticks until the endpoint's replies to all submissions so far are stored. */
    async done() {
      const { last } = w.db.$client.query<{ last: number }, []>('SELECT max(_id) AS last FROM submissions').get()!
      await until(async () => {
        await tick()
        return cursor() === last
      })
    },
    queries: async () => (await s.owner.do('listQueries', s.trial)).queries,
  }
}

const remark = (dataType: string, text = 'Is this right?', response = '1') => ({ response, dataType, text })

describe('queries by an AI endpoint', () => {
  test('are raised on the answers that were sent, and assigned and logged as those of the rules', async () => {
    const s = await aiStudy(endpoint({ queries: [remark('pulse', 'Was the pulse counted for a minute?')] }))
    const { body } = await s.enter({ pulse: 31, smoker: ['No'] })
    await s.done()
    expect(await s.queries()).toMatchObject([
      {
        response: body._id,
        dataType: s.ids.pulse,
        isAutomatic: true,
        rule: 'ai',
        createdBy: null,
        status: 'open',
        messages: [{ createdBy: null, text: 'Was the pulse counted for a minute?' }],
      },
    ])
    const { entries } = await s.owner.do('readLogs', s.trial, { type: 'raiseQuery', userType: 'system' })
    expect(entries).toMatchObject([{ participantId: 'P-1', event: { rule: 'ai' } }])
    expect(s.sentTo()).toEqual({
      instructions: 'Look at pulses.',
      responses: [
        {
          response: '1',
          form: 'Visit',
          answers: [
            { dataType: 'pulse', title: 'Pulse', value: 31 },
            { dataType: 'smoker', title: 'Smoker', value: ['No'] },
            { dataType: 'double', title: 'Double pulse', value: 62 },
          ],
        },
      ],
    })
  })

  test('are never about restricted or personal fields: those are never sent to the endpoint', async () => {
    const s = await aiStudy(endpoint())
    await s.owner.do('updateDataType', s.ids.pulse, { isRestricted: true })
    await s.owner.do('updateDataType', s.ids.glucose, { isPii: true })
    const secret = 'Sesame Secret'
    await s.owner.do('updateParticipant', s.trial, s.anna, {
      name: secret,
      dob: '1977-07-17',
      email: 'sesame@example.org',
    })
    const table = [{ name: secret, dose: 1 }]
    const born = '1977-07-17T00:00:00.000000Z'
    await s.enter({ pulse: 77, glucose: 7.7, visitday: born })
    await s.enter({ pulse: 78, glucose: 7.8, symptom: secret, diary: secret, drugs: table, visitday: born, sleep: 4 })
    await s.done()
    const all = JSON.stringify(s.ai.asked)
    expect(s.sentTo().responses.map(({ answers }: { answers: object }) => answers)).toEqual([
      [{ dataType: 'sleep', title: 'Sleep', value: 4 }],
    ])
    for (const each of [secret, '1977', 'example.org', '7.7', '77', '154', 'P-1', s.anna, s.ids.pulse!, s.owner._id])
      expect([each, all.includes(each)]).toEqual([each, false])
  })

  test.each([
    ['not JSON', 'Everything looks fine.'],
    ['another form', { queries: [{ response: 1, dataType: 'pulse', text: 'Why?' }] }],
    ['an unknown field', { queries: [{ ...remark('pulse'), more: 1 }] }],
    ['a text that is too long', { queries: [remark('pulse', 'x'.repeat(1001))] }],
    ['no text', { queries: [remark('pulse', '')] }],
    ['about a field that was not sent', { queries: [remark('glucose')] }],
    ['about a response that was not sent', { queries: [remark('pulse', 'Why?', '2')] }],
    ['a failure', new Response('', { status: 500 })],
  ])('are requested again if the reply is %s; none of it is used', async (_, answer) => {
    const s = await aiStudy(endpoint(answer, [remark('pulse')]))
    await s.enter({ pulse: 31 })
    await s.tick()
    await until(() => s.faults.length === 1)
    expect([await s.queries(), s.cursor()]).toEqual([[], 0])
    await s.tick()
    expect(s.ai.asked).toHaveLength(1)
    s.clock(MINUTE)
    await s.done()
    expect(s.ai.asked).toHaveLength(2)
    expect(await s.queries()).toHaveLength(1)
    const faults = s.takeFaults()
    expect(faults).toHaveLength(1)
    expect(JSON.stringify(faults)).not.toContain('a-secret-key')
  })

  test('are given up after three unusable replies, but not after missing replies', async () => {
    const down = () => new Response('', { status: 503 })
    const s = await aiStudy(endpoint('?', '?', '?', down(), down(), down(), down(), [remark('pulse')]))
    await s.enter({ pulse: 31 })
    for (let n = 1; n <= 7; n++) {
      if (n === 4) await s.enter({ pulse: 32 })
      await s.tick()
      // The service does not ask again after the third unusable reply.
      await until(() => s.ai.asked.length === n && s.faults.length === (n < 3 ? n : n - 1))
      await until(() => s.cursor() === (n < 3 ? 0 : 1))
      s.clock(60 * MINUTE)
    }
    await s.done()
    expect((await s.queries()).map(({ stageRecurrence }) => stageRecurrence)).toEqual([1])
    expect(s.takeFaults()).toHaveLength(6)
  })

  test('are at most three for a response: once for each answer, and again if it changes', async () => {
    const many = ['pulse', 'pulse', 'smoker', 'double', 'sleep'].map((code) => remark(code))
    const s = await aiStudy(endpoint({ queries: many }, [remark('smoker')], [remark('smoker', 'Once more?')]))
    await s.enter({ pulse: 31, smoker: ['No'], sleep: 3 })
    await s.done()
    expect(await s.queries()).toHaveLength(2)
    for (const { _id } of await s.queries()) await s.owner.do('updateQuery', _id, { status: 'closed' })
    const at = s.url(s.anna, `${s.stage}::0`)
    await s.enter({ pulse: 32 }, {}, s.owner, at)
    await s.done()
    expect(await s.queries()).toHaveLength(2)
    await s.enter({ smoker: ['Yes'] }, {}, s.owner, at)
    await s.done()
    expect(await s.queries()).toHaveLength(3)
  })

  test('do not block: during a request submissions and due work continue, and answers changed meanwhile get no query', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const s = await aiStudy(endpoint(() => promise.then(() => [remark('pulse')])))
    await s.enter({ pulse: 31 })
    await s.tick()
    await until(() => s.ai.asked.length === 1)
    expect((await s.enter({ pulse: 71 }, {}, s.owner, s.url(s.anna, `${s.stage}::0`))).status).toBe(200)
    await s.tick()
    resolve()
    await s.done()
    expect(await s.queries()).toEqual([])
  })

  test('are requested only by studies that enable them and whose team has AI', async () => {
    const s = await aiStudy(endpoint(), { smartAutomaticQueriesEnabled: false })
    await s.enter({ pulse: 31 })
    await s.done()
    s.db.$client.run(`UPDATE teams SET features = '{"ai":false}'`)
    s.db.$client.run(`UPDATE trials SET settings = json_set(settings, '$.smartAutomaticQueriesEnabled', json('true'))`)
    await s.enter({ pulse: 32 })
    await s.done()
    expect(s.ai.asked).toEqual([])
  })
})
