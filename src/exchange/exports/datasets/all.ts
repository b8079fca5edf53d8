/** The datasets of an export, each made in one place for every format: csv, workbooks and the formats of statistics programs. */

import type { ExportContext } from '#exchange/exports/context'
import { type Count, stageTable, trialTable } from '#exchange/exports/tables'
import type { ExportTask } from '#exchange/exports/task'
import type { Dataset } from '#writers/dataset'
import type { ColumnForm } from './form'
import { rowTables } from './rowTables'

/** How the answers of an export become columns: csv has single columns if nothing is said, the other formats expanded ones. */
export function formOf({ format, columns, values }: Pick<ExportTask, 'format' | 'columns' | 'values'>): ColumnForm {
  const isCsv = format === 'csv'
  const asked = columns ?? (isCsv ? 'single' : 'expanded')
  return {
    columns: asked,
    values: values ?? (asked === 'single' ? 'labels' : 'codes'),
    cells: isCsv ? 'text' : format === 'excel' ? 'dates' : 'strict',
    tables: isCsv ? 'inline' : 'apart',
  }
}

/** All in one table, as a csv has it. */
export function datasetOf(from: ExportContext, task: ExportTask, count: Count): Dataset {
  const form = formOf(task)
  const [stage] = from.stages
  return task.stage === null || !stage ? trialTable(from, form, count) : stageTable(from, stage, form, count)
}

/** A table for each stage, then, in the expanded form, one for the rows of each table among their data types. */
export function datasetsOf(from: ExportContext, task: ExportTask, count: Count): Dataset[] {
  const form = formOf(task)
  const stages = from.stages.map((stage) => stageTable(from, stage, form, count))
  return form.columns === 'single' ? stages : [...stages, ...rowTables(from, form)]
}
