/** Imports of many packs: other requests go on meanwhile, and nobody ever sees a part of them. */
import { expect, test } from 'bun:test'
import { verifyRows } from '#audit/verifyRows'
import { deleteAbandoned } from '#office/packs/store'
import { nextTurn } from '#writers/stream'
import { present } from '../../../present'
import { proof } from '../../../proof'
import { keepNothing } from '../../../purge'
import { packStudy } from '../pack.study'

const csvOf = (count: number) =>
  `name,site\n${Array.from({ length: count }, (_, at) => `Many-${at},${at % 2 ? 'N1' : ''}`).join('\n')}\n`

type Packs = Awaited<ReturnType<typeof packStudy>>

/** Starts an import, and calls `meanwhile` again and again until it is answered. */
async function during(s: Packs, count: number, meanwhile: (turn: number) => Promise<unknown>) {
  let isRunning = true
  const body = { packType: s.drug, content: csvOf(count) }
  const answer = s.owner.call('POST', `${s.at}/packs/import`, body).finally(() => (isRunning = false))
  for (let turn = 0; isRunning; turn++) {
    await nextTurn()
    await meanwhile(turn)
  }
  return answer
}

/** How many packs readers see, in each of the ways in which packs can be read. Every second one is at the first site. */
function readings(s: Packs): (() => Promise<number>)[] {
  const participant = `${s.at}/participants/${s.anna}/packs?availableOnly=true` as const
  const balances = async () => (await s.owner.do('readPackAccountability', s.trial)).balances
  return [
    async () => (await balances()).reduce((sum, { inStock }) => sum + inStock, 0),
    async () => (await balances()).reduce((sum, { received }) => sum + received, 0),
    async () => (await s.owner.do('readPackAccountability', s.trial)).lines.length,
    async () => (await s.owner.do('readPackAccountability', s.trial, { site: s.north })).lines.length * 2,
    async () => (await s.owner.do('listPacks', s.trial)).packs.length,
    async () => (await s.owner.do('listPacks', s.trial, { term: 'many' })).packs.length,
    async () => (await s.owner.do('listPacks', s.trial, { site: s.north, packType: s.drug })).packs.length * 2,
    async () => (await s.owner.get<'listParticipantPacks'>(participant)).packs.length,
    async () => (await s.owner.do('listPacks', s.trial, { format: 'csv' })).csv.trim().split('\n').length - 1,
  ]
}

const seen = async (s: Packs) => new Set(await Promise.all(readings(s).map((read) => read())))

proof('while packs are imported nobody sees one of them, others write, and afterwards everybody sees all', async () => {
  const s = await packStudy()
  const reads = readings(s)
  const parts = new Set<number>()
  const { commit, clock } = s.service.services
  const { status, body } = await during(s, 900, async (turn) => {
    parts.add(storedPacks(s))
    // The background deletes imports that were given up, but not one that runs.
    if (turn % 10 === 0) expect(await commit(() => deleteAbandoned(s.db, clock.now(), 200))).toBe(false)
    const count = await present(reads[turn % (reads.length - 1)])()
    expect([0, 900]).toContain(count)
  })
  expect([status, body.created]).toEqual([200, 900])
  expect(parts.size).toBeGreaterThan(3)
  expect(await seen(s)).toEqual(new Set([900]))
  const { packs } = await s.owner.do('listPacks', s.trial)
  expect(packs.map(({ name }) => name)).toEqual(Array.from({ length: 900 }, (_, at) => `Many-${at}`))
  expect(verifyRows(s.db.$client)).toBeTruthy()
})

test('an import whose type changes meanwhile brings nothing, and what it left is deleted', async () => {
  const s = await packStudy()
  let isChanged = false
  // In the turn after its first packs are stored: most of the import is still to come.
  const { status, body } = await during(s, 2_000, async () => {
    if (isChanged || storedPacks(s) === 0) return
    isChanged = true
    await s.owner.do('updatePackType', s.drug, { name: 'Tablets 100 mg' })
  })
  expect([status, body.message]).toEqual([400, expect.stringContaining('Nothing was imported')])
  expect(await seen(s)).toEqual(new Set([0]))
  const left = s.db.$client.query<{ _id: string; import: string }, []>('SELECT _id, import FROM packs').all()
  expect(left.length).toBeGreaterThan(0)
  expect((await s.owner.call('GET', `/packs/${left[0]?._id}`)).status).toBe(404)
  expect((await s.assign(s.anna, `${left[0]?._id}`)).status).toBe(404)
  const { commit, clock } = s.service.services
  const sweep = (later: number) => commit(() => deleteAbandoned(s.db, clock.now() + later, 200))
  for (let times = 0; await sweep(0); times++) expect(times).toBeLessThan(30)
  const counts =
    'SELECT (SELECT count(*) FROM packs) AS p, (SELECT count(*) FROM packEvents) AS e, (SELECT count(*) FROM packImports) AS i'
  expect(s.db.$client.query(counts).get()).toEqual({ p: 0, e: 0, i: 0 })
  expect(verifyRows(s.db.$client)).toBeTruthy()
})

const storedPacks = ({ db }: Packs) => db.$client.query<{ n: number }, []>('SELECT count(*) AS n FROM packs').get()!.n

test.each<[string, (s: Packs) => `/${string}`]>([
  ['pack type', (s) => `/pack-types/${s.drug}`],
  ['site', (s) => `/sites/${s.north}`],
])('a %s of which an import has stored packs cannot be deleted meanwhile', async (_noun, url) => {
  const s = await packStudy()
  let status: number | undefined
  const answer = await during(s, 600, async () => {
    if (status !== undefined || storedPacks(s) === 0) return
    status = (await s.owner.call('DELETE', url(s))).status
  })
  expect([status, answer.status]).toEqual([400, 200])
})

test('an import whose trial is deleted meanwhile is refused, and leaves nothing', async () => {
  const s = await packStudy()
  keepNothing(s)
  let status: number | undefined
  const answer = await during(s, 600, async () => {
    if (status !== undefined || storedPacks(s) === 0) return
    status = (await s.owner.call('DELETE', s.at)).status
  })
  expect(status).toBe(200)
  // 400 if the purge has removed what came before it looks for the trial.
  expect([400, 404]).toContain(answer.status)
  expect(storedPacks(s)).toBe(0)
  expect(verifyRows(s.db.$client)).toBeTruthy()
})

test.each<[string, (s: Packs) => `/${string}`]>([
  ['pack type', (s) => `/pack-types/${s.drug}`],
  ['site', (s) => `/sites/${s.north}`],
])('an import whose %s was deleted before its first pack is stored is refused', async (_noun, url) => {
  const s = await packStudy()
  // The request waits for the thread that reads the csv, and then checks in several turns.
  const answer = s.owner.call('POST', `${s.at}/packs/import`, { packType: s.drug, content: csvOf(2_000) })
  await nextTurn()
  expect((await s.owner.call('DELETE', url(s))).status).toBe(200)
  expect([400, 422]).toContain((await answer).status)
  expect(storedPacks(s)).toBe(0)
})

test('of two equal imports at once one is performed; another one goes on, and so does the same one afterwards', async () => {
  const s = await packStudy()
  const send = (count: number, packType = s.drug) =>
    s.owner.call('POST', `${s.at}/packs/import`, { packType, content: csvOf(count) })
  const answers = await Promise.all([send(300), send(300), send(200), send(300, s.placebo)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400])
  const refusal = present(answers.find(({ status }) => status === 400))
  expect(refusal.body.message).toContain('The same import was running already')
  expect(storedPacks(s)).toBe(800)
  expect((await send(300)).status).toBe(200)
})

test('a long csv with an Idempotency-Key is imported once, and another long one is refused with the same key', async () => {
  const s = await packStudy()
  const send = async (last: string) => {
    const content = `name\nFirst\n${'\n'.repeat(1 << 20)}${last}\n`
    const body = { packType: s.drug, content }
    const { status } = await s.owner.call('POST', `${s.at}/packs/import`, body, {
      headers: { 'Idempotency-Key': 'delivery 7' },
    })
    return status
  }
  expect([await send('Second'), await send('Second'), await send('Secund')]).toEqual([200, 200, 400])
  expect(storedPacks(s)).toBe(2)
})

test('an import that was refused can be sent again at once', async () => {
  const s = await packStudy()
  const body = { packType: s.drug, content: 'name,unknown\nA,1\n' }
  const send = async () => (await s.owner.call('POST', `${s.at}/packs/import`, body)).status
  expect([await send(), await send()]).toEqual([422, 422])
})
