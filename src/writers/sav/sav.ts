/** System files of SPSS (`.sav`), which PSPP, R, Python and others read too. See docs/statistics-formats.md. */
import { refuse } from '#kernel/problem'
import { bytesTo } from '#writers/bytes'
import { type Cell, PROGRESS_ROWS, type Progress } from '#writers/cell'
import { textOf } from '#writers/cellNumber'
import { type Column, spoolColumns } from '#writers/columns'
import type { Dataset, DatasetResult } from '#writers/dataset'
import { growthReporter, type Output, utf8, writeNew } from '#writers/file'
import { beginning } from '#writers/names'
import { noteList } from '#writers/noteList'
import type { StatisticsOptions } from '#writers/options'
import { type Spool, withSpool } from '#writers/spool'
import { partsOf } from '#writers/tally'
import { type Cases, casesTo } from './cases'
import { FILE_LABEL, writeDictionary } from './dictionary'
import { missingRanges } from './missing'
import { type PlacedVariable, placeVariables } from './places'
import { planSav } from './plan'
import { SPSS_SCALE, TEXT_WIDTH } from './scale'

/** The most cases that a system file counts in its header. */
const MOST_ROWS = 0x7fff_ffff

/**
 * Writes a dataset to a new system file, which is removed if that fails; memory use does not grow with its rows. What SPSS cannot hold
 * as it is stands in the notes. Refuses a dataset without variables with 400.
 */
export async function writeSav(
  path: string,
  dataset: Dataset,
  options: StatisticsOptions,
  progress?: Progress,
): Promise<DatasetResult> {
  if (!dataset.variables.length) throw refuse.bad('noVariables', { name: dataset.name })
  const notes = noteList()
  return withSpool(path, dataset.variables.length, async (spool) => {
    const rules = { program: 'SPSS', scale: SPSS_SCALE, partBytes: TEXT_WIDTH, ranges: missingRanges }
    const columns = spoolColumns(dataset, spool, rules, notes, progress)
    const rows = spool.count()
    if (rows > MOST_ROWS) throw refuse.bad('tooManyRowsForSpss', { name: dataset.name, most: MOST_ROWS })
    const plan = planSav(columns, notes)
    if (beginning(dataset.label, FILE_LABEL, 'bytes') !== dataset.label)
      notes.add('', `SPSS holds labels of files of ${FILE_LABEL} bytes. All of it: "${dataset.label}"`)
    const variables = placeVariables(plan.flat())
    await writeNew(path, async (output) => {
      const bytes = bytesTo(output)
      writeDictionary(bytes, { ...options, label: dataset.label, rows }, variables)
      bytes.flush()
      writeCases(output, spool, cellWriters(columns, plan, variables), options.onGrowth, progress)
    })
    return { rows, names: plan.map(([first]) => first!.name), notes: notes.notes }
  })
}

type CellWriter = (cases: Cases, cell: Cell) => void

function writeCases(
  output: Output,
  spool: Spool,
  writers: readonly CellWriter[],
  onGrowth: StatisticsOptions['onGrowth'],
  progress: Progress | undefined,
): void {
  const cases = casesTo(output)
  const reportGrowth = growthReporter(output, onGrowth)
  let rows = 0
  for (const row of spool.rows()) {
    for (let column = 0; column < writers.length; column++) writers[column]!(cases, row[column])
    rows += 1
    if (rows % PROGRESS_ROWS === 0) progress?.(spool.count())
    reportGrowth()
  }
  cases.end()
  reportGrowth()
  progress?.(rows)
}

/** A function for each column, which writes its cell into the variables of the column. */
function cellWriters(
  columns: readonly Column[],
  plan: readonly { name: string }[][],
  variables: readonly PlacedVariable[],
): CellWriter[] {
  const byName = new Map(variables.map((variable) => [variable.name, variable]))
  return columns.map((column, at) => {
    const own = plan[at]!.flatMap(({ name }) => byName.get(name) ?? [])
    return column.kind === 'text' ? textWriter(own) : numberWriter(column)
  })
}

const numberWriter =
  (column: Column): CellWriter =>
  (cases, cell) =>
    cases.number(cell === null || cell === undefined ? undefined : column.number(cell))

function textWriter(variables: readonly PlacedVariable[]): CellWriter {
  const encode = utf8()
  return (cases, cell) => {
    const bytes = encode(cell === null || cell === undefined ? '' : textOf(cell))
    const parts = partsOf(bytes, TEXT_WIDTH)
    for (let part = 0; part < variables.length; part++) {
      const { from, to } = parts[part] ?? { from: 0, to: 0 }
      cases.text(bytes, from, to, variables[part]!.segments)
    }
  }
}
