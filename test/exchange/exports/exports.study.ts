/** Two sites with responses, and functions that read exports, for tests. */
import { expect } from 'bun:test'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { read, utils } from 'xlsx'
import { auditEntries } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { type World, world } from '../../harness'
import { firstOf } from '../../present'
import { type everyFormat, study } from './exportStudy'

/** Responses, each as the operation for one response returns it. */
export const singly = (here: World, trial: Id, ids: readonly Id[]) =>
  Promise.all(ids.map(async (id) => firstOf((await here.owner.do('readResponse', trial, id)).responses)))

export const rowsOf = (csv: string): Record<string, string>[] =>
  parse(csv, { columns: true, relax_column_count: false })

/** The documents of an export as `raw`, which is no job. */
export function documents<T extends object>(raw: T | { jobId: string }): T {
  if ('jobId' in raw) throw new Error('The export is a job.')
  return raw
}

/** The sheets of the workbook of a link. */
export async function workbook(here: World, request: string) {
  const answer = await here.fetch(request)
  expect(answer.status).toBe(200)
  const book = read(new Uint8Array(await answer.arrayBuffer()), { cellDates: true, UTC: true })
  const sheet = (name: string) => utils.sheet_to_json<Record<string, unknown>>(book.Sheets[name]!, { UTC: true })
  return { names: book.SheetNames, sheet, headers: answer.headers }
}

export const entries = (here: World, type: string) =>
  here.db
    .select()
    .from(auditEntries)
    .all()
    .filter((entry) => entry.type === type)

/** Two participants at two sites, with answers to an open, a restricted and a PII question. */
export async function twoSites() {
  const here = world()
  const of = study(here)
  const open = of.field('pulse', { format: 'integer' })
  const restricted = of.field('hiv', { isRestricted: true })
  const pii = of.field('street', { isPii: true })
  const stage = of.stage('Visit', [open, restricted, pii])
  const [a, b] = [of.site('S-A'), of.site('S-B')]
  const [anna, bert] = [of.participant('P-1', { sites: [a] }), of.participant('P-2', { sites: [b] })]
  const first = await of.submit(anna, stage, { [open]: 61, [restricted]: 'no', [pii]: 'Elm 1' })
  const second = await of.submit(bert, stage, { [open]: 72, [restricted]: 'yes', [pii]: 'Oak 2' })
  const url = `/trials/${of.trial}/responses` as const
  return { here, of, open, restricted, pii, stage, a, b, anna, bert, first, second, url }
}

export const text = fc.string({
  unit: fc.constantFrom('a', 'é', '😀', '"', ',', ';', '\n', '\\', '=', '-', '@', "'", ' ', '\t', '1'),
})

const spoken = text.filter((each) => each.trim() !== '')

const days = fc.integer({ min: 0, max: 40_000 }).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))

export const answer: Record<keyof typeof everyFormat, fc.Arbitrary<unknown>> = {
  comment: spoken,
  diary: spoken,
  pulse: fc.integer({ min: -1e9, max: 1e9 }),
  temperature: fc.integer({ min: -5000, max: 5000 }).map((n) => n / 100),
  birthday: days.map((day) => `${day}T00:00:00.000000Z`),
  taken: fc
    .tuple(days, fc.integer({ min: 0, max: 23 }))
    .map(([day, h]) => `${day}T${String(h).padStart(2, '0')}:30:15.250000Z`),
  woke: fc.constantFrom('06:15', '23:59:59'),
  smoker: fc.constantFrom(['Yes'], ['No']),
  effects: fc.subarray(['Nausea', 'Rash, itching', '=Pain'], { minLength: 1 }),
  mood: fc.record({ q1: fc.constantFrom(0, 1, 2, null), q2: fc.constantFrom(0, 1, 2, null) }, { requiredKeys: ['q1'] }),
  drugs: fc.array(fc.record({ name: spoken }), { minLength: 1, maxLength: 3 }),
  mass: fc.record({ height: fc.integer({ min: 100, max: 200 }), weight: fc.integer({ min: 30, max: 150 }) }),
}
