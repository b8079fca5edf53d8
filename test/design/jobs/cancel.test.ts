/** Jobs that are cancelled, and jobs that ended long ago (docs/contract.md, "Jobs"). */
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY, MINUTE } from '#kernel/time'
import { ended } from '../../exchange/studyRecord/archive'
import { world } from '../../harness'
import { study } from '../../study'
import { reuseThreads } from '../../threads'
import { until } from '../../until'

const CANCELLED = { status: 'error' as const, progress: 'Failed.', result: null, error: 'It was cancelled.' }

const startThread = reuseThreads(() => new Worker(new URL('./faultyWorker.ts', import.meta.url).href))

/** A study whose worker threads write a part of each file and then nothing more, until `mend`. */
async function hanging() {
  const w = world({ startThread })
  const s = await study({ world: w })
  await s.enter({ pulse: 60 })
  const fault = join(w.directory, 'fault')
  writeFileSync(fault, 'unfinished')
  const exports = () => readdirSync(s.service.services.storage.exports)
  const record = async () => (await s.owner.do('exportStudyRecord', s.trial)).jobId
  return { ...s, exports, record, mend: () => rmSync(fault) }
}

test('a job that runs or waits is cancelled by whoever started it, and leaves nothing', async () => {
  const s = await hanging()
  const { owner } = s
  const colleague = s.invite(['trials.manage'])
  const [running, other, waiting] = [await s.record(), await s.record(), await s.record()]
  await until(() => s.exports().length === 2) // one thread is left for others
  expect((await colleague.call('DELETE', `/jobs/${running}`)).status).toBe(404)
  expect(await owner.do('cancelJob', waiting)).toEqual({})
  expect(await ended(owner, waiting)).toEqual(CANCELLED)
  expect(await owner.do('cancelJob', running)).toEqual({})
  expect(await ended(owner, running)).toEqual(CANCELLED)
  await until(() => s.exports().length === 1)
  s.mend()
  // The thread of the cancelled job is free for the next one.
  const next = await s.record()
  expect((await ended(owner, next)).status).toBe('done')
  expect((await owner.call('DELETE', `/jobs/${next}`)).body.message).toBe('The job has ended already.')
  expect((await owner.call('DELETE', `/jobs/${running}`)).status).toBe(400)
  await owner.do('cancelJob', other)
  expect(await ended(owner, other)).toEqual(CANCELLED)
  await until(() => s.exports().every((name) => name.endsWith('.zip')))
  const { entries } = await owner.do('readLogs', s.trial, { type: 'cancelJob' })
  expect(entries.map(({ event }) => event)).toEqual(
    [other, running, waiting].map((jobId) => ({ jobId, kind: 'studyRecord' })),
  )
  expect(s.takeFaults()).toEqual([])
})

test('a job is removed 30 days after its end, and its file when its link has ended', async () => {
  const s = await study()
  const { jobId } = await s.owner.do('exportStudyRecord', s.trial)
  expect((await ended(s.owner, jobId)).status).toBe('done')
  const [name] = readdirSync(s.service.services.storage.exports)
  const file = join(s.service.services.storage.exports, name!)
  s.clock(5 * DAY + 2 * 60 * MINUTE)
  await until(async () => {
    await s.service.services.tick()
    return !existsSync(file)
  })
  expect((await s.owner.call('GET', `/jobs/${jobId}`)).status).toBe(200)
  s.clock(26 * DAY)
  await until(async () => {
    await s.service.services.tick()
    return (await s.owner.call('GET', `/jobs/${jobId}`)).status === 404
  })
})
