import { afterEach, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow } from 'docx'
import { utils, write } from 'xlsx'
import { auditEntries, files, jobs } from '#db/tables/index'
import { newStoredName, uploadPath } from '#storage/names'
import { type World, world } from '../../harness'
import { until } from '../../storage/shelf'

const prompt =
  '# Visit 1\n1. Weight (kg)\n2. Do you smoke?\n3. Cigarettes per day (0-100)\n\n# Diary, daily for 7 days\n- Pain (0–10)'

const servers: { stop(force: boolean): unknown }[] = []
afterEach(() => servers.splice(0).forEach((server) => void server.stop(true)))

/** The job as it ended. */
async function ended(who: World['owner'], jobId: string) {
  await until(async () => (await who.get(`/jobs/${jobId}`)).status !== 'pending')
  return who.get(`/jobs/${jobId}`)
}

/** Puts a finished upload into the data directory. */
async function upload(
  w: World,
  name: string,
  content: Uint8Array | string,
  change: Partial<typeof files.$inferInsert> = {},
) {
  const storedName = newStoredName(name, 0)
  const path = uploadPath(join(w.directory, 'files'), storedName)
  mkdirSync(dirname(path), { recursive: true })
  await Bun.write(path, content)
  const owner = { forType: 'team' as const, forId: w.team, createdBy: w.owner._id }
  w.db
    .insert(files)
    .values({
      storedName,
      createdAt: 0,
      kind: 'upload',
      ...owner,
      name,
      type: 'application/octet-stream',
      size: 1,
      finishedAt: 1,
      ...change,
    })
    .run()
  return storedName
}

test('a prompt becomes stages and data types, and the trial’s log says so', async () => {
  const w = world()
  const trial = w.trial()
  const url = `/trials/${trial}/stages`
  const { jobId } = await w.owner.post(`${url}?creationType=generateFromAI`, { prompt })
  const job = await ended(w.owner, jobId)
  const { stages } = await w.owner.get(url)
  expect(job).toEqual({
    status: 'done',
    progress: 'Done.',
    error: null,
    result: { stages: stages.map(({ _id }: { _id: string }) => _id), dataTypes: 4, notes: [] },
  })
  expect(stages.map(({ name }: { name: string }) => name)).toEqual(['Visit 1', 'Diary'])
  expect(stages[1]).toMatchObject({
    isRecurring: true,
    recurringFrequency: 1,
    recurringDuration: 7,
  })
  const types = w.db
    .select()
    .from(auditEntries)
    .all()
    .map(({ type }) => type)
  expect(types).toEqual(['startGeneration', 'generateStages'])
  const colleague = w.staff(trial, ['trial.admin'])
  expect((await colleague.call('GET', `/jobs/${jobId}`)).status).toBe(404)
  expect(w.faults).toEqual([])
})

test('a second time codes are kept apart, and stages wait for those that are there, or for a date', async () => {
  const w = world()
  const trial = w.trial()
  const url = `/trials/${trial}/stages`
  const generate = async (text: string) =>
    ended(w.owner, (await w.owner.post(`${url}?creationType=generateFromAI`, { prompt: text })).jobId)
  await generate('# Check, day 14\n1. Weight (kg)')
  await generate('# Day 0\n1. Weight (kg)')
  await generate('# Late check, day 42\n1. Comments')
  const { stages } = await w.owner.get(url)
  const { anchors } = await w.owner.get(`/trials/${trial}/anchors`)
  expect(anchors).toMatchObject([{ name: 'Day 0', assignmentRule: { type: 'manual' } }])
  expect(stages[0].enableAfter).toEqual({ type: 'anchor', anchor: anchors[0]._id, delay: 14 })
  expect(stages[2].enableAfter).toEqual({ type: 'stage', stage: stages[1]._id, stageRecurrence: 0, delay: 42 })
  const { dataTypes } = await w.owner.get(`/trials/${trial}/data-types`)
  expect(dataTypes.map(({ code }: { code: string }) => code)).toEqual(['weight', 'weight_2', 'comments'])
})

test('what goes with generateFromAI, and what does not', async () => {
  const w = world()
  const trial = w.trial()
  const url = `/trials/${trial}/stages`
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

test('403 without the permission, with the lock, and where the team has no AI', async () => {
  const w = world()
  const trial = w.trial()
  const url = `/trials/${trial}/stages?creationType=generateFromAI`
  const reader = w.staff(trial, ['trial.read'])
  expect((await reader.call('POST', url, { prompt })).status).toBe(403)
  w.db.$client.run('UPDATE trials SET isLocked = 1')
  expect((await w.owner.call('POST', url, { prompt })).body.message).toContain('locked')
  w.db.$client.run('UPDATE trials SET isLocked = 0')
  w.db.$client.run(`UPDATE teams SET features = '{"ai":false}'`)
  for (const path of [url, `/teams/${w.team}/trials?creationType=build`]) {
    const { status, body } = await w.owner.call('POST', path, { prompt })
    expect([status, body.details]).toEqual([403, { feature: 'ai', manual: '/manual/permissions#if-a-feature-is-off' }])
  }
  expect(w.db.select().from(jobs).all()).toEqual([])
})

test('what changed while the job ran ends it in an error, and nothing is made', async () => {
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
    const { jobId } = await writer.post(`/trials/${trial}/stages?creationType=generateFromAI`, { prompt })
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

test('a prompt in which nothing is understood ends in an error that says so', async () => {
  const w = world()
  const { jobId } = await w.owner.post(`/trials/${w.trial()}/stages?creationType=generateFromAI`, { prompt: 'Hello.' })
  expect(await ended(w.owner, jobId)).toMatchObject({
    status: 'error',
    error:
      'Nothing in the text was understood as a form, a visit or a question. Found one line of text, but no table, list or numbered question: these are what forms are made from.',
  })
})

async function documents() {
  const cell = (text: string) => new TableCell({ children: [new Paragraph(text)] })
  const word = new Document({
    sections: [
      {
        children: [
          new Paragraph({ text: 'Screening visit', heading: HeadingLevel.HEADING_1 }),
          new Paragraph({ text: 'Date of birth (required)', bullet: { level: 0 } }),
          new Table({
            rows: [
              ['How was it', 'Bad', 'Good'],
              ['Sleep', '', ''],
            ].map((row) => new TableRow({ children: row.map(cell) })),
          }),
        ],
      },
    ],
  })
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  const page = pdf.addPage()
  page.drawText('Visit 2, day 14', { x: 50, y: 700, size: 20, font })
  page.drawText('1. Temperature (°C)', { x: 50, y: 650, size: 12, font })
  const book = utils.book_new()
  const rows = [
    ['Form', 'Question', 'Type', 'Options', 'Required'],
    ['Side effects', 'Severity', 'choice', 'Mild; Moderate; Severe', 'yes'],
    ['Side effects', 'Onset', 'date', '', ''],
  ]
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Sheet1')
  return {
    'protocol.docx': new Uint8Array(await Packer.toBuffer(word)),
    'visits.pdf': await pdf.save(),
    'fields.xlsx': new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' })),
    'more.csv': 'Question,Unit\nWaist,cm\n',
    'notes.md': '# Weekly survey\nWeekly for 8 weeks.\n\n1. Do you sleep well?\n',
    'end.txt': 'FINAL VISIT\n\n1. Comments\n',
  }
}

test('a prompt and documents of every kind become a trial', async () => {
  const w = world()
  const creator = w.invite(['trials.create'])
  const stored: string[] = []
  for (const [name, content] of Object.entries(await documents())) stored.push(await upload(w, name, content))
  const { jobId } = await creator.post(`/teams/${w.team}/trials?creationType=build`, {
    prompt: '# Baseline visit\n1. Weight (kg)',
    files: stored,
    name: 'Sleep',
  })
  await until(async () => (await creator.get(`/jobs/${jobId}`)).status !== 'pending')
  const { status, error, result } = await creator.get(`/jobs/${jobId}`)
  expect([status, error]).toEqual(['done', null])
  const { notes, ...trial } = result
  expect(trial).toEqual(await creator.get(`/trials/${trial._id}`))
  expect(trial).toMatchObject({ name: 'Sleep', code: 'sleep', restrictRegistration: true, team: w.team })
  expect(notes).toBeArray()
  const { stages } = await creator.get(`/trials/${trial._id}/stages`)
  const { dataTypes } = await creator.get(`/trials/${trial._id}/data-types`)
  expect(stages.map(({ name }: { name: string }) => name)).toEqual([
    'Baseline visit',
    'Screening visit',
    'Visit 2',
    'Side effects',
    'More',
    'Weekly survey',
    'FINAL VISIT',
  ])
  expect(dataTypes.map(({ code, format }: { code: string; format: string }) => `${code}:${format}`)).toEqual([
    'weight:float',
    'date_of_birth:date',
    'how_was_it:likert',
    'temperature:float',
    'severity:choice',
    'onset:date',
    'waist:float',
    'do_you_sleep_well:choice',
    'comments:paragraph',
  ])
  expect(stages[2].enableAfter).toEqual({ type: 'stage', stage: stages[0]._id, stageRecurrence: 0, delay: 14 })
  expect(stages[1].components[0].isRequired).toBe(true)
  const { entries } = await creator.get(`/trials/${trial._id}/logs?type=createTrial`)
  expect(entries[0]).toMatchObject({ userEmail: creator.email })
})

test('files that cannot be used are 400, those that cannot be read end the job, naming the file', async () => {
  const w = world()
  const url = `/teams/${w.team}/trials?creationType=build`
  const other = w.neighbours()
  for (const [name, change] of [
    ['a.txt', { forId: other.team }],
    ['a.txt', { forType: 'user', forId: other.owner._id }],
    ['a.txt', { finishedAt: null }],
    ['a.exe', {}],
  ] as const) {
    const { status } = await w.owner.call('POST', url, { prompt, files: [await upload(w, name, 'x', change)] })
    expect(status).toBe(400)
  }
  w.clock(60_000_000)
  expect((await w.owner.call('POST', url, { prompt, files: ['nothing'] })).status).toBe(400)
  for (const [body, field] of [
    [{}, 'prompt'],
    [{ prompt: 'x'.repeat(50_001) }, 'prompt'],
    [{ prompt, files: Array(21).fill('a') }, 'files'],
    [{ prompt, copyFrom: '0'.repeat(24) }, 'copyFrom'],
  ] as const) {
    w.clock(60_000_000)
    const { status, body: answer } = await w.owner.call('POST', url, body)
    expect([status, Object.keys(answer.validations.json)]).toEqual([422, [field]])
  }
  expect((await w.owner.call('POST', `/teams/${w.team}/trials`, { name: 'A trial', prompt })).status).toBe(422)
  w.clock(120_000_000)
  for (const name of ['bad.docx', 'bad.pdf', 'bad.xlsx', 'empty.txt']) {
    const file = await upload(w, name, name === 'empty.txt' ? ' ' : 'no such thing', {
      forType: 'user',
      forId: w.owner._id,
    })
    const { jobId } = await w.owner.post(url, { prompt, files: [file] })
    const { status, error } = await ended(w.owner, jobId)
    expect(status).toBe('error')
    expect(error).toStartWith(`The file “${name}” cannot be read: it `)
  }
  expect((await w.owner.get(`/teams/${w.team}/trials`)).trials).toEqual([])
})

const good = {
  stages: [{ name: 'Form', components: [{ id: 'a', dataType: 'Weight', title: 'Weight', isRequired: true }] }],
  dataTypes: [{ name: 'Weight', code: 'weight', format: 'float', unit: 'kg' }],
  notes: ['A note.'],
}
const bad = { ...good, dataTypes: [{ name: 'Weight', code: 'weight', format: 'choice' }] }

const calculation = (code: string, expression: string) => ({ name: code, code, format: 'calculation', expression })
const circle = { ...good, dataTypes: [...good.dataTypes, calculation('a', 'b'), calculation('b', 'a + weight')] }

/** An endpoint that answers so, one after the other. */
function endpoint(...answers: (unknown | Response)[]) {
  const asked: { headers: Headers; body: { model: string; messages: { role: string; content: string }[] } }[] = []
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      asked.push({ headers: request.headers, body: (await request.json()) as never })
      const answer = answers[asked.length - 1]
      if (answer === undefined) return new Promise<Response>(() => {})
      if (answer instanceof Response) return answer
      return Response.json({ choices: [{ message: { content: JSON.stringify(answer) } }] })
    },
  })
  servers.push(server)
  return { url: `http://localhost:${server.port}/v1/`, asked }
}

async function generated(url: string, timeLimit = 10_000) {
  const w = world({ ai: { url, key: 'a-secret-key', model: 'small', timeLimit } })
  const trial = w.trial()
  const { jobId } = await w.owner.post(`/trials/${trial}/stages?creationType=generateFromAI`, { prompt })
  const job = await ended(w.owner, jobId)
  expect(JSON.stringify(w.db.select().from(jobs).all())).not.toContain('a-secret-key')
  return { job, count: (await w.owner.get(`/trials/${trial}/stages`)).stages.length }
}

test('an AI endpoint is asked for the plan, whose answer is checked and repaired once', async () => {
  const once = endpoint(good)
  expect(await generated(once.url)).toMatchObject({
    count: 1,
    job: { status: 'done', result: { dataTypes: 1, notes: ['A note.'] } },
  })
  expect(once.asked[0]!.headers.get('authorization')).toBe('Bearer a-secret-key')
  expect(once.asked[0]!.body).toMatchObject({
    model: 'small',
    messages: [{ role: 'system' }, { role: 'user', content: prompt }],
  })
  const twice = endpoint(bad, good)
  expect((await generated(twice.url)).job.status).toBe('done')
  expect(twice.asked[1]!.body.messages.at(-1)!.content).toContain('Must have at least one option.')
})

test('a plan that closes a circle with a calculation of the trial ends in an error that says so', async () => {
  const own = { ...good, dataTypes: [...good.dataTypes, calculation('a', 'own + 1')] }
  const w = world({ ai: { url: endpoint(own, own).url, key: 'k', model: 'small', timeLimit: 10_000 } })
  const trial = w.trial()
  await w.owner.post(`/trials/${trial}/data-types`, { name: 'Own', format: 'calculation', expression: 'a + 1' })
  const { jobId } = await w.owner.post(`/trials/${trial}/stages?creationType=generateFromAI`, { prompt })
  const { status, error } = await ended(w.owner, jobId)
  const circle = 'These depend on each other in a circle: “a” → “Own” → “a”.'
  expect([status, error]).toEqual(['error', `The request is not valid: importData: ${circle}`])
  expect((await w.owner.get(`/trials/${trial}/data-types`)).dataTypes).toHaveLength(1)
})

test('an AI endpoint that fails ends the job with the reason', async () => {
  for (const [answers, reason] of [
    [[bad, bad], 'also after one repair: The data type "weight": options'],
    [[bad, circle], 'repair: These depend on each other in a circle: “a” → “b” → “a”.'],
    [[{ stages: 1 }, 'text'], 'also after one repair'],
    [[new Response('a-secret-key', { status: 500 })], 'answered with status 500'],
    [[new Response('{}')], 'another form'],
    [[], 'did not answer within 1 seconds'],
  ] as const) {
    const { job, count } = await generated(endpoint(...answers).url, answers.length ? 10_000 : 200)
    expect([job.status, count]).toEqual(['error', 0])
    expect(job.error).toContain(reason)
    expect(job.error).not.toContain('a-secret-key')
  }
  expect((await generated('http://localhost:1/')).job.error).toBe('The AI endpoint cannot be reached.')
})
