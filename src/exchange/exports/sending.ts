/** How exports reach the person who asked for them: in the response, or by a link. Large ones do while they are written. */
import { join } from 'node:path'
import type { Trial } from '#design/trials/store'
import { shareExport } from '#exchange/imports/structureFiles'
import type { Services } from '#http/services'
import { instantText } from '#kernel/time'
import { type Growth, streamGrowing } from '#storage/growingFile'
import { deleteExpiredRow, finishExport } from '#storage/store'
import { streamAndDelete } from '#storage/temporaryFiles'
import type { BegunExport } from './begin'

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** A response whose body is the file on the disk. */
export function responseWith({ storage }: Services, { file, growth }: BegunExport): Response {
  const path = join(storage.exports, file)
  return new Response(growth ? streamGrowing(path, growth) : streamAndDelete(path))
}

type LinkContext = Parameters<typeof shareExport>[0] & { trial: Trial; after(effect: () => void): void }

/** A link to a workbook, valid for an hour. It works at once, also while a large workbook is written. */
export function workbookLink(context: LinkContext, begun: BegunExport): string {
  const { services, now, trial, after } = context
  const { file: storedName } = begun
  const name = `${trial.code} ${instantText(now).slice(0, 10)}.xlsx`
  const isGrowing = begun.growth !== undefined
  if (isGrowing) after(() => void sendWhileWritten(services, storedName, begun.growth, begun.whole))
  return shareExport(context, { storedName, name, type: WORKBOOK, size: isGrowing ? null : begun.bytes })
}

/** Lets the link of a workbook work while it is written, and later if it is written whole. Never rejects. */
async function sendWhileWritten(services: Services, file: string, growth: Growth, whole: Promise<number>) {
  const { db, commit, clock, storage, fault } = services
  storage.growing.set(file, growth)
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
    storage.growing.delete(file)
  }
}
