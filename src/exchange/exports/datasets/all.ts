/** The datasets of an export, each made in one place for every format: csv, workbooks and the formats of statistics programs. */
import type { ExportContext } from '#exchange/exports/context'
import type { ExportTask } from '#exchange/exports/task'
import { refuse } from '#kernel/problem'
import type { Dataset } from '#writers/dataset'
import { codebookOf } from './codebook'
import type { ColumnForm } from './form'
import { historyTable } from './history'
import { longTable } from './long'
import { rowTables } from './rowTables'
import { type Count, stageTable, trialTable } from './tables'
import { wideTable } from './wide'

/** How the answers of an export become columns: csv has single columns if nothing is said, the other formats expanded ones. */
export function formOf({ format, columns, values }: Pick<ExportTask, 'format' | 'columns' | 'values'>): ColumnForm {
  const isCsv = format === 'csv'
  const columnForm = columns ?? (isCsv ? 'single' : 'expanded')
  return {
    columns: columnForm,
    values: values ?? (columnForm === 'single' ? 'labels' : 'codes'),
    cells: isCsv ? 'text' : format === 'excel' ? 'dates' : 'strict',
    tables: isCsv ? 'inline' : 'apart',
  }
}

/** All in one table, as a csv has it. @throws 400 if the table is not in the export */
export function datasetOf(from: ExportContext, task: ExportTask, count: Count): Dataset {
  const form = formOf(task)
  const [stage] = from.stages
  if (task.dataset === 'codebook')
    return withCount(codebookOf([datasetOf(from, { ...task, dataset: 'stage' }, count)]), count)
  if (task.dataset === 'table') {
    const [table] = rowTables(from, form, count).filter(({ dataType }) => dataType === task.table)
    if (!table) throw refuse.bad('tableNotInExport')
    return table
  }
  const other = otherTable(from, task, form, count)
  if (other) return other
  return task.stage === null || !stage ? trialTable(from, form, count) : stageTable(from, stage, form, count)
}

/**
 * All that is exported: a table for each stage, or one for all in another shape; then, if answers are expanded, one for the rows of each
 * table among the data types.
 */
export function datasetsOf(from: ExportContext, task: ExportTask, count: Count): Dataset[] {
  const form = formOf(task)
  if (task.dataset === 'codebook')
    return [withCount(codebookOf(datasetsOf(from, { ...task, dataset: 'stage' }, count)), count)]
  if (task.dataset === 'table') return rowTables(from, form, count)
  const other = otherTable(from, task, form, count)
  if (other && (task.dataset === 'history' || task.shape === 'long')) return [other]
  const main = other ? [other] : from.stages.map((stage) => stageTable(from, stage, form, count))
  return form.columns === 'single' ? main : [...main, ...rowTables(from, form)]
}

/** The history, or the responses in another shape; undefined if neither is asked. */
function otherTable(from: ExportContext, task: ExportTask, form: ColumnForm, count: Count): Dataset | undefined {
  if (task.dataset === 'history') return historyTable(from, form, count)
  if (task.shape === 'wide') return wideTable(from, form, count)
  return task.shape === 'long' ? longTable(from, form, count) : undefined
}

/** A dataset whose rows are counted. */
function withCount(dataset: Dataset, count: Count): Dataset {
  function* rows() {
    for (const row of dataset.rows) {
      count.rows++
      yield row
    }
  }
  return { ...dataset, rows: rows() }
}
