import { expect, test } from 'bun:test'
import { ne } from 'drizzle-orm'
import { auditEntries, jobs } from '#db/tables/index'
import { world } from '../../harness'
import { firstOf, present } from '../../present'
import { until } from '../../until'
import { ended, prompt } from './generation.study'

test('a prompt becomes stages and data types, with an entry in the trial’s log', async () => {
  const w = world()
  const trial = w.trial()
  const { jobId } = await w.owner.do('createStage', trial, { prompt }, { creationType: 'generateFromAI' })
  const job = await ended(w.owner, jobId)
  const { stages } = await w.owner.do('listStages', trial)
  expect(job).toEqual({
    status: 'done',
    progress: 'Done.',
    error: null,
    result: { stages: stages.map(({ _id }) => _id), dataTypes: 4, notes: [] },
  })
  expect(stages.map(({ name }) => name)).toEqual(['Visit 1', 'Diary'])
  expect(stages[1]).toMatchObject({
    isRecurring: true,
    recurringFrequency: 1,
    recurringDuration: 7,
  })
  const types = w.db
    .select()
    .from(auditEntries)
    .where(ne(auditEntries.type, 'changeRows')) // of the rows that the test itself inserted
    .all()
    .map(({ type }) => type)
  expect(types).toEqual(['startGeneration', 'generateStages'])
  const colleague = w.staff(trial, ['trial.admin'])
  expect((await colleague.call('GET', `/jobs/${jobId}`)).status).toBe(404)
})

test('a second generation uses other codes, and its stages wait for existing ones or for a date', async () => {
  const w = world()
  const trial = w.trial()
  const generate = async (text: string) =>
    ended(w.owner, (await w.owner.do('createStage', trial, { prompt: text }, { creationType: 'generateFromAI' })).jobId)
  await generate('# Check, day 14\n1. Weight (kg)')
  await generate('# Day 0\n1. Weight (kg)')
  await generate('# Late check, day 42\n1. Comments')
  const { stages } = await w.owner.do('listStages', trial)
  const { anchors } = await w.owner.do('listAnchors', trial)
  expect(anchors).toMatchObject([{ name: 'Day 0', assignmentRule: { type: 'manual' } }])
  expect(firstOf(stages).enableAfter).toEqual({ type: 'anchor', anchor: firstOf(anchors)._id, delay: 14 })
  expect(present(stages[2]).enableAfter).toEqual({
    type: 'stage',
    stage: present(stages[1])._id,
    stageRecurrence: 0,
    delay: 42,
  })
  const { dataTypes } = await w.owner.do('listDataTypes', trial)
  expect(dataTypes.map(({ code }) => code)).toEqual(['weight', 'weight_2', 'comments'])
})

test('generateFromAI needs certain fields and refuses others', async () => {
  const w = world()
  const trial = w.trial()
  const url = `/trials/${trial}/stages` as const
  const ask = async (query: string, body: unknown) => {
    const { status, body: answer } = await w.owner.call('POST', url + query, body)
    return [status, Object.keys(answer.validations?.json ?? {})]
  }
  const ai = '?creationType=generateFromAI'
  expect(await ask(ai, {})).toEqual([422, ['prompt']])
  expect(await ask(ai, { prompt: '' })).toEqual([422, ['prompt']])
  expect(await ask(ai, { prompt: 'x'.repeat(50_001) })).toEqual([422, ['prompt']])
  expect(await ask(ai, { prompt, name: 'Visit' })).toEqual([422, ['name']])
  expect(await ask('', { prompt, name: 'Visit' })).toEqual([422, ['prompt']])
  expect(w.db.select().from(jobs).all()).toEqual([])
  const longest = `# Form\n1. Weight (kg)\n${'x'.repeat(50_000)}`.slice(0, 50_000)
  expect((await ask(ai, { prompt: longest }))[0]).toBe(200)
  await until(() =>
    w.db
      .select()
      .from(jobs)
      .all()
      .every(({ status }) => status !== 'pending'),
  )
})

test('403 without the permission, under the lock, and if the team has no AI', async () => {
  const w = world()
  const trial = w.trial()
  const url = `/trials/${trial}/stages?creationType=generateFromAI` as const
  const reader = w.staff(trial, ['trial.read'])
  expect((await reader.call('POST', url, { prompt })).status).toBe(403)
  w.db.$client.run('UPDATE trials SET isLocked = 1')
  expect((await w.owner.call('POST', url, { prompt })).body.message).toContain('locked')
  w.db.$client.run('UPDATE trials SET isLocked = 0')
  w.db.$client.run(`UPDATE teams SET features = '{"ai":false}'`)
  for (const path of [url, `/teams/${w.team}/trials?creationType=build`]) {
    const { status, body } = await w.owner.call('POST', path, { prompt })
    expect([status, body.details]).toEqual([
      403,
      {
        code: 'featureOff',
        params: { feature: 'ai' },
        feature: 'ai',
        manual: '/manual/permissions#if-a-feature-is-off',
      },
    ])
  }
  expect(w.db.select().from(jobs).all()).toEqual([])
})

test('a change while the job runs ends it with an error, and nothing is created', async () => {
  for (const [change, error] of [
    ['UPDATE trials SET isLocked = 1', 'locked'],
    [`UPDATE teams SET features = '{"ai":false}'`, 'switched off'],
    ['UPDATE users SET isDisabled = 1', 'permission'],
    ['DELETE FROM permissions', 'permission'],
  ] as const) {
    const w = world()
    const trial = w.trial()
    const writer = w.staff(trial, ['trial.write'])
    const { perform } = w.service.services.pool
    w.service.services.pool.perform = async (...task) => {
      const result = await perform(...task)
      w.db.$client.run(change)
      return result
    }
    const { jobId } = await writer.do('createStage', trial, { prompt }, { creationType: 'generateFromAI' })
    await until(() =>
      w.db
        .select()
        .from(jobs)
        .all()
        .every(({ status }) => status !== 'pending'),
    )
    const [job] = w.db.select().from(jobs).all()
    expect(job).toMatchObject({ _id: jobId, status: 'error', result: null })
    expect(job!.error).toContain(error)
    expect(w.db.$client.query('SELECT count(*) AS n FROM stages').get()).toEqual({ n: 0 })
    expect(w.db.$client.query('SELECT count(*) AS n FROM dataTypes').get()).toEqual({ n: 0 })
  }
})

test('a prompt that describes no study ends with an error that says so', async () => {
  const w = world()
  const { jobId } = await w.owner.do('createStage', w.trial(), { prompt: 'Hello.' }, { creationType: 'generateFromAI' })
  expect(await ended(w.owner, jobId)).toMatchObject({
    status: 'error',
    error:
      'Nothing in the text was understood as a form, a visit or a question. Found one line of text, but no table, list or numbered question: these are what forms are made from.',
  })
})
