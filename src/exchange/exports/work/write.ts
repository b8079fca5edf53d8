import type { Db } from '#db/open'
import { inLongReadTransaction, inReadTransaction } from '#db/readTransaction'
import { trialById } from '#design/trials/store'
import { type ExportContext, exportContextOf } from '#exchange/exports/context'
import { countKept } from '#exchange/exports/countStore'
import { datasetOf, datasetsOf } from '#exchange/exports/datasets/all'
import { hardwareTable } from '#exchange/exports/datasets/hardware'
import { type Count, sheetOf } from '#exchange/exports/datasets/tables'
import { foodDiaryTable } from '#exchange/exports/foodDiary'
import type { WriteOptions } from '#exchange/exports/options'
import { countHardware, dropParticipants, hasMoreThan, participantCount } from '#exchange/exports/store'
import {
  type ExportResult,
  type ExportTask,
  hardwareIn,
  type StatisticsType,
  statisticsTypes,
} from '#exchange/exports/task'
import type { Keys } from '#kernel/keyring'
import { found } from '#kernel/problem'
import { serviceVersion } from '#kernel/version'
import type { LinkMaker } from '#storage/storage'
import type { Sheet } from '#writers/cell'
import { csvChunks } from '#writers/csv'
import { writeTemporary } from '#writers/file'
import { writeXlsx } from '#writers/xlsx'
import { jsonText, rawText, stageResponsesText } from './json'

/** An export of more responses is read in steps, and is sent while it is written. The others take less than half a second. */
const LARGE = 10_000

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
  if (task.format === 'pdf')
    return (await import('#exchange/exports/casebooks/write')).writeCasebooks(db, task, path, options)
  if (task.format === 'sdtm') return (await import('#exchange/exports/sdtm/write')).writeSdtm(db, task, path, options)
  if (task.format === 'odm') return (await import('#exchange/exports/odm/write')).writeOdm(db, task, path, options)
  const isLarge =
    hardwareIn(task) !== undefined ||
    (task.format !== 'reading' &&
      task.dataset !== 'foodDiary' &&
      inReadTransaction(db, () => hasMoreThan(db, large, task)))
  const isStepwise = isLarge || readsParticipants(task)
  const onProgress = isLarge ? options.onProgress : undefined
  if (!isStepwise) return inLongReadTransaction(db, () => write(db, task, path, { ...options, onProgress }, false))
  try {
    return await write(db, task, path, { ...options, onProgress }, true)
  } finally {
    dropParticipants(db)
  }
}

/**
 * Whether an export is read participant by participant, however much it is: what wearables measured, and tables with a row for
 * each participant. Filters by flags need the list of participants, too. A diary has no numbered history.
 */
const readsParticipants = (task: ExportTask): boolean =>
  hardwareIn(task) !== undefined || task.shape === 'wide' || task.filters?.flags !== undefined

async function write(
  db: Db,
  task: ExportTask,
  path: string,
  { link, onProgress, storageKey = '' }: WriteOptions,
  isStepwise: boolean,
): Promise<ExportResult> {
  const count: Count = { rows: 0 }
  const startedExport = inReadTransaction(db, () => {
    const from = exportContextOf(db, task, { isStepwise })
    const save = saveOf(from, task, count, { link, storageKey })
    return { save, stages: from.stages.length, rows: isStepwise ? rowsOf(from, task) : 0 }
  })
  const bytes = await startedExport.save(
    path,
    onProgress && ((bytes) => onProgress({ rows: startedExport.rows, bytes })),
  )
  return { rows: count.rows, bytes, stages: startedExport.stages }
}

function rowsOf(from: ExportContext, task: ExportTask): number {
  const hardware = hardwareIn(task)
  if (hardware !== undefined) return countHardware(from.db, hardware)
  return task.shape === 'wide' && task.dataset !== 'codebook'
    ? participantCount(from, from.trial)
    : countKept(from, task.filters)
}

type SaveFile = (path: string, onGrowth?: (bytes: number) => void) => number | Promise<number>

function workbookOf(from: ExportContext, task: ExportTask, count: Count): SaveFile {
  const sheets = datasetsOf(from, task, count).map(sheetOf)
  return async (path, onGrowth) => (await writeXlsx(path, sheets, { onGrowth })).bytes
}

/** How the export is written. */
function saveOf(
  from: ExportContext,
  task: ExportTask,
  count: Count,
  { link, storageKey }: { link: LinkMaker | undefined; storageKey: Keys },
): SaveFile {
  if (task.format === 'excel') return workbookOf(from, task, count)
  const type = statisticsTypes.find((each) => each === task.format)
  return type ? packageOf(from, { ...task, format: type }, count, storageKey) : textOf(from, task, count, link)
}

function packageOf(
  from: ExportContext,
  task: ExportTask & { format: StatisticsType },
  count: Count,
  storageKey: Keys,
): SaveFile {
  if (task.isAlone) return fileOf(from, task, count)
  const datasets = datasetsOf(from, task, count)
  const { _id, name, code } = found(trialById(from.db, from.trial), 'trial')
  const { at = 0, email = '', asked = {} } = task.about ?? {}
  const about = { study: { _id, name, code }, at, email, version: serviceVersion, asked }
  return async (path, onGrowth) => {
    const { packageFormats } = await import('#exchange/exports/packages/formats')
    const { writePackage } = await import('#exchange/exports/packages/write')
    return writePackage(path, packageFormats[task.format], datasets, { about, storageKey, onGrowth })
  }
}

/** One file with one table, as a csv has it. */
function fileOf(from: ExportContext, task: ExportTask & { format: StatisticsType }, count: Count): SaveFile {
  const dataset = datasetOf(from, task, count)
  const options = { created: task.about?.at ?? 0, product: `Trialbox ${serviceVersion}` }
  return async (path) => {
    const { packageFormats } = await import('#exchange/exports/packages/formats')
    await packageFormats[task.format].write(path, dataset, options)
    return Bun.file(path).size
  }
}

function textOf(from: ExportContext, task: ExportTask, count: Count, link?: LinkMaker): SaveFile {
  const pieces = piecesOf(from, task, count, link)
  return (path, onGrowth) => writeTemporary(path, pieces, onGrowth)
}

function piecesOf(from: ExportContext, task: ExportTask, count: Count, link?: LinkMaker): Generator<string> {
  const { format, dataset } = task
  const csv = (sheet: Sheet) => csvInJson(csvChunks(sheet, { escapeFormulas: task.escape !== 'none' }))
  const hardware = hardwareIn(task)
  if (dataset === 'foodDiary') return csv(foodDiaryTable(from, count))
  if (hardware !== undefined) return csv(hardwareTable(from, hardware, count))
  if (format === 'json') return jsonText(from, count)
  if (format === 'raw') return rawText(from, count)
  if (format === 'reading') return stageResponsesText(from, count, link!)
  return csv(sheetOf(datasetOf(from, task, count)))
}

/** The body `{csv}` in pieces, so that the whole text is never in memory. */
function* csvInJson(chunks: Iterable<string>): Generator<string> {
  yield '{"csv":"'
  for (const chunk of chunks) yield JSON.stringify(chunk).slice(1, -1)
  yield '"}'
}
