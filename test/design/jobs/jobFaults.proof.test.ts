/** Work that fails: a refusal is shown with its reason; a defect is logged, and shown without details. */
import { describe, expect, test } from 'bun:test'
import { openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { undoLastTries } from '#jobs/store'
import type { Id } from '#kernel/id'
import { openLog } from '#server/process/log'
import { afterKill, type Person, world } from '../../harness'
import { study } from '../../study'
import { reuseThreads } from '../../threads'
import { until } from '../../until'

const prompt = '# Baseline visit\n1. Weight (kg)'

const startThread = reuseThreads(() => new Worker(new URL('./faultyWorker.ts', import.meta.url).href))

/** A study whose worker thread fails as the test says. */
async function failing() {
  const w = world({ startThread })
  const s = await study({ world: w })
  await s.enter({ pulse: 60 })
  const fault = join(w.directory, 'fault')
  const stages = async () => (await s.owner.do('listStages', s.trial)).stages.length
  return {
    ...s,
    stages,
    fail: (how: string) => writeFileSync(fault, how),
    mend: () => rmSync(fault),
    generate: async (): Promise<Id> =>
      (await s.owner.do('createStage', s.trial, { prompt }, { creationType: 'generateFromAI' })).jobId,
    record: async (): Promise<Id> => (await s.owner.do('exportStudyRecord', s.trial)).jobId,
  }
}

async function ended(owner: Person, job: Id) {
  await until(async () => (await owner.do('readJob', job)).status !== 'pending')
  return owner.do('readJob', job)
}

const DEFECTS: [string, RegExp][] = [
  ['defect', /^undefined is not a person/],
  ['text', /^Work threw only a text$/],
  ['disk', /^no space left on device/],
  ['nonsense', /./],
  ['exit', /^The worker thread stopped/],
  ['uncaught', /^The worker thread stopped: [\s\S]*nobody caught this/],
]

describe('a job', () => {
  test.each(DEFECTS)(
    'with a defect (%s) ends with an error, the log has the details, and the next job is done',
    async (how, says) => {
      const s = await failing()
      s.fail(how)
      const job = await s.generate()
      expect(await ended(s.owner, job)).toEqual({
        status: 'error',
        progress: 'Failed.',
        result: null,
        error:
          how === 'disk'
            ? 'The disk of the server is full: nothing was changed. Try again when its operator has made room.'
            : `The server could not do this. Its log says more: look there for job ${job}.`,
      })
      const faults = s.takeFaults()
      expect(faults).toEqual([[`job ${job} (readProtocol)`, expect.any(Error)]])
      const [[, reason]] = faults as [[string, Error]]
      expect(reason.message).toMatch(says)
      expect(await s.stages()).toBe(1)
      s.mend()
      expect((await ended(s.owner, await s.generate())).status).toBe('done')
      expect(await s.stages()).toBe(2)
    },
  )

  test.each([
    ['defect', 'TypeError'],
    ['uncaught', 'Error'],
  ])('logs the name and stack that a fault (%s) had on its thread, but not its message', async (how, name) => {
    const s = await failing()
    s.fail(how)
    const job = await s.generate()
    await ended(s.owner, job)
    const [[about, reason]] = s.takeFaults() as [[string, Error]]
    const path = join(s.directory, 'log')
    const log = openLog('json', { fd: openSync(path, 'w') })
    log.failure(about, reason)
    await log.close()
    const line = readFileSync(path, 'utf8')
    expect(line).toContain(`"kind":"${name}"`)
    expect(line).toContain('faultyWorker.ts')
    expect(line).toContain(job)
    expect(line).not.toContain('evaluating')
  })

  test('that is refused shows why, and reports no fault', async () => {
    const s = await failing()
    s.fail('refusal')
    expect(await ended(s.owner, await s.generate())).toMatchObject({
      status: 'error',
      error: 'The job has ended already.',
    })
    expect(s.faults).toEqual([])
  })

  test('whose stored input is invalid for its kind is not done', async () => {
    const s = await failing()
    s.service.services.pool.perform = () => new Promise(() => {})
    const job = await s.generate()
    s.db.$client.run(`UPDATE jobs SET input = json_remove(input, '$.into')`)
    const after = afterKill(s)
    const read = () =>
      after.services.db.$client
        .query<{ status: string; error: string }, [Id]>('SELECT * FROM jobs WHERE _id = ?')
        .get(job)!
    await until(() => read().status !== 'pending')
    expect(read()).toMatchObject({ status: 'error', error: expect.stringContaining(`look there for job ${job}.`) })
    expect(after.takeFaults()).toHaveLength(1)
  })

  test('whose result cannot be stored leaves no file behind', async () => {
    const s = await failing()
    const { files, exports } = s.service.services.storage
    const before = readdirSync(files, { recursive: true }).length
    const { pool } = s.service.services
    const { perform } = pool
    pool.perform = async (...task) => {
      const result = await perform(...task)
      expect(readdirSync(exports)).toHaveLength(1)
      s.db.$client.run(`CREATE TRIGGER noFile BEFORE INSERT ON files BEGIN SELECT RAISE(ABORT, 'no file today'); END`)
      return result
    }
    const job = await s.record()
    expect(await ended(s.owner, job)).toMatchObject({ status: 'error', error: expect.stringContaining(job) })
    expect(s.takeFaults()).toEqual([
      [`job ${job} (studyRecord)`, expect.objectContaining({ message: 'no file today' })],
    ])
    await until(() => readdirSync(exports).length === 0)
    expect(readdirSync(files, { recursive: true })).toHaveLength(before)
  })
})

test('a job that a kill interrupted is done at the next start, and its plan is applied once', async () => {
  const s = await failing()
  s.service.services.pool.perform = () => new Promise(() => {})
  const [plan, record] = [await s.generate(), await s.record()]
  const after = afterKill(s)
  const { $client: sqlite } = after.services.db
  const pending = () => sqlite.query(`SELECT 1 FROM jobs WHERE status = 'pending'`).all().length
  await until(() => pending() === 0)
  const read = async (path: string) => {
    const request = new Request(`http://localhost${path}`, { headers: s.owner.credentials })
    return JSON.parse(await (await after.handle(request, null)).text())
  }
  const { status, result } = await read(`/jobs/${plan}`)
  expect([status, result.stages.length]).toEqual(['done', 1])
  const { stages } = await read(`/trials/${s.trial}/stages`)
  expect(stages.map(({ _id }: { _id: Id }) => _id)).toContain(result.stages[0])
  expect(stages).toHaveLength(2)
  const made = await read(`/jobs/${record}`)
  expect(made).toMatchObject({ status: 'done', result: { counts: { responses: 1 } } })
  expect((await after.storage(new Request(made.result.request), { timeout: () => {} })).status).toBe(200)
})

test('a job that was running at three kills ends in an error; the one beside it is done', async () => {
  const s = await failing()
  s.fail('hang')
  const [killer, other] = [await s.generate(), await s.record()]
  const jobsOf = ({ db }: { db: typeof s.db }) =>
    db.$client
      .query<{ job: string }, []>(`SELECT tries || ' ' || status AS job FROM jobs ORDER BY _id`)
      .all()
      .map(({ job }) => job)
  await until(() => `${jobsOf(s)}` === '1 pending,1 pending')
  const folderOf = ({ services }: ReturnType<typeof afterKill>) => join(services.storage.files, '..')
  const again = (directory: string) => afterKill({ directory, now: s.now }, { startThread })
  const second = again(s.directory)
  await until(() => `${jobsOf(second.services)}` === '2 pending,2 pending')
  // Of two that may be the cause, one is started at a time.
  const third = again(folderOf(second))
  await until(() => `${jobsOf(third.services)}` === '3 pending,2 pending')
  await Bun.sleep(50)
  expect(jobsOf(third.services)).toEqual(['3 pending', '2 pending'])
  rmSync(join(folderOf(third), 'fault'))
  const fourth = again(folderOf(third))
  await until(() => jobsOf(fourth.services).every((job) => !job.includes('pending')))
  expect(jobsOf(fourth.services)).toEqual(['3 error', '3 done'])
  expect(fourth.takeFaults()).toEqual([[`job ${killer} (readProtocol)`, expect.any(Error)]])
  const request = new Request(`http://localhost/jobs/${killer}`, { headers: s.owner.credentials })
  const told = JSON.parse(await (await fourth.handle(request, null)).text())
  expect([told.status, told.error]).toEqual(['error', expect.stringContaining(`look there for job ${killer}`)])
  expect(other).not.toBe(killer)
})

test('a stop that was asked for does not count as a try of the jobs that run', async () => {
  const s = await failing()
  s.fail('hang')
  await s.generate()
  const triesIn = (db: typeof s.db) => db.$client.query<{ tries: number }, []>('SELECT tries FROM jobs').get()?.tries
  await until(() => triesIn(s.db) === 1)
  undoLastTries(s.db)
  const next = afterKill(s, { startThread })
  await until(() => triesIn(next.services.db) === 1)
})

/** Requests that wait for a worker thread, and which of them add an audit entry of an import or export. */
const waiting = (s: Awaited<ReturnType<typeof failing>>): [string, string, object?][] => [
  ['GET', `/trials/${s.trial}/responses`],
  ['GET', `/trials/${s.trial}/stages/${s.stage}/responses`],
  ['GET', `/trials/${s.trial}/structure?format=odm`],
  ['GET', `/stages/${s.stage}?format=pdf`],
  [
    'POST',
    `/trials/${s.trial}/stages?creationType=importFromExternalTool`,
    {
      importData: {
        source: 'redcap',
        content: 'Variable / Field Name,Form Name,Field Type,Field Label\nheight,body,text,Height\n',
      },
    },
  ],
]

describe('a request that waits for a worker', () => {
  test.each<[string, number, string, number]>([
    ['refusal', 400, 'The job has ended already.', 0],
    ['disk', 507, 'The disk of the server is full', 1],
    ['defect', 500, 'Something went wrong in the service', 1],
    ['exit', 500, 'Something went wrong in the service', 1],
  ])('gets the error of the work (%s): %i', async (how, status, message, count) => {
    const s = await failing()
    for (const [method, url, body] of waiting(s)) {
      s.fail(how)
      const answer = await s.owner.call(method, url, body)
      expect([url, answer.status, answer.body.message]).toEqual([url, status, expect.stringContaining(message)])
      if (status < 500) expect(answer.body.details).toEqual({ code: 'jobEnded', moon: 'full' })
      expect([url, s.takeFaults().length]).toEqual([url, count])
      s.mend()
      expect([url, (await s.owner.call(method, url, body)).status]).toEqual([url, 200])
    }
  })
})
