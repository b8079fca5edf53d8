import { expect, test } from 'bun:test'
import { jobs } from '#db/tables/index'
import { world } from '../../harness'
import { aiEndpoint } from './aiEndpoint'
import { ended, prompt } from './generation.study'

const good = {
  stages: [{ name: 'Form', components: [{ id: 'a', dataType: 'Weight', title: 'Weight', isRequired: true }] }],
  dataTypes: [{ name: 'Weight', code: 'weight', format: 'float', unit: 'kg' }],
  notes: ['A note.'],
}

const bad = { ...good, dataTypes: [{ name: 'Weight', code: 'weight', format: 'choice' }] }

const calculation = (code: string, expression: string) => ({ name: code, code, format: 'calculation', expression })

const circle = { ...good, dataTypes: [...good.dataTypes, calculation('a', 'b'), calculation('b', 'a + weight')] }

async function generated(url: string, timeLimit = 10_000) {
  const w = world({ ai: { url, key: 'a-secret-key', model: 'small', timeLimit } })
  const trial = w.trial()
  const { jobId } = await w.owner.do('createStage', trial, { prompt }, { creationType: 'generateFromAI' })
  const job = await ended(w.owner, jobId)
  expect(JSON.stringify(w.db.select().from(jobs).all())).not.toContain('a-secret-key')
  return { job, count: (await w.owner.do('listStages', trial)).stages.length }
}

test('an AI endpoint is asked for a plan; its reply is checked, and one repair is requested', async () => {
  const once = aiEndpoint(good)
  expect(await generated(once.url)).toMatchObject({
    count: 1,
    job: { status: 'done', result: { dataTypes: 1, notes: ['A note.'] } },
  })
  expect(once.asked[0]!.headers.get('authorization')).toBe('Bearer a-secret-key')
  expect(once.asked[0]!.body).toMatchObject({
    model: 'small',
    messages: [{ role: 'system' }, { role: 'user', content: prompt }],
  })
  const twice = aiEndpoint(bad, good)
  expect((await generated(twice.url)).job.status).toBe('done')
  expect(twice.asked[1]!.body.messages.at(-1)!.content).toContain('Must have at least one option.')
})

test('a plan that closes a circle with a calculation of the trial ends with an error that says so', async () => {
  const own = { ...good, dataTypes: [...good.dataTypes, calculation('a', 'own + 1')] }
  const w = world({ ai: { url: aiEndpoint(own, own).url, key: 'k', model: 'small', timeLimit: 30_000 } })
  const trial = w.trial()
  await w.owner.do('createDataType', trial, { name: 'Own', format: 'calculation', expression: 'a + 1' })
  const { jobId } = await w.owner.do('createStage', trial, { prompt }, { creationType: 'generateFromAI' })
  const { status, error } = await ended(w.owner, jobId)
  const circle = 'These depend on each other in a circle: “a” → “Own” → “a”.'
  expect([status, error]).toEqual(['error', `The request is not valid: importData: ${circle}`])
  expect((await w.owner.do('listDataTypes', trial)).dataTypes).toHaveLength(1)
})

test('an AI endpoint that fails ends the job with the reason', async () => {
  for (const [answers, reason] of [
    [[bad, bad], 'also after one repair: The data type "weight": options'],
    [[bad, circle], 'repair: These depend on each other in a circle: “a” → “b” → “a”.'],
    [[{ stages: 1 }, 'text'], 'also after one repair'],
    [[new Response('a-secret-key', { status: 500 })], 'answered with status 500'],
    [[new Response('{}')], 'does not have the form of chat completions'],
    [[], 'The AI endpoint gave no answer. It did not answer in time.'],
  ] as const) {
    const { job, count } = await generated(aiEndpoint(...answers).url, answers.length ? 10_000 : 200)
    expect([job.status, count]).toEqual(['error', 0])
    expect(job.error).toContain(reason)
    expect(job.error).not.toContain('a-secret-key')
  }
  expect((await generated('http://localhost:1/')).job.error).toBe(
    'The AI endpoint gave no answer. It could not be reached (ECONNREFUSED).',
  )
})
