/** Parquet files, for DuckDB, pandas, R (arrow) and data warehouses. See docs/r-sas-prism-parquet.md. */
import { ByteWriter, ParquetWriter, type Writer } from 'hyparquet-writer'
import { refuse } from '#kernel/problem'
import { PROGRESS_ROWS, type Progress } from '#writers/cell'
import { textOf } from '#writers/cellNumber'
import { type Column, spoolColumns } from '#writers/columns'
import type { Dataset, DatasetResult } from '#writers/dataset'
import { growthReporter, type Output, writeNew } from '#writers/file'
import { validNames } from '#writers/names'
import { noteList } from '#writers/noteList'
import type { StatisticsOptions } from '#writers/options'
import { type Spool, withSpool } from '#writers/spool'
import { noteTexts } from '#writers/textNotes'
import { type Field, fieldOf, PARQUET_NAMES, PARQUET_SCALE, type Value } from './schema'

/** The most rows of a group, its cells, and the characters of its texts: a group is in memory. */
const GROUP_ROWS = 20_000
const GROUP_CELLS = 800_000
const GROUP_CHARACTERS = 1 << 23

/**
 * Writes a dataset to a new Parquet file, which is removed if that fails; memory use does not grow with its rows. Labels, units and values
 * are in the metadata `trialbox`, as JSON. Refuses a dataset without variables with 400.
 */
export async function writeParquet(
  path: string,
  dataset: Dataset,
  options: StatisticsOptions,
  progress?: Progress,
): Promise<DatasetResult> {
  const count = dataset.variables.length
  if (!count) throw refuse.bad('noVariables', { name: dataset.name })
  const notes = noteList()
  return withSpool(path, count, async (spool) => {
    const rules = { program: 'Parquet', scale: PARQUET_SCALE, partBytes: Number.POSITIVE_INFINITY }
    const columns = spoolColumns(dataset, spool, rules, notes, progress)
    for (const column of columns) if (column.kind === 'text') noteTexts(column, {}, notes)
    const names = validNames(
      PARQUET_NAMES,
      dataset.variables.map(({ name }) => name),
    )
    const fields = columns.map((column, at) => fieldOf(column, names[at]!))
    await writeNew(path, async (output) => {
      const writer = new ParquetWriter({
        writer: writerTo(output),
        schema: [{ name: 'root', num_children: count }, ...fields.map(({ element }) => element)],
        kvMetadata: [{ key: 'trialbox', value: metadataOf(dataset, columns, names) }],
        createdBy: options.product,
      })
      await writeGroups(writer, spool, fields, growthReporter(output, options.onGrowth), progress)
      await writer.finish()
    })
    return { rows: spool.count(), names, notes: notes.notes }
  })
}

async function writeGroups(
  writer: ParquetWriter,
  spool: Spool,
  fields: readonly Field[],
  reportGrowth: () => boolean,
  progress: Progress | undefined,
): Promise<void> {
  const most = Math.max(1, Math.min(GROUP_ROWS, Math.floor(GROUP_CELLS / fields.length)))
  let data: Value[][] = fields.map(() => [])
  let [rows, characters, all] = [0, 0, 0]
  const flush = async () => {
    if (rows)
      await writer.write({
        columnData: fields.map(({ element: { name } }, at) => ({ name, data: data[at]! })),
        rowGroupSize: rows,
      })
    data = fields.map(() => [])
    rows = 0
    characters = 0
    reportGrowth()
  }
  for (const row of spool.rows()) {
    for (let at = 0; at < fields.length; at++) {
      const value = fields[at]!.value(row[at])
      if (typeof value === 'string') characters += value.length
      data[at]!.push(value)
    }
    rows += 1
    all += 1
    if (rows >= most || characters > GROUP_CHARACTERS) await flush()
    if (all % PROGRESS_ROWS === 0) progress?.(spool.count())
  }
  await flush()
  progress?.(spool.count())
}

const CHUNK = 1 << 20

/** The library's buffer, emptied into the file. Its own writer to files neither flushes to the disk nor keeps the file private. */
function writerTo(output: Output): Writer {
  const writer = new ByteWriter()
  const flush = () => {
    output.write(new Uint8Array(writer.buffer, 0, writer.index))
    writer.index = 0
  }
  const grow = writer.ensure.bind(writer)
  return Object.assign(writer, {
    ensure(size: number) {
      if (writer.index > CHUNK) flush()
      grow(size)
    },
    flush,
    finish: flush,
  })
}

/** What the schema cannot say, for programs that ask for it. */
const metadataOf = ({ name, label }: Dataset, columns: readonly Column[], names: readonly string[]): string =>
  JSON.stringify(
    {
      name,
      label: textOf(label),
      variables: columns.map(({ variable: { name, label, kind, measure, unit, decimals }, values }, at) => ({
        name: names[at],
        ...(name === names[at] ? {} : { columnName: name }),
        label,
        kind,
        measure,
        unit,
        decimals,
        values: values.length ? values : undefined,
      })),
    },
    (_, value) => (typeof value === 'string' ? value.toWellFormed() : value),
  )
