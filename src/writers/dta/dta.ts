/** Datasets of Stata (`.dta`, format 118: Stata 14 and later), which R and Python read too. See docs/statistics-formats.md. */
import { refuse } from '#kernel/problem'
import { type Bytes, bytesTo } from '#writers/bytes'
import { PROGRESS_ROWS, type Progress } from '#writers/cell'
import { type Column, spoolColumns } from '#writers/columns'
import type { Dataset, DatasetResult } from '#writers/dataset'
import { growthReporter, type Output, writeNew } from '#writers/file'
import { beginning } from '#writers/names'
import { noteList } from '#writers/noteList'
import type { StatisticsOptions } from '#writers/options'
import { type Spool, withSpool } from '#writers/spool'
import { type DtaVariable, planDta } from './plan'
import { cellWriters, TEXT_OVERHEAD, writeText } from './rows'
import { STATA_SCALE } from './scale'
import { DATA_LABEL, descriptionSections, headerOf, MAP_BYTES, mapOf, valueLabelsSection } from './sections'

const MOST_VARIABLES = 32_767

/**
 * Writes a dataset to a new file of Stata, which is removed if that fails; memory use does not grow with its rows. What Stata cannot hold
 * as it is stands in the notes. Refuses a dataset without variables, or with more than 32,767, with 400.
 */
export async function writeDta(
  path: string,
  dataset: Dataset,
  options: StatisticsOptions,
  progress?: Progress,
): Promise<DatasetResult> {
  const count = dataset.variables.length
  if (!count) throw refuse.bad('noVariables', { name: dataset.name })
  if (count > MOST_VARIABLES)
    throw refuse.bad('tooManyForStata', { name: dataset.name, held: count, most: MOST_VARIABLES })
  const notes = noteList()
  return withSpool(path, count, async (spool) => {
    const rules = { program: 'Stata', scale: STATA_SCALE, partBytes: Number.POSITIVE_INFINITY }
    const columns = spoolColumns(dataset, spool, rules, notes, progress)
    const variables = planDta(columns, notes)
    if (beginning(dataset.label, DATA_LABEL, 'characters') !== dataset.label)
      notes.add(
        '',
        `Stata holds labels of ${DATA_LABEL} characters. All of the label of the dataset: "${dataset.label}"`,
      )
    await writeNew(path, async (output) =>
      writeFile(output, spool, columns, variables, dataset.label, options, progress),
    )
    return { rows: spool.count(), names: variables.map(({ name }) => name), notes: notes.notes }
  })
}

function writeFile(
  output: Output,
  spool: Spool,
  columns: readonly Column[],
  variables: readonly DtaVariable[],
  label: string,
  { created, onGrowth }: StatisticsOptions,
  progress: Progress | undefined,
): void {
  const rows = spool.count()
  const bytes = bytesTo(output)
  const header = headerOf({ label, rows, created }, variables.length)
  const describing = descriptionSections(variables)
  const labels = valueLabelsSection(variables)
  const data = rows * variables.reduce((sum, { width }) => sum + width, 0)
  const lengths = [header.length, MAP_BYTES, ...describing.map(({ length }) => length)]
  lengths.push(data + '<data></data>'.length, textBytes(columns, variables) + '<strls></strls>'.length, labels.length)
  bytes.bytes(header)
  bytes.bytes(mapOf(offsetsOf(lengths)))
  for (const section of describing) bytes.bytes(section)
  const reportGrowth = growthReporter(output, onGrowth)
  const each = (row: number) => {
    if (row % PROGRESS_ROWS === 0) progress?.(rows)
    reportGrowth()
  }
  writeRows(bytes, spool, columns, variables, each)
  writeTexts(bytes, spool, variables, each)
  bytes.bytes(labels)
  bytes.text('</stata_dta>')
  bytes.flush()
  reportGrowth()
  progress?.(rows)
}

/** Where each section begins, then the end tag of the file, then its end. */
function offsetsOf(lengths: readonly number[]): number[] {
  const offsets = [0]
  for (const length of lengths) offsets.push(offsets.at(-1)! + length)
  return [...offsets, offsets.at(-1)! + '</stata_dta>'.length]
}

/** The bytes of the texts behind the rows. */
const textBytes = (columns: readonly Column[], variables: readonly DtaVariable[]): number =>
  columns.reduce(
    (sum, { tally }, at) => sum + (variables[at]!.type === 'strL' ? tally.bytes + tally.texts * TEXT_OVERHEAD : 0),
    0,
  )

function writeRows(
  bytes: Bytes,
  spool: Spool,
  columns: readonly Column[],
  variables: readonly DtaVariable[],
  each: (row: number) => void,
): void {
  const writers = cellWriters(bytes, columns, variables)
  let number = 0
  bytes.text('<data>')
  for (const row of spool.rows()) {
    number += 1
    for (let column = 0; column < writers.length; column++) writers[column]!(row[column], number)
    each(number)
  }
  bytes.text('</data>')
}

function writeTexts(bytes: Bytes, spool: Spool, variables: readonly DtaVariable[], each: (row: number) => void): void {
  const places = variables.flatMap(({ type }, at) => (type === 'strL' ? [at] : []))
  let number = 0
  bytes.text('<strls>')
  for (const row of places.length ? spool.rows() : []) {
    number += 1
    for (const at of places) writeText(bytes, row[at], at + 1, number)
    each(number)
  }
  bytes.text('</strls>')
}
