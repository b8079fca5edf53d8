import type { ImportPlan } from '#design/stages/importPlan'
import type { ImportTask } from '#design/structures/task'
import { requireSize } from '#exchange/imports/common/bounds'
import type { Work } from '#jobs/work'
import { isUnreadable, unreadable } from '#kernel/fault'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { uploadBytes } from '#storage/uploadContent'
import { LARGEST, readPlan } from './read'

/** The first characters of a zip archive in base64. A REDCap instrument archive may be sent as text, too. */
const ARCHIVE = 'UEsDB'

async function bytesOf(task: ImportTask, files: string): Promise<Uint8Array> {
  if ('fileName' in task) return uploadBytes(files, task.fileName, LARGEST, unreadable)
  if (task.source !== 'xlsform' && !task.content.startsWith(ARCHIVE)) return new TextEncoder().encode(task.content)
  const text = task.content.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw unreadable(reason('xlsformNotBase64'))
  return Buffer.from(text, 'base64')
}

export const importWork: Work<ImportTask, { plan: ImportPlan }> = async (task, { setup }) => {
  try {
    return { plan: requireSize(readPlan(task.source, await bytesOf(task, setup.files), task.languages)) }
  } catch (error) {
    throw isUnreadable(error) ? refuse.bad(error.reason) : error
  }
}
