import { join } from 'node:path'
import { unpackAccess } from '#access/packedAccess'
import { trialById } from '#design/trials/store'
import type { WriteProgress } from '#jobs/fileWork'
import type { Work, WorkerContext } from '#jobs/work'
import { found, refuse } from '#kernel/problem'
import { searchOf } from '#office/packs/page'
import type { Sheet } from '#writers/cell'
import { csvChunks } from '#writers/csv'
import { replaceFile, writeTemporary } from '#writers/file'
import { accountOf, accountSheet, packSheet } from './sheets'
import type { AccountTask, ListTask } from './task'

/** A file of more bytes is sent while it is written. */
const LARGE = 1 << 20
/** The most packs in a PDF: some 250 pages. */
const MOST_PRINTED = 10_000

/** The JSON text `{"csv": "…"}` in pieces. @param rows counts the rows */
function* csvPieces(sheet: Sheet, rows: { count: number }): Generator<string> {
  yield '{"csv":"'
  for (const chunk of csvChunks(sheet, {}, (count) => (rows.count = count))) yield JSON.stringify(chunk).slice(1, -1)
  yield '"}'
}

type ReportContext = Pick<WorkerContext, 'setup' | 'report'>

function writeCsv({ setup, report }: ReportContext, file: string, sheet: Sheet): WriteProgress {
  const rows = { count: 0 }
  const bytes = writeTemporary(join(setup.exports, file), csvPieces(sheet, rows), (bytes) => {
    if (bytes > LARGE) report({ rows: rows.count, bytes })
  })
  return { rows: rows.count, bytes }
}

/** Writes the list of one moment. */
export const listWork: Work<ListTask, WriteProgress> = (task, { db, setup, report }) =>
  db.transaction(() => {
    const access = unpackAccess(task.access)
    const search = searchOf(db, task.trial, access, task.filter)
    return writeCsv({ setup, report }, task.file, packSheet(db, access, search))
  })

/** Writes the accountability log of one moment. 400 for a PDF of too many packs. */
export const accountWork: Work<AccountTask, WriteProgress> = async (task, { db, setup, report }) => {
  const access = unpackAccess(task.access)
  const { trial: _id, site, packType, format, at, file } = task
  const filter = { trial: _id, site, packType }
  if (format === 'csv') return db.transaction(() => writeCsv({ setup, report }, file, accountSheet(db, access, filter)))
  const account = db.transaction(() => accountOf(db, access, filter, MOST_PRINTED))
  if (!account) throw refuse.bad('accountTooLong', { most: MOST_PRINTED })
  const { accountPdf } = await import('./pdf')
  const bytes = await accountPdf(account, { ...filter, at, trial: found(trialById(db, _id), 'trial') })
  replaceFile(join(setup.exports, file), (output) => output.write(bytes))
  return { rows: account.lines.length, bytes: bytes.length }
}
