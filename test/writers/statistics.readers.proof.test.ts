import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import type { DatasetResult } from '#writers/dataset'
import { writeDta } from '#writers/dta/dta'
import { writeSav } from '#writers/sav/sav'
import { inFolderLater } from './folder'
import { type Comparison, expectCells, expectLabel, expectValueLabels } from './statistics.expected'
import { type RandomDataset, randomDataset } from './statistics.random'
import {
  hasHaven,
  hasPandas,
  hasPspp,
  hasReadStat,
  type ReadCell,
  type ReadVariable,
  readByHaven,
  readByPandas,
  readByReadStat,
  runPspp,
} from './statistics.readers'

const CREATED = Date.UTC(2026, 2, 1, 9, 30) * 1000
const DATASETS = 40

type StatisticsFile = { path: string; dataset: RandomDataset; written: DatasetResult }

const formats = { sav: writeSav, dta: writeDta }

/** Writes random datasets, and lets all of them be read together. A failure names its seed. */
const withRandom = (
  format: keyof typeof formats,
  check: (files: StatisticsFile[], folder: string) => Promise<void> | void,
) =>
  fc.assert(
    fc.asyncProperty(fc.array(randomDataset, { minLength: DATASETS, maxLength: DATASETS, size: 'max' }), (datasets) =>
      inFolderLater(async (folder) => {
        const files: StatisticsFile[] = []
        for (const [at, dataset] of datasets.entries()) {
          const path = join(folder, `${at}.${format}`)
          files.push({
            path,
            dataset,
            written: await formats[format](path, dataset, { created: CREATED, product: 'Trialbox' }),
          })
        }
        await check(files, folder)
      }),
    ),
    { numRuns: 1, endOnFailure: true },
  )

const haven = {
  sav: {
    trims: true,
    isPadded: true,
    day: (value) => value,
    moment: (value) => Math.round(value * 1e6),
    off: 1,
    time: (value) => value,
  },
  dta: {
    trims: true,
    isPadded: false,
    day: (value) => value,
    moment: (value) => Math.round(value * 1e6),
    off: 1,
    time: (value) => value + 3_653 * 86_400, // haven shows a time of day as a moment of 1960-01-01
  },
} satisfies Record<string, Comparison>

/** The variables of each column: the first has its name, the others are the further parts of its texts. */
function byColumn({ written }: StatisticsFile, variables: readonly ReadVariable[]): ReadVariable[][] {
  const names = variables.map(({ name }) => name)
  const starts = written.names.map((name) => names.indexOf(name))
  expect(starts).not.toContain(-1)
  return starts.map((start, at) => variables.slice(start, starts[at + 1]))
}

const joined = (parts: readonly ReadVariable[]) =>
  parts[0]!.cells.map((cell, row) =>
    'text' in cell
      ? { text: parts.map(({ cells }) => (cells[row] && 'text' in cells[row] ? cells[row].text : '')).join('') }
      : cell,
  )

test.skipIf(!hasHaven).each(['sav', 'dta'] as const)(
  'R (haven) reads every value, label and missing value of random .%s files, or a note says what is different',
  (format) =>
    withRandom(format, (files) => {
      const read = readByHaven(files.map(({ path }) => path))
      for (const file of files) {
        const { dataset, written, path } = file
        const { rows, variables } = read.get(path)!
        expect([rows, written.rows]).toEqual([dataset.table.length, dataset.table.length])
        for (const [at, parts] of byColumn(file, variables).entries()) {
          const variable = dataset.variables[at]!
          const cells = dataset.table.map((row) => row[at])
          expectCells(variable, cells, rows ? joined(parts) : [], written, haven[format])
          expectLabel(variable, parts[0]!.label, written)
          expectValueLabels(variable, parts[0]!.labels, written)
        }
      }
    }),
  60_000,
)

test.skipIf(!hasPandas)(
  'pandas reads every value and label of random .dta files, or a note says what is different',
  () =>
    withRandom('dta', (files) => {
      const units = {
        trims: false,
        isPadded: false,
        day: (value: number) => value - 3_653,
        moment: (value: number) => Math.trunc(value) * 1000 + Math.round((value % 1) * 1000) - 3_653 * 86_400_000_000,
        off: 0,
        time: (value: number) => value / 1000,
      }
      for (const [at, read] of readByPandas(files.map(({ path }) => path)).entries()) {
        const { dataset, written } = files[at]!
        expect(read.names).toEqual([...written.names])
        expect(read.stamp).toBe('01 Mar 2026 09:30')
        expect(dataset.label.toWellFormed().startsWith(read.title)).toBe(true)
        for (const [column, variable] of dataset.variables.entries()) {
          const name = read.names[column]!
          const letters = (value: number) =>
            value > 2_147_483_620 ? `.${String.fromCharCode(96 + value - 2_147_483_621)}` : value
          const labels = new Map((read.values[name] ?? []).map(([value, label]) => [letters(value), label]))
          expectCells(
            variable,
            dataset.table.map((row) => row[column]),
            read.cells[column]!,
            written,
            units,
          )
          expectLabel(variable, read.labels[name]!, written)
          expectValueLabels(variable, labels, written)
        }
      }
    }),
  60_000,
)

test.skipIf(!hasPspp)(
  'PSPP reads random .sav files without a warning, and every text and number in them',
  () =>
    withRandom('sav', async (files, folder) => {
      const filled = files.filter(({ dataset }) => dataset.table.length)
      const syntax = filled.map(
        ({ path }) =>
          `SYSFILE INFO FILE='${path}'.\nGET FILE='${path}'.\nSAVE TRANSLATE /OUTFILE='${path}.csv' /TYPE=CSV /FIELDNAMES /CELLS=VALUES.\n`,
      )
      const out = await runPspp(folder, syntax.join(''))
      // PSPP 1.6 reads several missing values of a long text as older versions of itself wrote them; SPSS and ReadStat do not.
      const known = /Extension record subtype 22 ends unexpectedly/
      const complaints = out.split('\n').filter((line) => /warning|error/i.test(line) && !known.test(line))
      expect(complaints).toEqual([])
      const created = [...out.matchAll(/^Created,(.*)$/gm)].map(([, when]) => when)
      expect(created).toEqual(filled.map(() => '01 Mar 26 09:30:00 by Trialbox'))
      for (const file of filled) await expectPsppCells(file)
    }),
  60_000,
)

/** PSPP writes dates in a form of its own, so that those are left to the other readers. */
async function expectPsppCells({ path, dataset, written }: StatisticsFile): Promise<void> {
  const [names, ...rows]: string[][] = parse(await Bun.file(`${path}.csv`).text())
  expect(rows.length).toBe(dataset.table.length)
  const starts = written.names.map((name) => names!.indexOf(name))
  for (const [at, variable] of dataset.variables.entries()) {
    const isText =
      variable.kind === 'text' ||
      written.notes.some((note) => note.variable === variable.name && /whole variable is text/.test(note.text))
    if (!isText && variable.kind !== 'number') continue
    const read = rows.map((row): ReadCell => {
      const text = row
        .slice(starts[at], starts[at + 1])
        .map((part) => part.replace(/ +$/, ''))
        .join('')
      return isText ? { text } : text.trim() === '' ? { missing: '.' } : { number: Number(text) }
    })
    expectCells(
      variable,
      dataset.table.map((row) => row[at]),
      read,
      written,
      haven.sav,
    )
  }
}

test.skipIf(!hasReadStat).each(['sav', 'dta'] as const)(
  'readstat converts random .%s files',
  (format) =>
    withRandom(format, async (files, folder) => {
      for (const { path, written } of files.slice(0, 20)) {
        const { error, csv } = await readByReadStat(folder, path)
        expect(error).toBe('')
        expect(csv.startsWith(`"${written.names[0]}"`)).toBe(true)
      }
    }),
  60_000,
)
