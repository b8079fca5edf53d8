import type { Db } from '#db/open'
import type { MakeLink } from '#storage/storage'
import { csvChunks } from '#writers/csv'
import { writeText } from '#writers/file'
import { writeXlsx } from '#writers/xlsx'
import { type ExportContext, exportContextOf } from './context'
import { jsonText, rawText, stageResponsesText } from './documents'
import { type Count, stageTable, trialTable } from './tables'
import type { ExportResult, ExportTask } from './task'

/**
 * Writes an export to a file, in constant memory. It reads everything in one transaction: the trial as it
 * was at one moment, without what is submitted meanwhile. Nothing else may use the connection until it returns.
 * @param link for a reading
 */
export const writeExport = (db: Db, task: ExportTask, path: string, link?: MakeLink): ExportResult =>
  db.transaction(() => {
    const from = exportContextOf(db, task)
    const count: Count = { rows: 0 }
    const bytes =
      task.format === 'excel'
        ? writeWorkbook(from, task, path, count)
        : writeText(path, textOf(from, task, count, link))
    return { rows: count.rows, bytes, stages: from.stages.length }
  })

const writeWorkbook = (from: ExportContext, { columns = 'expanded' }: ExportTask, path: string, count: Count): number =>
  writeXlsx(
    path,
    from.stages.map((stage) => stageTable(from, stage, { columns, realDates: true }, count)),
  ).bytes

function textOf(
  from: ExportContext,
  { format, stage, columns = 'single' }: ExportTask,
  count: Count,
  link?: MakeLink,
): Generator<string> {
  if (format === 'json') return jsonText(from, count)
  if (format === 'raw') return rawText(from, count)
  if (format === 'reading') return stageResponsesText(from, count, link!)
  const sheet =
    stage === null
      ? trialTable(from, columns, count)
      : stageTable(from, from.stages[0]!, { columns, realDates: false }, count)
  return csvInJson(csvChunks(sheet))
}

/** The body `{csv}` in pieces, so that the whole text is never in memory. */
function* csvInJson(chunks: Iterable<string>): Generator<string> {
  yield '{"csv":"'
  for (const chunk of chunks) yield JSON.stringify(chunk).slice(1, -1)
  yield '"}'
}
