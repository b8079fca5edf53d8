import type { Db } from '#db/open'
import { datasetOf, datasetsOf } from '#exchange/exports/datasets/all'
import type { Written } from '#jobs/growing'
import type { MakeLink } from '#storage/storage'
import { csvChunks } from '#writers/csv'
import { writeTemporary } from '#writers/file'
import { writeXlsx } from '#writers/xlsx'
import { type ExportContext, exportContextOf } from './context'
import { jsonText, rawText, stageResponsesText } from './documents'
import { foodDiaryTable } from './foodDiary'
import { hardwareTable } from './hardware'
import { countHardware, countKept, dropParticipants, hasMoreThan, inLongStep, inStep } from './store'
import { type Count, sheetOf } from './tables'
import { type ExportResult, type ExportTask, hardwareIn } from './task'

/** An export of more responses is read in steps, and is sent while it is written. The others take less than half a second. */
const LARGE = 10_000

export type WriteOptions = {
  /** For a reading: makes the links to files. */
  link?: MakeLink | undefined
  /** Called while a large export is written. */
  written?: (so: Written) => void
  /** How many responses make an export large; only tests set another. */
  large?: number
}

/**
 * Writes an export to a new file, in constant memory: the trial as it was at one moment, without what is submitted meanwhile. A
 * large one is read in short transactions (see `pages.ts`), the others in one. So is the body of a GET, with the review of the
 * responses, which has no numbered history. Nothing else may use the connection until it ends.
 */
export async function writeExport(
  db: Db,
  task: ExportTask,
  path: string,
  options: WriteOptions = {},
): Promise<ExportResult> {
  const { large = LARGE } = options
  // What wearables measured is read participant by participant, however much it is; a diary has no numbered history.
  const isStepwise =
    hardwareIn(task) !== undefined ||
    (task.format !== 'reading' && task.dataset !== 'foodDiary' && inStep(db, () => hasMoreThan(db, large, task)))
  if (!isStepwise) return inLongStep(db, () => write(db, task, path, { ...options, written: undefined }, false))
  try {
    return await write(db, task, path, options, true)
  } finally {
    dropParticipants(db)
  }
}

async function write(
  db: Db,
  task: ExportTask,
  path: string,
  { link, written }: WriteOptions,
  isStepwise: boolean,
): Promise<ExportResult> {
  const count: Count = { rows: 0 }
  const begun = inStep(db, () => {
    const from = exportContextOf(db, task, { isStepwise })
    const save = task.format === 'excel' ? workbookOf(from, task, count) : textOf(from, task, count, link)
    return { save, stages: from.stages.length, rows: isStepwise ? rowsOf(from, task) : 0 }
  })
  const bytes = await begun.save(path, written && ((bytes) => written({ rows: begun.rows, bytes })))
  return { rows: count.rows, bytes, stages: begun.stages }
}

function rowsOf(from: ExportContext, task: ExportTask): number {
  const hardware = hardwareIn(task)
  return hardware === undefined ? countKept(from) : countHardware(from.db, hardware)
}

type Save = (path: string, grown?: (bytes: number) => void) => number | Promise<number>

function workbookOf(from: ExportContext, task: ExportTask, count: Count): Save {
  const sheets = datasetsOf(from, task, count).map(sheetOf)
  return async (path, grown) => (await writeXlsx(path, sheets, { grown })).bytes
}

function textOf(from: ExportContext, task: ExportTask, count: Count, link?: MakeLink): Save {
  const pieces = piecesOf(from, task, count, link)
  return (path, grown) => writeTemporary(path, pieces, grown)
}

function piecesOf(from: ExportContext, task: ExportTask, count: Count, link?: MakeLink): Generator<string> {
  const { format, dataset } = task
  const hardware = hardwareIn(task)
  if (dataset === 'foodDiary') return csvInJson(csvChunks(foodDiaryTable(from, count)))
  if (hardware !== undefined) return csvInJson(csvChunks(hardwareTable(from, hardware, count)))
  if (format === 'json') return jsonText(from, count)
  if (format === 'raw') return rawText(from, count)
  if (format === 'reading') return stageResponsesText(from, count, link!)
  return csvInJson(csvChunks(sheetOf(datasetOf(from, task, count)), { escapeFormulas: task.escape !== 'none' }))
}

/** The body `{csv}` in pieces, so that the whole text is never in memory. */
function* csvInJson(chunks: Iterable<string>): Generator<string> {
  yield '{"csv":"'
  for (const chunk of chunks) yield JSON.stringify(chunk).slice(1, -1)
  yield '"}'
}
