/** SAS transport files of version 8 (`.xpt`), which SAS 9, R and Python read. See docs/r-sas-prism-parquet.md. */
import { refuse } from '#kernel/problem'
import { type Cell, PROGRESS_ROWS, type Progress } from '#writers/cell'
import { textOf } from '#writers/cellNumber'
import { type Column, spoolColumns } from '#writers/columns'
import type { Dataset, DatasetResult } from '#writers/dataset'
import { growthReporter, type Output, utf8, writeNew } from '#writers/file'
import { type NoteList, noteList } from '#writers/noteList'
import type { StatisticsOptions } from '#writers/options'
import { type Spool, withSpool } from '#writers/spool'
import { partsOf } from '#writers/tally'
import { headerOf, padding, SPACE } from './header'
import { SAS_SCALE, writeIbm, writeMissing } from './ibm'
import { datasetName, planXpt, type SasVariable, TEXT_WIDTH } from './plan'

/** Two bytes count the variables. */
const MOST_VARIABLES = 32_767
/** The bytes of all rows. Every text takes as much as the longest one of its column. */
const MOST_BYTES = 2 ** 36
const CHUNK = 1 << 18

/** A dataset that was written, with what a program needs to give labels to its values. */
export type XptResult = DatasetResult & { dataset: string; variables: readonly SasVariable[] }

/**
 * Writes a dataset to a new transport file, which is removed if that fails; memory use does not grow with its rows. What SAS cannot hold
 * as it is stands in the notes. Refuses with 400: no variables, more than 32,767, and texts so long that the file would exceed 64 GB,
 * because a row has a fixed length.
 */
export async function writeXpt(
  path: string,
  dataset: Dataset,
  options: StatisticsOptions,
  progress?: Progress,
): Promise<XptResult> {
  const { name, label, variables } = dataset
  const count = variables.length
  if (!count) throw refuse.bad('noVariables', { name })
  const notes = noteList()
  return withSpool(path, count, async (spool) => {
    const rules = { program: 'SAS', scale: SAS_SCALE, partBytes: TEXT_WIDTH }
    const columns = spoolColumns(dataset, spool, rules, notes, progress)
    const plan = planXpt(columns, notes)
    const all = plan.flat()
    const width = all.reduce((sum, variable) => sum + variable.width, 0)
    checkSize(name, all.length, width * spool.count())
    const header = { dataset: datasetName(name), label: textOf(label), created: options.created }
    if (Buffer.byteLength(header.label) > 40)
      notes.add('', `SAS holds labels of datasets of 40 bytes. All of it: "${header.label}"`)
    await writeNew(path, async (output) => {
      output.write(headerOf(header, all))
      writeRows(output, spool, columns, plan, width, options.onGrowth, notes, progress)
    })
    const names = plan.map(([first]) => first!.name)
    return { rows: spool.count(), names, notes: notes.notes, dataset: header.dataset, variables: all }
  })
}

function checkSize(name: string, variables: number, bytes: number): void {
  if (variables > MOST_VARIABLES) throw refuse.bad('tooManyForSas', { name, held: variables, most: MOST_VARIABLES })
  if (bytes > MOST_BYTES) throw refuse.bad('tooLargeForSas', { name, size: Math.round(bytes / 2 ** 30) })
}

function writeRows(
  output: Output,
  spool: Spool,
  columns: readonly Column[],
  plan: readonly SasVariable[][],
  width: number,
  onGrowth: StatisticsOptions['onGrowth'],
  notes: NoteList,
  progress: Progress | undefined,
): void {
  const writers = columns.map((column, at) =>
    column.kind === 'text' ? textWriter(plan[at]!) : numberWriter(column, plan[at]![0]!),
  )
  const reportGrowth = growthReporter(output, onGrowth)
  const most = Math.max(1, Math.floor(CHUNK / width))
  const buffer = Buffer.alloc(width * most)
  let [used, rows, blank] = [0, 0, 0]
  for (const row of spool.rows()) {
    const begin = used
    for (let column = 0; column < writers.length; column++) used = writers[column]!(buffer, used, row[column])
    blank = isBlank(buffer, begin, used) ? blank + 1 : 0
    rows += 1
    if (rows % PROGRESS_ROWS === 0) progress?.(spool.count())
    if (rows % most) continue
    output.write(buffer.subarray(0, used))
    used = 0
    reportGrowth()
  }
  output.write(buffer.subarray(0, used))
  output.write(padding(rows * width))
  // The file does not say how many rows it has, and its last record is filled up with spaces.
  if (blank)
    notes.add('', `The last rows are blank (${blank}): programs that read the file may leave them out, or add some.`)
  reportGrowth()
  progress?.(rows)
}

function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at] !== SPACE) return false
  return true
}

/** Writes a cell at an offset, and returns where it ends. */
type CellWriter = (bytes: Buffer, at: number, cell: Cell) => number

const numberWriter =
  (column: Column, { letters }: SasVariable): CellWriter =>
  (bytes, at, cell) => {
    const value = cell === null || cell === undefined ? undefined : column.number(cell)
    const letter = value === undefined ? 0 : letters.get(value)
    if (letter === undefined) writeIbm(bytes, at, value!)
    else writeMissing(bytes, at, letter)
    return at + 8
  }

function textWriter(variables: readonly SasVariable[]): CellWriter {
  const encode = utf8()
  return (bytes, at, cell) => {
    const text = encode(cell === null || cell === undefined ? '' : textOf(cell))
    const parts = partsOf(text, TEXT_WIDTH)
    let end = at
    for (let part = 0; part < variables.length; part++) {
      const { from, to } = parts[part] ?? { from: 0, to: 0 }
      const { width } = variables[part]!
      bytes.set(text.subarray(from, to), end)
      bytes.fill(SPACE, end + to - from, end + width)
      end += width
    }
    return end
  }
}
