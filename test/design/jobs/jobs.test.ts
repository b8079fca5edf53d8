import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { insertApiKey } from '#accounts/users/apiKeys'
import { insertOwner } from '#accounts/users/owner'
import { insertJob } from '#jobs/queue'
import { newId } from '#kernel/id'
import { openService } from '#server/service'
import { program } from '#start/program'
import { keyed, anything as something } from '#wire/schema'
import { type World, world } from '../../harness'
import { temporaryFolder } from '../../temporary'
import { until } from '../../until'

const nothing = { kind: 'noSuchKind', input: {} }
const anything = keyed(something())

/** The input of a job that changes nothing and ends soon. */
const exporting = (trial: string) => ({
  kind: 'exportResponses',
  input: { format: 'csv', trial, stage: null, needs: [], access: { trial: [], places: [] }, file: 'a.json' },
})

/** A job of the owner, started as an operation does it. */
const started = (to: World, task: { kind: string; input: Record<string, unknown> } = nothing) =>
  insertJob(
    to.db,
    { kind: task.kind, input: anything },
    { _id: newId(0), createdAt: 0, user: to.owner._id, trial: null, input: task.input },
  ).jobId

test('a job is pending until it ends; a failed one has an error that says why', async () => {
  const here = world()
  const { owner, service } = here
  const job = started(here)
  expect(await owner.do('readJob', job)).toEqual({
    status: 'pending',
    progress: 'Waiting to start.',
    result: null,
    error: null,
  })
  await service.services.startJob(job)
  expect(await owner.do('readJob', job)).toEqual({
    status: 'error',
    progress: 'Failed.',
    result: null,
    error: 'There is no kind of work called noSuchKind.',
  })
  expect(here.takeFaults()).toEqual([
    [`job ${job} (noSuchKind)`, new Error('There is no kind of work called noSuchKind.')],
  ])
})

test('a job that is done has its result', async () => {
  const here = world()
  const { owner, service } = here
  const job = started(here, exporting(here.trial()))
  service.services.pool.perform = async (_task, hearing) => {
    hearing?.progress?.('Half way.')
    return { request: 'https://example.org/file' }
  }
  await service.services.startJob(job)
  expect(await owner.do('readJob', job)).toEqual({
    status: 'done',
    progress: 'Done.',
    result: { request: 'https://example.org/file' },
    error: null,
  })
})

test('a job whose work throws on a worker thread ends with the message, and the next job is done', async () => {
  const here = world()
  const { owner, service } = here
  const [broken, sound] = [started(here, exporting(newId(0))), started(here, exporting(here.trial()))]
  await Promise.all([service.services.startJob(broken), service.services.startJob(sound)])
  expect(await owner.do('readJob', broken)).toMatchObject({
    status: 'error',
    error: 'There is no such trial, or you cannot see it.',
  })
  expect(await owner.do('readJob', sound)).toMatchObject({ status: 'done', result: { rows: 0, stages: 0 } })
})

test('only the account that started a job sees it', async () => {
  const here = world()
  const { owner, nobody, invite } = here
  const job = started(here)
  const colleague = invite(['team.admin'])
  expect((await colleague.call('GET', `/jobs/${job}`)).status).toBe(404)
  expect((await owner.call('GET', `/jobs/${newId(0)}`)).status).toBe(404)
  expect((await owner.call('GET', '/jobs/none')).status).toBe(404)
  expect((await nobody.call('GET', `/jobs/${job}`)).status).toBe(401)
})

test('a job that a stop of the service interrupts is run again at the next start', async () => {
  const directory = temporaryFolder()
  const open = () =>
    openService(program, {
      directory,
      clock: { now: () => 0 },
      publicUrl: 'http://localhost',
      version: '0.0.0+test',
      storageKey: 'signs the links of a test',
    })
  const before = open()
  const { db } = before.services
  const { user } = insertOwner(db, { email: 'o@example.org', name: 'Olga', team: 'A', passwordHash: null, now: 0 })
  const { key } = insertApiKey(db, { user, name: 'test', now: 0 })
  const { jobId } = insertJob(
    db,
    { kind: nothing.kind, input: anything },
    { _id: newId(0), createdAt: 0, user, trial: null, input: {} },
  )
  before.close()

  const after = open()
  const read = async () => {
    const headers = { Authorization: `Bearer ${key}` }
    return (await after.handle(new Request(`http://localhost/jobs/${jobId}`, { headers }), null)).json()
  }
  await until(async () => (await read()).status !== 'pending')
  expect(await read()).toMatchObject({ status: 'error', error: 'There is no kind of work called noSuchKind.' })
  after.close()
  rmSync(directory, { recursive: true })
})
