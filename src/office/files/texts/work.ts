/** Reads the texts of documents that people sent, in a process with limits. Libraries are loaded on first use. */
import { stat } from 'node:fs/promises'
import { toPlainText } from '#documents/texts'
import { normalizedArchive } from '#documents/unicode'
import type { Work } from '#jobs/work'
import { isUnreadable, unreadable } from '#kernel/fault'
import { isMachineFailure } from '#kernel/machine'
import { reason } from '#kernel/refusals/reason'
import { cut } from '#kernel/text'
import { beginningOf } from '#office/files/previews/plainText'
import { UNPACKED } from '#office/files/previews/tables'
import { normaliseText } from '#office/files/words/tokens'
import { uploadPath } from '#storage/names'
import { uploadBytes } from '#storage/uploadContent'
import { isZip } from '#writers/unzip'
import type { TextKind } from './kinds'
import { MAX_LENGTH, type TextOutcome, type TextTask } from './task'

/** The largest document that is read whole, in bytes; of a longer text, the beginning is. */
const LARGEST = 32 << 20
/** So much of a text is looked at, in bytes: a character may have four, and HTML has tags besides. */
const BEGINNING = 4 * MAX_LENGTH
const MOST_PAGES = 2_000
const MOST_ROWS = 20_000

export const textWork: Work<TextTask, Record<string, never>> = async ({ files }, { setup, report }) => {
  for (const { storedName, kind } of files) report(await outcomeOf(setup.files, storedName, kind))
  return {}
}

/** A text, and whether the document goes on after it. */
type DocumentText = { text: string; isCut: boolean }

async function outcomeOf(folder: string, storedName: string, kind: TextKind): Promise<TextOutcome> {
  try {
    await stat(uploadPath(folder, storedName)) // a part of a file that is not there would be empty
    const { text, isCut } = await textOf(folder, storedName, kind)
    const all = normaliseText(text)
      .replace(/[^\S\n]+/g, ' ')
      .replace(/\s*\n\s*/g, '\n')
      .trim()
    if (!all) return { state: 'none' }
    return { state: 'read', text: cut(all, MAX_LENGTH), isCut: isCut || all.length > MAX_LENGTH }
  } catch (error) {
    if (isMachineFailure(error)) return { state: 'unavailable' }
    const { text } = isUnreadable(error) ? error.reason : reason('damagedOrOther', { kind })
    return { state: 'failed', problem: `The document cannot be read: ${shorten(text)}` }
  }
}

const shorten = (problem: string) => cut(problem.replace(/^It /, 'it '), 400)

async function textOf(folder: string, storedName: string, kind: TextKind): Promise<DocumentText> {
  if (kind === 'text' || kind === 'csv' || kind === 'html') {
    const beginning = await beginningOf(uploadPath(folder, storedName), BEGINNING)
    if (!beginning) throw unreadable(reason('notPlainText'))
    return kind === 'html' ? { ...beginning, text: toPlainText(beginning.text) } : beginning
  }
  return documents[kind](await uploadBytes(folder, storedName, LARGEST, unreadable))
}

const documents: Record<'pdf' | 'docx' | 'xlsx', (bytes: Uint8Array) => Promise<DocumentText>> = {
  pdf: pdfText,
  async docx(bytes) {
    if (!isZip(bytes)) throw unreadable(reason('notWordDocument'))
    const buffer = Buffer.from(normalizedArchive(bytes, UNPACKED))
    const { default: mammoth } = await import('mammoth')
    const { value } = await mammoth.extractRawText({ buffer })
    return { text: value, isCut: false }
  },
  xlsx: workbookText,
}

/** Page by page, so that a long document is not read to its end. */
async function pdfText(bytes: Uint8Array): Promise<DocumentText> {
  const { getDocumentProxy } = await import('unpdf')
  const document = await getDocumentProxy(bytes.slice(), { isEvalSupported: false, verbosity: 0 })
  let text = ''
  for (let n = 1; n <= document.numPages; n++) {
    if (text.length > MAX_LENGTH || n > MOST_PAGES) return { text, isCut: true }
    const page = await document.getPage(n)
    const { items } = await page.getTextContent()
    for (const item of items) if ('str' in item) text += `${item.str}${item.hasEOL ? '\n' : ''}`
    text += '\n'
    page.cleanup()
  }
  return { text, isCut: false }
}

/** The names of the sheets and the cells as they are shown, a row in a line. */
async function workbookText(file: Uint8Array): Promise<DocumentText> {
  if (!isZip(file)) throw unreadable(reason('notAWorkbook'))
  const bytes = normalizedArchive(file, UNPACKED)
  const { read, utils } = await import('xlsx')
  const bounds = { sheetRows: MOST_ROWS + 1, cellFormula: false, cellHTML: false }
  const book = read(bytes, { type: 'array', dense: true, ...bounds })
  const options = { header: 1 as const, blankrows: false, raw: false, defval: '' }
  let text = ''
  let isCut = false
  for (const name of book.SheetNames) {
    if (text.length > MAX_LENGTH) return { text, isCut: true }
    const rows = utils.sheet_to_json<unknown[]>(book.Sheets[name]!, options)
    isCut ||= rows.length > MOST_ROWS
    text += `${name}\n${rows.map((row) => row.join(' ')).join('\n')}\n`
  }
  return { text, isCut }
}
