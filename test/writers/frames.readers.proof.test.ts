import { expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  DuckDBDateValue,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  DuckDBTimeValue,
  type DuckDBValue,
} from '@duckdb/node-api'
import fc from 'fast-check'
import { dayNumber, secondsOf } from '#kernel/calendar'
import type { Cell } from '#writers/cell'
import { textOf } from '#writers/cellNumber'
import type { DatasetResult, Variable } from '#writers/dataset'
import { writeParquet } from '#writers/parquet/parquet'
import { writePzfx } from '#writers/pzfx/pzfx'
import { writeRds } from '#writers/rds/rds'
import { writeXpt } from '#writers/xpt/xpt'
import { inFolderLater } from './folder'
import { readByR, readPrism } from './frames.readers'
import { type RandomDataset, randomDataset } from './statistics.random'
import { hasHaven, hasReader, type ReadCell } from './statistics.readers'

const OPTIONS = { created: Date.UTC(2026, 2, 1, 9, 30) * 1000, product: 'Trialbox 0.1.0' }
const DATASETS = 60
const formats = { rds: writeRds, xpt: writeXpt, pzfx: writePzfx, parquet: writeParquet }
type Format = keyof typeof formats

type FrameFile = { path: string; dataset: RandomDataset; written: DatasetResult }

/** Writes random datasets, and lets all of them be read together. A failure names its seed. */
const withRandom = (format: Format, check: (files: FrameFile[], folder: string) => Promise<void> | void) =>
  fc.assert(
    fc.asyncProperty(fc.array(randomDataset, { minLength: DATASETS, maxLength: DATASETS, size: 'max' }), (datasets) =>
      inFolderLater(async (folder) => {
        const files: FrameFile[] = []
        for (const [at, dataset] of datasets.entries()) {
          const path = join(folder, `${at}.${format}`)
          files.push({ path, dataset, written: await formats[format](path, dataset, OPTIONS) })
        }
        await check(files, folder)
      }),
    ),
    { numRuns: 1, endOnFailure: true },
  )

const noted = ({ notes }: DatasetResult, variable: Variable): string =>
  notes.flatMap((note) => (note.variable === variable.name ? [note.text] : [])).join('\n')

const isText = (variable: Variable, written: DatasetResult): boolean =>
  variable.kind === 'text' || noted(written, variable).includes('the whole variable is text')

/** A cell in the units of the formats of R and Parquet: days, microseconds and seconds since their beginnings. */
function plainOf(cell: Cell, asText: boolean): string | number | null {
  if (cell === null || cell === undefined) return null
  if (asText) return textOf(cell).toWellFormed()
  if (typeof cell !== 'object') return Number(cell)
  return 'at' in cell ? cell.at : 'day' in cell ? dayNumber(cell.day)! : secondsOf(cell.time)
}

const columnsOf = ({ dataset, written }: FrameFile) =>
  dataset.variables.map((variable, at) => {
    const asText = isText(variable, written)
    return { variable, at, asText, cells: dataset.table.map((row) => plainOf(row[at], asText)) }
  })

const plainCell = (cell: ReadCell): string | number | null =>
  'text' in cell ? cell.text : 'number' in cell ? cell.number : null

test.skipIf(!hasHaven)(
  'R without packages reads every value, code and label of random .rds files',
  () =>
    withRandom('rds', (files) => {
      const read = readByR(files.map(({ path }) => path))
      for (const file of files) {
        const frame = read.get(file.path)!
        expect(frame.rows).toBe(file.dataset.table.length)
        expect(frame.variables.map(({ name }) => name)).toEqual([...file.written.names])
        for (const { variable, at, asText, cells } of columnsOf(file)) {
          const found = frame.variables[at]!
          const isMoment = variable.kind === 'moment' && !asText
          const values = found.cells.map(plainCell)
          expect(values.map((each) => (isMoment && each !== null ? Math.round(Number(each) * 1e6) : each))).toEqual(
            cells.map((each) => (Object.is(each, -0) && found.format === 'integer' ? 0 : codeOf(each, found.format))),
          )
          expect(found.label).toBe(textOf(variable.label).toWellFormed())
          for (const [value, label] of firstLabels(variable, asText)) {
            const level = found.labels.get(value)
            expect([level, level === label || level?.startsWith(label || textOf(value))]).toEqual([level, true])
          }
        }
      }
    }),
  60_000,
)

/** Codes of factors come back as numbers, in which there is one zero. */
const codeOf = (value: string | number | null, format: string) =>
  format === 'factor' && Object.is(value, -0) ? 0 : value

/** The first label of each value. */
function firstLabels({ values = [] }: Variable, asText: boolean): Map<string | number, string> {
  const labels = new Map<string | number, string>()
  for (const { value, label } of values) {
    const key = asText ? textOf(value).toWellFormed() : value
    if (!labels.has(key)) labels.set(key, textOf(label).toWellFormed())
  }
  return labels
}

const trimmed = (text: string): string => text.replace(/ +$/, '')

test.skipIf(!hasHaven)(
  'R (haven) reads every value and label of random .xpt files, or a note says what is different',
  () =>
    withRandom('xpt', (files) => {
      const read = readByR(files.map(({ path }) => path))
      for (const file of files) {
        const { variables, rows } = read.get(file.path)!
        const { written } = file
        const lost = written.notes.some(({ text }) => text.startsWith('The last rows are blank'))
        if (!lost) expect(rows).toBe(file.dataset.table.length)
        const starts = written.names.map((name) => variables.findIndex((each) => each.name === name))
        expect(starts).not.toContain(-1)
        for (const { variable, at, asText, cells } of columnsOf(file)) {
          const parts = variables.slice(starts[at], starts[at + 1])
          const notes = noted(written, variable)
          for (const [row, wanted] of cells.entries()) {
            if (row >= rows) continue
            const found = parts.map(({ cells }) => cells[row]!)
            if (asText) {
              const text = found.map((each) => ('text' in each ? each.text : '')).join('')
              expect(trimmed(text)).toBe(trimmed(String(wanted ?? '')))
              if (trimmed(text) !== text || String(wanted ?? '') !== trimmed(String(wanted ?? '')))
                expect(notes).toContain('Spaces at the end')
            } else expectSas(variable, wanted, found[0]!, notes)
          }
          const whole = textOf(variable.label).toWellFormed()
          expect(whole.startsWith(parts[0]!.label)).toBe(true)
          if (whole !== parts[0]!.label) expect(notes).toContain(whole)
        }
      }
    }),
  60_000,
)

function expectSas({ kind }: Variable, wanted: string | number | null, found: ReadCell, notes: string): void {
  const value = plainCell(found)
  if ('missing' in found && found.missing !== '.') expect(notes).toContain(`${found.missing} is ${wanted}`)
  else if ('missing' in found && wanted !== null) expect(notes).toContain(`(${wanted})`)
  else if (value === null || wanted === null) expect(value).toBe(wanted as null)
  // haven gives a moment in seconds since 1970, computed from those since 1960.
  else if (kind === 'moment') expect(Math.abs(Number(value) * 1e6 - Number(wanted))).toBeLessThanOrEqual(1)
  else if (kind === 'day' || kind === 'time') expect(value).toBe(wanted)
  else expect(Number(value)).toBeCloseTo(Number(wanted), 300)
}

test(
  'DuckDB reads every value of random .parquet files',
  () =>
    withRandom('parquet', async (files) => {
      const instance = await DuckDBInstance.create(':memory:')
      const connection = await instance.connect()
      for (const file of files) {
        const read = await connection.runAndReadAll(`select * from read_parquet('${file.path}')`)
        expect(read.columnNames()).toEqual([...file.written.names])
        expect(read.currentRowCount).toBe(file.dataset.table.length)
        const found = read.getColumns()
        for (const { at, cells } of columnsOf(file))
          expect((found[at] ?? []).map(valueIn).map(oneZero)).toEqual(cells.map(oneZero))
        const metadata = await connection.runAndReadAll(
          `select decode(value) from parquet_kv_metadata('${file.path}') where decode(key) = 'trialbox'`,
        )
        const described = JSON.parse(String(metadata.getRows()[0]![0]))
        expect(described.variables.map(({ label }: Variable) => label)).toEqual(
          file.dataset.variables.map(({ label }) => textOf(label).toWellFormed()),
        )
      }
      connection.closeSync()
    }),
  60_000,
)

/** A column of integers has one zero. */
const oneZero = (value: string | number | null) => (Object.is(value, -0) ? 0 : value)

function valueIn(value: DuckDBValue): string | number | null {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof DuckDBDateValue) return value.days
  if (value instanceof DuckDBTimestampTZValue) return Number(value.micros)
  if (value instanceof DuckDBTimeValue) return Number(value.micros) / 1e6
  throw new Error(`An unexpected value: ${value}`)
}

const hasLint = hasReader('xmllint', 'xmllint', '--version')

test.skipIf(!hasLint)(
  'a parser of XML reads every value and title of random .pzfx files, or a note says what is different',
  () =>
    withRandom('pzfx', (files) => {
      const lint = Bun.spawnSync(['xmllint', '--huge', '--noout', ...files.map(({ path }) => path)])
      expect(lint.stderr.toString()).toBe('')
      for (const [index, { tables, notes }] of readPrism(files.map(({ path }) => path)).entries()) {
        const file = files[index]!
        const columns = tables.flatMap((table) => table.columns)
        const titles = tables[0]!.rows
        for (const { variable, at, cells } of columnsOf(file)) {
          const column = titles ? (at ? columns[at - 1]! : { title: null, cells: titles }) : columns[at]!
          if (column.title !== null) expect(column.title).toBe(file.written.names[at]!)
          const noteText = noted(file.written, variable)
          for (const [row, cell] of file.dataset.table.entries()) {
            const isNumber = variable.kind === 'number' && !noteText.includes('whole variable is text')
            const found = column.cells[row] ?? ''
            if (isNumber && cells[row] !== null && found === '') expect(noteText).toContain(`(${cells[row]})`)
            else if (isNumber)
              expect(found === '' ? null : Number(found) + 0).toBe(cells[row] === null ? null : Number(cells[row]) + 0)
            else expect(found).toBe(cell[at] === null || cell[at] === undefined ? '' : textOf(cell[at]).toWellFormed())
          }
          expect(column.cells.length).toBe(file.dataset.table.length)
          expect(notes).toContain(
            textOf(variable.label)
              .toWellFormed()
              .replace(/[\r\n]+/g, ' '),
          )
        }
      }
    }),
  60_000,
)
