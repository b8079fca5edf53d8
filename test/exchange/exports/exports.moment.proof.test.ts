/** An export that is read in steps is of one moment, whatever happens between two of them, and is sent while it is written. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { packAccess } from '#access/packedAccess'
import { drizzleOf, openSqlite } from '#db/open'
import { inReadTransaction } from '#db/readTransaction'
import { exportContextOf } from '#exchange/exports/context'
import { countKept } from '#exchange/exports/countStore'
import { formOf } from '#exchange/exports/datasets/all'
import { wideTable } from '#exchange/exports/datasets/wide'
import { responsePages } from '#exchange/exports/pages'
import { type ExportRow, PAGE } from '#exchange/exports/store'
import type { ExportTask } from '#exchange/exports/task'
import { writeExport } from '#exchange/exports/work/write'
import type { Id } from '#kernel/id'
import { world } from '../../harness'
import { study } from './exportStudy'
import { rowsOf } from './exports.study'
import { fetched, large } from './largeStudy'

const exported = (trial: Id): ExportTask => ({
  ...{ format: 'json', trial, stage: null, needs: ['exportData'], file: 'none' },
  access: packAccess({ trial: new Set(['admin', 'exportData', 'readParticipantStudyData']), places: new Map() }),
})

/** Two stages with some more than a page of responses, of three participants and of nobody, and a second connection. */
async function some() {
  const here = world()
  const of = study(here)
  const [n, m] = [of.field('n', { format: 'integer' }), of.field('m', { format: 'integer' })]
  const stages = ['First', 'Second'].map((name) => of.stage(name, [n, m], { adHoc: true }))
  const site = of.site('S')
  const people = ['P-1', 'P-2', 'P-3'].map((id) => of.participant(id, { sites: [site] }))
  const responses: Id[] = []
  for (let at = 0; at < 2 * (PAGE + 40); at++)
    responses.push(await of.submit(people[at % 3]!, stages[at % 2]!, { [n]: at, [m]: 1 }, at))
  const db = drizzleOf(openSqlite(join(here.directory, 'trialbox.db'), { readonly: true }))
  return { here, of, db, stages, people, responses, field: n }
}

/** Without the marks, which an export does not show; the JSON in it parsed. */
const comparable = ({ marks: _, ...row }: ExportRow) => ({
  ...row,
  values: JSON.parse(row.values),
  sources: JSON.parse(row.sources),
})

type NewExport = Awaited<ReturnType<typeof some>>

/** What may happen to a response, or to its participant, by its place in the list. */
const acts = {
  amend: ({ of, people, stages, field }: NewExport, at: number) =>
    of.submit(people[at % 3]!, stages[at % 2]!, { [field]: -at }, at),
  submit: ({ of, people, stages, field }: NewExport, at: number) =>
    of.submit(people[at % 3]!, stages[at % 2]!, { [field]: 7 }, at + 10_000),
  status: ({ here, of, responses }: NewExport, at: number) =>
    here.owner.call('PUT', `/trials/${of.trial}/responses/${responses[at]!}/status`, { status: 'successful' }),
  remove: ({ here, of, responses }: NewExport, at: number) =>
    here.owner.call('DELETE', `/trials/${of.trial}/responses/${responses[at]!}`, { reason: 'twice' }),
  detach: ({ here, of, responses }: NewExport, at: number) =>
    here.owner.call('DELETE', `/trials/${of.trial}/responses/${responses[at]!}/allocations`),
  rename: ({ here, of, people }: NewExport, at: number) =>
    here.owner.call('PUT', `/trials/${of.trial}/participants/${people[at % 3]!}`, { id: `Q-${at}` }),
  archive: ({ here, of, people }: NewExport, at: number) =>
    here.owner.call('PUT', `/trials/${of.trial}/participants/${people[at % 3]!}`, { isArchived: at % 2 === 0 }),
}
const names = Object.keys(acts) as (keyof typeof acts)[]

test('whatever happens between two steps, the rows are those of the first (property)', async () => {
  const set = await some()
  const { here, of, db, stages, responses } = set
  const task = exported(of.trial)
  const happened = new Set<string>()
  const act = fc.tuple(fc.constantFrom(...names), fc.nat(responses.length - 1))
  const perform = async (list: readonly (readonly [keyof typeof acts, number])[]) => {
    for (const [name, at] of list) {
      here.clock(1_000)
      const done: unknown = await acts[name](set, at)
      if (typeof done === 'string' || (done as { status: number }).status === 200) happened.add(name)
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(act, { maxLength: 6 }), { minLength: 4, maxLength: 4 }), async (between) => {
      const wanted = inReadTransaction(db, () => {
        const from = exportContextOf(db, task)
        return stages.flatMap((stage) => [...responsePages(from, stage)].flat())
      })
      const from = inReadTransaction(db, () => exportContextOf(db, task, { isStepwise: true }))
      expect(countKept(from)).toBe(wanted.length)
      const got: ExportRow[] = []
      let step = 0
      await perform(between[step++]!)
      for (const stage of stages) {
        for (const page of responsePages(from, stage)) {
          got.push(...page)
          await perform(between[step++] ?? [])
        }
      }
      expect(got.map(comparable)).toEqual(wanted.map(comparable))
    }),
    { numRuns: 25 },
  )
  expect([...happened].sort()).toEqual([...names].sort())
  db.$client.close()
}, 180_000)

test('by participant, whatever happens between two steps, the rows are those of the first', async () => {
  const here = world()
  const of = study(here)
  const n = of.field('n', { format: 'integer' })
  const stage = of.stage('Visit', [n], { adHoc: true })
  const people = Array.from({ length: 120 }, (_, at) => of.participant(`P-${String(at).padStart(3, '0')}`))
  const ids: Id[] = []
  for (const [at, person] of people.entries()) ids.push(await of.submit(person, stage, { [n]: at }))
  const db = drizzleOf(openSqlite(join(here.directory, 'trialbox.db'), { readonly: true }))
  const from = inReadTransaction(db, () =>
    exportContextOf(db, { ...exported(of.trial), shape: 'wide' }, { isStepwise: true }),
  )
  const table = wideTable(from, formOf({ format: 'csv' }), { rows: 0 })
  const got: unknown[][] = []
  for (const row of table.rows) {
    got.push([row[0], row.at(-1)])
    if (got.length > 1) continue
    // While the second hundred of participants is still to come.
    here.clock(1_000)
    await of.submit(people[110]!, stage, { [n]: -1 })
    await of.submit(people[111]!, stage, { [n]: -1 }, 1)
    const gone = `/trials/${of.trial}/responses/${ids[112]!}` as const
    expect((await here.owner.call('DELETE', gone, { reason: 'twice' })).status).toBe(200)
    const moved = `/trials/${of.trial}/responses/${ids[113]!}/allocations` as const
    expect((await here.owner.call('DELETE', moved)).status).toBe(200)
    await of.submit(people[0]!, stage, { [n]: -1 })
    expect((await here.owner.call('PUT', `/trials/${of.trial}/participants/${people[114]!}`, { id: 'Q' })).status).toBe(
      200,
    )
  }
  expect(table.variables.map(({ name }) => name)).toEqual([
    ...['participantId', 'siteIds', 'groups', 'Visit_0_createdAt', 'Visit_0_status', 'Visit_0_score'],
    ...['Visit_0_partialSubmission', 'Visit_0_n'],
  ])
  expect(got).toEqual(people.map((_, at) => [`P-${String(at).padStart(3, '0')}`, at]))
  expect(db.$client.inTransaction).toBe(false)
  db.$client.close()
})

test('between two pages no transaction is open, and at the end no copy of the participants is left', async () => {
  const { here, of, db, stages } = await some()
  const folder = join(here.directory, 'exports')
  const csv = { ...exported(of.trial), format: 'csv' as const }
  const steps = await writeExport(db, csv, join(folder, 'steps'), { large: 10 })
  expect(steps.rows).toBe(2 * (PAGE + 40))
  expect(await writeExport(db, csv, join(folder, 'whole'))).toEqual(steps)
  const text = (name: string) => Bun.file(join(folder, name)).text()
  expect(await text('steps')).toBe(await text('whole'))
  expect(db.$client.query('SELECT name FROM temp.sqlite_schema').all()).toEqual([])
  const from = exportContextOf(db, csv)
  const pages = responsePages(from, stages[0]!)
  pages.next()
  expect(db.$client.inTransaction).toBe(true)
  pages.return(undefined)
  expect(db.$client.inTransaction).toBe(false)
  db.$client.close()
})

test('an export of a trial that is deleted between two pages fails, instead of ending early', async () => {
  const { here, of, db, stages } = await some()
  const from = inReadTransaction(db, () => exportContextOf(db, exported(of.trial), { isStepwise: true }))
  const pages = responsePages(from, stages[0]!)
  pages.next()
  expect((await here.owner.call('DELETE', `/trials/${of.trial}`)).status).toBe(200)
  expect(() => pages.next()).toThrow(expect.objectContaining({ status: 404 }))
  expect(db.$client.inTransaction).toBe(false)
  db.$client.close()
})

test('a large export is answered before it is written, whole, and leaves no file', async () => {
  const { here, trial, url } = await large()
  for (const type of ['csv', 'raw'] as const) {
    const response = await fetched(here, `${url}?type=${type}`)
    expect(response.status).toBe(200)
    expect(readdirSync(join(here.directory, 'exports'))).toHaveLength(1)
    const body = await response.json()
    const rows = type === 'csv' ? rowsOf((body as { csv: string }).csv) : (body as { responses: unknown[] }).responses
    expect(rows).toHaveLength(30_001)
    expect(readdirSync(join(here.directory, 'exports'))).toEqual([])
  }
  const { entries } = await here.owner.do('readLogs', trial, { type: 'exportResponse' })
  expect(entries.map(({ event }) => event)).toMatchObject([
    { format: 'raw', rows: 30_001 },
    { format: 'csv', rows: 30_001 },
  ])
})

test('an export whose reader goes away is given up', async () => {
  const { here, url } = await large()
  const response = await fetched(here, url)
  const reader = response.body!.getReader()
  expect((await reader.read()).value!.length).toBeGreaterThan(0)
  await reader.cancel()
  expect(readdirSync(join(here.directory, 'exports'))).toEqual([])
  // The thread is free again, for another account too.
  expect((await fetched(here, `${url}?type=csv`)).status).toBe(200)
})
