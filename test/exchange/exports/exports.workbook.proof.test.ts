/** Workbooks that are sent while they are written, and several exports at once. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { read, utils } from 'xlsx'
import { files } from '#db/tables/index'
import type { FromWorker, StartPerformer } from '#jobs/messages'
import { threads } from '#jobs/thread'
import { packError } from '#jobs/workerErrors'
import { HOUR } from '#kernel/time'
import { spawnWorker } from '#start/spawnWorker'
import { afterKill } from '../../harness'
import { keepNothing } from '../../purge'
import { until } from '../../until'
import { fetched, large } from './largeStudy'

const ROWS = 12_000

/** Worker threads whose results the test holds back: until then, everything that they wrote is still being written. */
function held() {
  const waiting: ((message?: FromWorker) => void)[] = []
  let isHeld = true
  const start: StartPerformer = (listener) =>
    threads(spawnWorker)({
      ...listener,
      onMessage(message) {
        if (isHeld && 'result' in message) waiting.push((other = message) => listener.onMessage(other))
        else listener.onMessage(message)
      },
    })
  return {
    start,
    /** Resolves when so many results are held back. */
    async arrived(count: number) {
      while (waiting.length < count) await Bun.sleep(5)
    },
    release() {
      isHeld = false
      for (const tell of waiting.splice(0)) tell()
    },
    /** Lets the first of them fail, as when the disk is full at the end. */
    fail: (reason: Error) => waiting.shift()!({ id: 1, thrown: packError(reason) }),
  }
}

async function begun() {
  const hold = held()
  const set = await large(ROWS, { startThread: hold.start })
  const { request } = await set.here.owner.do('exportResponses', set.trial, { type: 'excel' })
  const row = () => set.here.db.select().from(files).all()[0]
  const onDisk = () => readdirSync(join(set.here.directory, 'exports'))
  return { ...set, hold, request, row, onDisk }
}

const rowsOfBook = (bytes: ArrayBuffer) => utils.sheet_to_json(read(new Uint8Array(bytes)).Sheets.Often!)

test('the link of a large workbook works while it is written, for several readers, and then for ranges', async () => {
  const { here, hold, request, row } = await begun()
  expect(row()).toMatchObject({ finishedAt: null, size: null })
  const head = await here.fetch(request, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
    200,
    null,
    null,
  ])
  const [leaving, first, second] = await Promise.all([1, 2, 3].map(() => here.fetch(request)))
  expect(first!.headers.get('content-disposition')).toContain('.xlsx')
  const reader = leaving!.body!.getReader()
  expect(new TextDecoder().decode((await reader.read()).value!.subarray(0, 2))).toBe('PK')
  await reader.cancel()
  const both = Promise.all([first!.arrayBuffer(), second!.arrayBuffer()])
  await hold.arrived(1)
  hold.release()
  const [one, other] = await both
  expect(rowsOfBook(one)).toHaveLength(ROWS + 1)
  expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true)

  await until(() => row()?.finishedAt !== null)
  expect(row()).toMatchObject({ size: one.byteLength })
  await until(() => !here.service.services.storage.growingExports.size)
  const again = await here.fetch(request, { headers: { Range: 'bytes=0-3' } })
  expect([again.status, Buffer.from(await again.arrayBuffer())]).toEqual([206, Buffer.from(one.slice(0, 4))])
  here.clock(HOUR)
  expect((await here.fetch(request)).status).toBe(403)
}, 180_000)

test('a workbook that cannot be completed: its download fails, and its link leads to nothing', async () => {
  const { here, hold, request, row, onDisk } = await begun()
  const download = (await here.fetch(request)).arrayBuffer()
  await hold.arrived(1)
  hold.fail(new Error('disk full'))
  await expect(download).rejects.toThrow('disk full')
  await until(() => row() === undefined && !onDisk().length)
  expect((await here.fetch(request)).status).toBe(404)
  expect(here.takeFaults()).toMatchObject([['exportResponses', { message: 'disk full' }]])
  hold.release()
}, 180_000)

test('a trial that is deleted meanwhile takes its workbook with it', async () => {
  const { here, hold, trial, request, row, onDisk } = await begun()
  await hold.arrived(1)
  keepNothing(here)
  expect((await here.owner.call('DELETE', `/trials/${trial}`)).status).toBe(200)
  hold.release()
  await until(() => !here.service.services.storage.growingExports.size)
  expect([row(), onDisk()]).toEqual([undefined, []])
  expect((await here.fetch(request)).status).toBe(404)
}, 180_000)

test('after a crash the link of a half-written workbook leads to nothing, and it is removed', async () => {
  const { here, hold, request } = await begun()
  await hold.arrived(1)
  here.service.flush()
  const again = afterKill(here)
  const answer = await again.storage(new Request(request), { timeout: () => {} })
  expect(answer.status).toBe(404)
  here.clock(2 * HOUR)
  await again.services.tick()
  expect(again.services.db.select().from(files).all()).toEqual([])
  expect(readdirSync(again.services.storage.exports)).toEqual([])
  hold.release()
}, 180_000)

test('however many exports an account asks for, another account gets its own', async () => {
  const hold = held()
  const { here, url, trial } = await large(ROWS, { startThread: hold.start })
  const links = [1, 2].map(() => here.owner.do('exportResponses', trial, { type: 'excel' }))
  await Promise.all(links)
  const third = here.owner.do('exportResponses', trial, { type: 'excel' })
  await hold.arrived(2)
  const ben = here.staff(trial, ['trial.readParticipantStudyData', 'trial.exportData'])
  expect((await fetched({ ...here, owner: ben }, `${url}?type=csv`)).status).toBe(200)
  await hold.arrived(3)
  expect(here.db.select().from(files).all()).toHaveLength(2)
  hold.release()
  expect((await third).request).toContain('/storage/')
}, 180_000)
