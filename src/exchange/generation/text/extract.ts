/** Extracts the text of documents as Markdown, with headings, lists and tables. Libraries are loaded on first use. */

import type { Kind } from '#design/generation/kinds'
import { rowsOf } from '#documents/csv'
import { decode } from '#documents/texts'
import { normalizedArchive } from '#documents/unicode'
import { isUnreadable, unreadable } from '#kernel/fault'
import { type Reason, reason } from '#kernel/refusals/reason'
import { textProblem } from '#kernel/text'
import { isZip } from '#writers/unzip'
import { markdownOf } from './html'

/** The maximum size of the unpacked contents of an archive, in bytes. */
const UNPACKED = 64 << 20
/** The longest text of all documents and the prompt together. */
export const LONGEST_TEXT = 1_000_000
const TOO_LONG = reason('documentTextTooLong', { most: LONGEST_TEXT })
const MOST_PAGES = 1_000
const MOST_ROWS = 20_000

const readers: Record<Kind, (bytes: Uint8Array) => string | Promise<string>> = {
  txt: (bytes) => plainText(bytes),
  md: (bytes) => plainText(bytes),
  csv: (bytes) => tableText(rowsOf(plainText(bytes), MOST_ROWS)),
  xlsx: workbookText,
  docx: documentText,
  pdf: pdfText,
}

/** Makes the error of a document that cannot be read, from what is wrong with it. */
export const refusalOf = (name: string) => (problem: Reason) => unreadable(reason('fileUnreadable', { name, problem }))

/** @throws an `unreadable` that names the file, if it cannot be read */
export async function textOf(name: string, kind: Kind, bytes: Uint8Array): Promise<string> {
  const refused = refusalOf(name)
  let text: string
  try {
    text = await readers[kind](bytes)
  } catch (error) {
    throw refused(isUnreadable(error) ? error.reason : reason('damagedOrOther', { kind }))
  }
  if (text.trim() === '') throw refused(reason('noTextInside'))
  // A PDF may map its glyphs to anything; what it maps to half of a surrogate pair is no character.
  if (kind === 'pdf') text = text.toWellFormed()
  const problem = textProblem(text)
  if (problem) throw refused(problem)
  if (text.length > LONGEST_TEXT) throw refused(TOO_LONG)
  return text
}

function plainText(bytes: Uint8Array): string {
  const { text } = decode(bytes)
  if (text.includes('\u0000')) throw unreadable(reason('notPlainText'))
  return text
}

const cellText = (cell: string) => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim()

/** Rows as a Markdown table; a single column as lines. */
function tableText(rows: readonly string[][]): string {
  if (rows.length > MOST_ROWS) throw unreadable(reason('tooManyRows', { most: MOST_ROWS }))
  const full = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
  if (full.every((row) => row.filter((cell) => cell.trim()).length <= 1))
    return full.map((row) => row.join('').trim()).join('\n')
  const [header = [], ...body] = full.map((row) => `| ${row.map(cellText).join(' | ')} |`)
  return [header, `|${' --- |'.repeat(full[0]!.length)}`, ...body].join('\n')
}

/** The archive as libraries read it. Throws an `unreadable` for one that would fill the memory, before a library unpacks it. */
function archiveOf(bytes: Uint8Array): Uint8Array {
  if (!isZip(bytes)) throw unreadable(reason('otherKindOfFile'))
  return normalizedArchive(bytes, UNPACKED)
}

async function workbookText(bytes: Uint8Array): Promise<string> {
  const archive = archiveOf(bytes)
  const { read, utils } = await import('xlsx')
  const book = read(archive, {
    type: 'array',
    dense: true,
    sheetRows: MOST_ROWS + 1,
    cellFormula: false,
    cellHTML: false,
  })
  return book.SheetNames.map((name) => {
    const rows = utils.sheet_to_json<unknown[]>(book.Sheets[name]!, {
      header: 1,
      blankrows: false,
      raw: false,
      defval: '',
    })
    const text = tableText(rows.map((row) => row.map((cell) => String(cell ?? ''))))
    return book.SheetNames.length > 1 || !/^(?:sheet|tabelle|feuil)\s*\d*$/i.test(name) ? `## ${name}\n\n${text}` : text
  }).join('\n\n')
}

async function documentText(bytes: Uint8Array): Promise<string> {
  const buffer = Buffer.from(archiveOf(bytes))
  const { default: mammoth } = await import('mammoth')
  const { value } = await mammoth.convertToHtml(
    { buffer },
    { convertImage: mammoth.images.imgElement(async () => ({ src: '' })), externalFileAccess: false },
  )
  return markdownOf(value)
}

/** Page by page, so that a document that is too long is not read to its end. */
async function pdfText(bytes: Uint8Array): Promise<string> {
  const { getDocumentProxy } = await import('unpdf')
  const document = await getDocumentProxy(bytes.slice(), { isEvalSupported: false, verbosity: 0 })
  if (document.numPages > MOST_PAGES) throw unreadable(reason('tooManyPages', { most: MOST_PAGES }))
  const pages: string[] = []
  let length = 0
  for (let n = 1; n <= document.numPages; n++) {
    const page = await document.getPage(n)
    const { items } = await page.getTextContent()
    const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
    page.cleanup()
    pages.push(text)
    length += text.length
    if (length > LONGEST_TEXT) throw unreadable(TOO_LONG)
  }
  return pages.join('\n\n')
}
