import { isUnreadable, unreadable } from '#design/stages/importPlan'
import type { Source } from '#exchange/imports/model'
import { readPlan } from '#exchange/imports/read'
import type { Work } from '#jobs/work'
import { pathOf } from '#storage/names'

export type ImportTask = { source: Source; fileName: string } | { source: Source; content: string }

/** A zip archive in base64: so begins one that was sent as text. */
const ARCHIVE = 'UEsDB'

async function bytesOf(task: ImportTask, files: string): Promise<Uint8Array> {
  if ('fileName' in task) return Bun.file(pathOf(files, task.fileName)).bytes()
  if (task.source !== 'xlsform' && !task.content.startsWith(ARCHIVE)) return new TextEncoder().encode(task.content)
  const text = task.content.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw unreadable('The content of an XLSForm must be sent in base64.')
  return Buffer.from(text, 'base64')
}

/** Reads an instrument to a plan, which the main thread applies; `refused` says in words why a file is none. */
export const importInstrument: Work = async (task: ImportTask, { ground }) => {
  try {
    return { plan: readPlan(task.source, await bytesOf(task, ground.files)) }
  } catch (error) {
    if (isUnreadable(error)) return { refused: error.message }
    throw error
  }
}
