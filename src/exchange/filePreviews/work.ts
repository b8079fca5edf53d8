/** Renders documents that people sent, in a process with limits. */
import { isUnreadable, unreadable } from '#design/stages/importPlan'
import { decode } from '#exchange/imports/texts'
import { checkArchive } from '#exchange/imports/wellFormed'
import type { Work } from '#jobs/work'
import { refuse } from '#kernel/problem'
import { cut } from '#kernel/text'
import { uploadPath } from '#storage/names'
import { uploadBytes } from '#storage/uploads'
import { safeHtml } from '#wire/html'
import { isZip } from '#writers/unzip'
import { imageTypeOf, type PreviewKind } from './kinds'
import { escaped, pageOf } from './page'
import { csvTable, UNPACKED, workbookTables } from './tables'
import type { PreviewTask, Rendered } from './task'

/** The largest document that is rendered, in bytes; of a longer text, the beginning is. */
const LARGEST = 32 << 20
const LONGEST_TEXT = 1 << 20
const LONGEST_HTML = 8 << 20

const CUT_TEXT = 'The document is longer than what the preview shows: this is its beginning.'
const refused = (why: string) => unreadable(`The document cannot be shown: ${why.replace(/^It /, 'it ')}`)

export const previewWork: Work<PreviewTask, Rendered> = async ({ storedName, title, kind }, { setup }) => {
  const path = uploadPath(setup.files, storedName)
  try {
    if (kind === 'image') return { image: await imageType(path) }
    if (kind === 'text' || kind === 'csv') return { html: await textPage(path, title, kind) }
    const bytes = await uploadBytes(setup.files, storedName, LARGEST, refused)
    return await documents[kind](bytes, title).catch((error) => {
      throw isUnreadable(error) ? refused(error.message) : refused(`it is damaged, protected or not a ${kind} file.`)
    })
  } catch (error) {
    throw isUnreadable(error) ? refuse.bad(error.message) : error
  }
}

type Reader = (bytes: Uint8Array, title: string) => Promise<Rendered>

const documents: Record<Exclude<PreviewKind, 'image' | 'text' | 'csv'>, Reader> = {
  async pdf(bytes, title) {
    const { readOnlyPdf } = await import('./pdf')
    return { pdf: Buffer.from(await readOnlyPdf(bytes, title)).toString('base64') }
  },
  async xlsx(bytes, title) {
    const { html, notes } = await workbookTables(bytes)
    return { html: pageOf(title, html, notes) }
  },
  async docx(bytes, title) {
    if (!isZip(bytes)) throw unreadable('it is not a Word document.')
    checkArchive(bytes, UNPACKED)
    const { default: mammoth } = await import('mammoth')
    const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { externalFileAccess: false })
    const notes = value.length > LONGEST_HTML ? [CUT_TEXT] : []
    return { html: pageOf(title, await safeHtml(cut(value, LONGEST_HTML)), notes) }
  },
}

async function imageType(path: string): Promise<string> {
  const type = imageTypeOf(await Bun.file(path).slice(0, 12).bytes())
  if (type === undefined) throw refused('it is not a PNG, JPEG, GIF or WebP image.')
  return type
}

/** The beginning of a text. Comma-separated values that are no table are shown as a text, too. */
async function textPage(path: string, title: string, kind: 'text' | 'csv'): Promise<string> {
  const file = Bun.file(path)
  const isCut = file.size > LONGEST_TEXT
  const text = textOf(await file.slice(0, LONGEST_TEXT).bytes(), isCut)
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

/** Where the text was cut, the last character may lack bytes: what is left of it goes. */
function textOf(bytes: Uint8Array, isCut: boolean): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const end = isCut && !isUtf16 ? bytes.lastIndexOf(0x0a) + 1 || bytes.length : bytes.length
  const text = bytesText(bytes.subarray(0, end))
  if (text.includes('\0')) throw refused('it is not a text.')
  return text
}

/** A text that is no well-formed Unicode is shown all the same, with a sign in each place. */
function bytesText(bytes: Uint8Array): string {
  try {
    return decode(bytes).text
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8').decode(bytes)
  }
}
