/** Column tables of GraphPad Prism (`.pzfx`), which are XML. See docs/r-sas-prism-parquet.md. */
import { refuse } from '#kernel/problem'
import { type Cell, PROGRESS_ROWS, type Progress } from '#writers/cell'
import { textOf } from '#writers/cellNumber'
import { type ColumnFile, withColumnFile } from '#writers/columnFile'
import { type Column, spoolColumns } from '#writers/columns'
import type { Dataset, DatasetResult } from '#writers/dataset'
import { growthReporter, type Output, utf8, writeNew } from '#writers/file'
import { PRISM_NAMES, validNames } from '#writers/names'
import { type NoteList, noteList } from '#writers/noteList'
import type { StatisticsOptions } from '#writers/options'
import { type Spool, withSpool } from '#writers/spool'
import { noteTexts } from '#writers/textNotes'
import {
  cellXml,
  closing,
  infoXml,
  opening,
  PRISM_SCALE,
  tableHead,
  tableTail,
  titlesXml,
  yColumnHead,
  yColumnTail,
} from './xml'

/** The most columns of a table in Prism 8 and later. The next ones are in a further table. */
const TABLE_COLUMNS = 1_024

/**
 * Writes a dataset to a new file of Prism, which is removed if that fails; memory use does not grow with its rows. Texts in the first
 * variable are the titles of rows. What Prism cannot hold as it is stands in the notes. Refuses a dataset without variables with 400.
 * @param tableColumns the most columns of a table; only tests set other values
 */
export async function writePzfx(
  path: string,
  dataset: Dataset,
  options: StatisticsOptions,
  progress?: Progress,
  tableColumns = TABLE_COLUMNS,
): Promise<DatasetResult> {
  const count = dataset.variables.length
  if (!count) throw refuse.bad('noVariables', { name: dataset.name })
  const notes = noteList()
  return withSpool(path, count, async (spool) => {
    const rules = { program: 'Prism', scale: PRISM_SCALE, partBytes: Number.POSITIVE_INFINITY }
    const columns = spoolColumns(dataset, spool, rules, notes, progress)
    const names = validNames(
      PRISM_NAMES,
      dataset.variables.map(({ name }) => name),
    )
    for (const column of columns) if (column.kind === 'text') noteTexts(column, { emptyIsBlank: true }, notes)
    await withColumnFile(path, count, async (file) => {
      fill(file, spool, columns, notes, progress)
      await writeNew(path, async (output) =>
        writeFile(output, file, { dataset, columns, names, tableColumns }, options),
      )
    })
    progress?.(spool.count())
    return { rows: spool.count(), names, notes: notes.notes }
  })
}

/** Puts the XML of each cell behind those of its column. */
function fill(
  file: ColumnFile,
  spool: Spool,
  columns: readonly Column[],
  notes: NoteList,
  progress: Progress | undefined,
): void {
  const encode = utf8()
  const replaced = columns.map(() => 0)
  let rows = 0
  for (const row of spool.rows()) {
    for (let at = 0; at < columns.length; at++) {
      const { xml, isChanged } = cellXml(contentOf(columns[at]!, row[at]))
      if (isChanged) replaced[at]! += 1
      file.add(at, encode(xml))
    }
    rows += 1
    if (rows % PROGRESS_ROWS === 0) progress?.(spool.count())
  }
  for (const [at, { variable }] of columns.entries())
    if (replaced[at])
      notes.add(variable.name, `Control characters, which XML cannot hold, are � in ${replaced[at]} of its texts.`)
}

/** What Prism shows: a number, or a text. Days and times are texts. */
function contentOf({ kind, number }: Column, cell: Cell): string {
  if (cell === null || cell === undefined) return ''
  return kind === 'number' ? String(number(cell) ?? '') : textOf(cell)
}

type Table = {
  dataset: Dataset
  columns: readonly Column[]
  names: readonly string[]
  tableColumns: number
}

function writeFile(
  output: Output,
  file: ColumnFile,
  { dataset, columns, names, tableColumns }: Table,
  { created, product, onGrowth }: StatisticsOptions,
): void {
  const encode = utf8()
  const reportGrowth = growthReporter(output, onGrowth)
  const text = (xml: string) => output.write(encode(xml))
  const cells = (column: number) => {
    for (const piece of file.read(column)) {
      output.write(piece)
      reportGrowth()
    }
  }
  const hasTitles = columns[0]!.kind === 'text' && columns[0]!.values.length === 0
  const tables = tablesOf(columns.length, hasTitles ? 1 : 0, tableColumns)
  text(opening({ created, product }, tables.length))
  text(infoXml(dataset, columns, names))
  for (const [number, places] of tables.entries()) {
    text(tableHead(number, number ? `${dataset.name} (${number + 1})` : dataset.name))
    if (hasTitles) {
      text(titlesXml.head)
      cells(0)
      text(titlesXml.tail)
    }
    for (const at of places) {
      text(yColumnHead(names[at]!, columns[at]!))
      cells(at)
      text(yColumnTail)
    }
    text(tableTail)
  }
  text(closing)
  reportGrowth()
}

/** The columns of each table. One that has titles of rows alone is a table too. */
function tablesOf(count: number, from: number, most: number): number[][] {
  const tables: number[][] = []
  for (let at = from; at < count; at += most)
    tables.push(Array.from({ length: Math.min(most, count - at) }, (_, place) => at + place))
  return tables.length ? tables : [[]]
}
