/** Renders documents that people sent, in a process with limits. */

import { normalizedArchive } from '#documents/unicode'
import type { Work } from '#jobs/work'
import { isUnreadable, unreadable } from '#kernel/fault'
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import { uploadPath } from '#storage/names'
import { uploadBytes } from '#storage/uploadContent'
import { isZip } from '#writers/unzip'
import { imageTypeOf, type PreviewKind } from './kinds'
import { escaped, pageOf } from './page'
import { beginningOf } from './plainText'
import { csvTable, UNPACKED, workbookTables } from './tables'
import type { PreviewTask, RenderResult } from './task'
import { CUT_TEXT, wordPage } from './word'

/** The largest document that is rendered, in bytes; of a longer text, the beginning is. */
const LARGEST = 32 << 20
const LONGEST_TEXT = 1 << 20

const previewRefusal = (problem: Reason) => unreadable(reason('documentNotShown', { problem }))

export const previewWork: Work<PreviewTask, RenderResult> = async ({ storedName, title, kind }, { setup }) => {
  const path = uploadPath(setup.files, storedName)
  try {
    if (kind === 'image') return { image: await imageType(path) }
    if (kind === 'text' || kind === 'csv') return { html: await textPage(path, title, kind) }
    const bytes = await uploadBytes(setup.files, storedName, LARGEST, previewRefusal)
    return await documents[kind](bytes, title).catch((error) => {
      throw previewRefusal(isUnreadable(error) ? error.reason : reason('damagedOrOther', { kind }))
    })
  } catch (error) {
    throw isUnreadable(error) ? refuse.bad(error.reason) : error
  }
}

type DocumentRenderer = (bytes: Uint8Array, title: string) => Promise<RenderResult>

const documents: Record<Exclude<PreviewKind, 'image' | 'text' | 'csv'>, DocumentRenderer> = {
  async pdf(bytes, title) {
    const { readOnlyPdf } = await import('./pdf')
    return { pdf: Buffer.from(await readOnlyPdf(bytes, title)).toString('base64') }
  },
  async xlsx(bytes, title) {
    const { html, notes } = await workbookTables(bytes)
    return { html: pageOf(title, html, notes) }
  },
  async docx(bytes, title) {
    if (!isZip(bytes)) throw unreadable(reason('notWordDocument'))
    const { html, notes } = await wordPage(normalizedArchive(bytes, UNPACKED))
    return { html: pageOf(title, html, notes) }
  },
}

async function imageType(path: string): Promise<string> {
  const type = imageTypeOf(await Bun.file(path).slice(0, 12).bytes())
  if (type === undefined) throw previewRefusal(reason('notImage'))
  return type
}

/** The beginning of a text. Comma-separated values that are not a table are shown as text. */
async function textPage(path: string, title: string, kind: 'text' | 'csv'): Promise<string> {
  const beginning = await beginningOf(path, LONGEST_TEXT)
  if (!beginning) throw previewRefusal(reason('notPlainText'))
  const { text, isCut } = beginning
  const notes = isCut ? [CUT_TEXT] : []
  if (kind === 'csv') {
    try {
      const table = csvTable(text)
      return pageOf(title, table.html, [...notes, ...table.notes])
    } catch (error) {
      if (!isUnreadable(error)) throw error
    }
  }
  return pageOf(title, `<pre>${escaped(text)}</pre>`, notes)
}
