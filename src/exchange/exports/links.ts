/** Links to files in the folder of exports. That to a large workbook works while it is written. */
import type { Trial } from '#design/trials/store'
import { FILE_TYPES } from '#http/contentNegotiation'
import type { Services } from '#http/services'
import type { StartedFile } from '#jobs/fileWork'
import { instantText } from '#kernel/time'
import { createExportLink, type ExportLinkContext } from '#storage/exportLinks'
import type { Growth } from '#storage/growingFile'
import { deleteExpiredRow, finishExport } from '#storage/store'
import { packageTypeOf } from './task'

/** The kind of file of an export that is sent by a link; undefined if it is sent in the answer. */
export const extensionOf = (format: string, isAlone = false): keyof typeof FILE_TYPES | undefined =>
  format === 'excel' ? 'xlsx' : packageTypeOf(format) && (isAlone ? 'parquet' : 'zip')

type LinkContext = ExportLinkContext & { services: Services; trial: Trial; after(effect: () => void): void }

/**
 * A link to a workbook or a package, valid for an hour. It works at once, also while a large one is written.
 * @param what for the name of the file: what is exported, if it is not study data
 */
export function exportLink(context: LinkContext, startedFile: StartedFile, format: string, what?: string): string {
  const { services, now, trial, after } = context
  const { file: storedName } = startedFile
  const extension = extensionOf(format, storedName.endsWith('.parquet')) ?? 'zip'
  const name = `${[trial.code, what, packageTypeOf(format), instantText(now).slice(0, 10)].filter(Boolean).join(' ')}.${extension}`
  const isGrowing = startedFile.growth !== undefined
  if (isGrowing) after(() => void serveGrowingFile(services, storedName, startedFile.growth, startedFile.whole))
  return createExportLink(context, {
    storedName,
    name,
    type: FILE_TYPES[extension],
    size: isGrowing ? null : startedFile.bytes,
  })
}

/** Lets the link of a workbook work while it is written, and later if it is written whole. Never rejects. */
async function serveGrowingFile(services: Services, file: string, growth: Growth, whole: Promise<number>) {
  const { db, commit, clock, storage, fault } = services
  storage.growingExports.set(file, growth)
  try {
    const size = await whole.catch(() => undefined)
    const isKept = await commit(() => {
      if (size !== undefined) return finishExport(db, file, size, clock.now())
      deleteExpiredRow(db, file)
      return false
    })
    // Such as of a trial that was deleted meanwhile.
    if (!isKept) await storage.remove(file)
  } catch (reason) {
    fault(reason, 'the end of a workbook')
  } finally {
    storage.growingExports.delete(file)
  }
}
