/** Data frames of R (`.rds`), which `readRDS` reads without any package. See docs/r-sas-prism-parquet.md. */
import { refuse } from '#kernel/problem'
import { PROGRESS_ROWS, type Progress } from '#writers/cell'
import { textOf } from '#writers/cellNumber'
import { type ColumnFile, withColumnFile } from '#writers/columnFile'
import { spoolColumns } from '#writers/columns'
import type { Dataset, DatasetResult } from '#writers/dataset'
import { growthReporter, type Output, writeNew } from '#writers/file'
import { type Gzip, gzipTo } from '#writers/gzip'
import { R_NAMES, validNames } from '#writers/names'
import { noteList } from '#writers/noteList'
import type { StatisticsOptions } from '#writers/options'
import { type Spool, withSpool } from '#writers/spool'
import { noteTexts } from '#writers/textNotes'
import { levelsOf } from './levels'
import { planVariable, R_SCALE, type RVariable } from './plan'
import { cellsOfR, itemsOfR } from './xdr'

const MOST_ROWS = 2 ** 31 - 1

/**
 * Writes a dataset to a new file of R, which is removed if that fails; memory use does not grow with its rows. What R cannot hold as it is
 * stands in the notes. Refuses a dataset without variables with 400.
 */
export async function writeRds(
  path: string,
  dataset: Dataset,
  options: StatisticsOptions,
  progress?: Progress,
): Promise<DatasetResult> {
  const count = dataset.variables.length
  if (!count) throw refuse.bad('noVariables', { name: dataset.name })
  const notes = noteList()
  return withSpool(path, count, async (spool) => {
    const rules = { program: 'R', scale: R_SCALE, partBytes: Number.POSITIVE_INFINITY }
    const columns = spoolColumns(dataset, spool, rules, notes, progress)
    const rows = spool.count()
    if (rows > MOST_ROWS) throw refuse.bad('tooManyRowsForR', { name: dataset.name, most: MOST_ROWS })
    const levels = levelsOf(columns, spool)
    const names = validNames(
      R_NAMES,
      dataset.variables.map(({ name }) => name),
    )
    const variables = columns.map((column, at) => {
      if (column.kind === 'text' && !levels[at]) noteTexts(column, {}, notes)
      return planVariable(column, names[at]!, levels[at], notes)
    })
    await withColumnFile(path, count, async (file) => {
      fill(file, spool, variables, progress)
      await writeNew(path, (output) => writeFrame(output, file, variables, rows, textOf(dataset.label), options))
    })
    progress?.(rows)
    return { rows, names, notes: notes.notes }
  })
}

/** Puts each cell behind those of its column. */
function fill(file: ColumnFile, spool: Spool, variables: readonly RVariable[], progress: Progress | undefined): void {
  const cells = cellsOfR()
  let rows = 0
  for (const row of spool.rows()) {
    for (let at = 0; at < variables.length; at++) {
      const { type, value } = variables[at]!
      const cell = value(row[at])
      if (type === 'texts') file.add(at, cells.text(typeof cell === 'number' ? String(cell) : cell))
      else if (typeof cell === 'string') throw new Error('A column of numbers has a text.')
      else file.add(at, type === 'ints' ? cells.int(cell) : cells.double(cell))
    }
    rows += 1
    if (rows % PROGRESS_ROWS === 0) progress?.(spool.count())
  }
}

async function writeFrame(
  output: Output,
  file: ColumnFile,
  variables: readonly RVariable[],
  rows: number,
  label: string,
  { onGrowth }: StatisticsOptions,
): Promise<void> {
  const gzip = gzipTo(output)
  const reportGrowth = growthReporter(output, onGrowth)
  const items = itemsOfR()
  await gzip.write(items.start())
  await gzip.write(items.listHead(variables.length))
  for (const [at, { type, isObject, attributes }] of variables.entries()) {
    await gzip.write(items.vectorHead(type, rows, isObject))
    await writePieces(gzip, file.read(at), reportGrowth)
    await gzip.write(items.attributes(attributes))
  }
  await gzip.write(
    items.attributes({
      names: { texts: variables.map(({ name }) => name) },
      class: { texts: ['data.frame'] },
      // How R writes the numbers 1, 2, 3… as names of rows.
      'row.names': { ints: [undefined, -rows] },
      label: { texts: [label] },
    }),
  )
  await gzip.end()
  reportGrowth()
}

async function writePieces(gzip: Gzip, pieces: Iterable<Uint8Array>, reportGrowth: () => boolean): Promise<void> {
  for (const piece of pieces) {
    await gzip.write(piece)
    reportGrowth()
  }
}
