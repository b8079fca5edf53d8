/** Random answers to every form of the library, in the shape of SDTM: the records fit together (docs/sdtm.md). */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { present } from '../../present'
import { root } from '../../server/process/folder'
import { libraryStudy, sdtmOf } from './exports.sdtm.study'

const forms = readdirSync(join(root, 'data/questionnaires'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))

type Settings = {
  min?: number | null
  max?: number | null
  multiple?: boolean
  options?: { label: string; isExclusive?: boolean }[]
  scale?: { value: number }[]
  statements?: { key: string }[]
  columns?: ({ id: string; format: string } & Settings)[]
}

const some = <T>(list: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...list)
const moment = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2026-03-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const day = moment.map((text) => `${text.slice(0, 10)}T00:00:00Z`)

/** A random answer of a format; undefined if the server computes it. */
function answerOf(format: string, settings: Settings): fc.Arbitrary<unknown> | undefined {
  const { min, max, options = [], scale = [], statements = [], columns = [] } = settings
  if (format === 'text' || format === 'paragraph') return fc.string({ minLength: 1, maxLength: 300, unit: 'grapheme' })
  if (format === 'date') return day
  if (format === 'datetime') return moment
  if (format === 'time') return fc.constant('09:30')
  if (format === 'choice') {
    const labels = options.filter(({ isExclusive }) => !isExclusive).map(({ label }) => label)
    return settings.multiple ? fc.subarray(labels, { minLength: 1 }) : some(labels).map((label) => [label])
  }
  if (format === 'likert') {
    const values = scale.map(({ value }) => value)
    return fc.record(Object.fromEntries(statements.map(({ key }) => [key, some(values)])))
  }
  if (format === 'bmi')
    return fc.record({ height: fc.integer({ min: 120, max: 210 }), weight: fc.integer({ min: 40, max: 160 }) })
  if (format === 'table') {
    const cells = columns.flatMap((column) => {
      const cell = answerOf(column.format, column)
      return cell ? [[column.id, cell] as const] : []
    })
    return fc.array(fc.record(Object.fromEntries(cells)), { minLength: 1, maxLength: 3 })
  }
  if (['integer', 'float', 'slider', 'rating', 'measurements'].includes(format))
    return fc.integer({ min: Math.ceil(min ?? 1), max: Math.floor(max ?? 1000) })
  return undefined
}

test('records have keys of their own, qualifiers their records, and days are never 0', async () => {
  const { here, of, stages, answer } = await libraryStudy(...forms)
  const { dataTypes, stages: known } = of.config()
  const people = Array.from({ length: 4 }, (_, n) => of.participant(`P-${n}`))
  let seed = 0
  for (const form of forms) {
    const stage = present(known.get(stages[form]!))
    const fields = stage.components.flatMap(({ dataType }) => {
      const found = dataType ? dataTypes.get(dataType) : undefined
      const arbitrary = found && answerOf(found.format, found as Settings)
      return found && arbitrary ? [[found.code, arbitrary] as const] : []
    })
    const answers = fc.sample(fc.record(Object.fromEntries(fields)), { numRuns: people.length, seed: seed++ })
    for (const [at, person] of people.entries()) await answer(person, stages[form]!, present(answers[at]))
  }
  const sdtm = await sdtmOf(here, here.owner, of.trial)
  const subjects = sdtm.rows('dm').map(({ USUBJID }) => USUBJID)
  expect(subjects).toHaveLength(people.length)
  const domains = ['ds', 'ae', 'cm', 'vs', 'qs']
  for (const name of domains) {
    const upper = name.toUpperCase()
    const rows = sdtm.rows(name)
    expect([name, rows.length > 0]).toEqual([name, true])
    const keys = rows.map((row) => `${row.USUBJID} ${row[`${upper}SEQ`]}`)
    expect([name, new Set(keys).size]).toEqual([name, keys.length])
    for (const row of rows) {
      expect(subjects).toContain(row.USUBJID)
      expect([name, row.DOMAIN, row.STUDYID]).toEqual([name, upper, 'ABC-1'])
      for (const [variable, value] of Object.entries(row))
        if (/DY$/.test(variable)) expect([name, variable, value]).not.toEqual([name, variable, '0'])
    }
    const qualifiers = sdtm.rows(`supp${name}`)
    const own = qualifiers.map(({ USUBJID, IDVAR, IDVARVAL, QNAM }) => [USUBJID, IDVAR, IDVARVAL, QNAM].join(' '))
    expect([name, new Set(own).size]).toEqual([name, own.length])
    for (const { RDOMAIN, USUBJID, IDVAR = '', IDVARVAL = '', QVAL = '' } of qualifiers) {
      const parents = rows.filter((row) => row.USUBJID === USUBJID && row[IDVAR] === IDVARVAL)
      expect([name, RDOMAIN, USUBJID, IDVAR, IDVARVAL, parents.length > 0]).toEqual([
        ...[name, upper, USUBJID, IDVAR, IDVARVAL, true],
      ])
      expect(Buffer.byteLength(QVAL)).toBeLessThanOrEqual(200)
    }
  }
  for (const { QSSTRESC = '', QSSTRESN = '' } of sdtm.rows('qs'))
    expect(QSSTRESN).toBe(Number.isFinite(Number(QSSTRESC)) && QSSTRESC.trim() !== '' ? `${Number(QSSTRESC)}` : '')
  for (const { QSTESTCD = '', QSTEST = '' } of sdtm.rows('qs'))
    expect([QSTESTCD.length <= 8, QSTEST.length <= 40, /^[A-Z][A-Z0-9_]*$/.test(QSTESTCD)]).toEqual([true, true, true])
}, 60_000)
