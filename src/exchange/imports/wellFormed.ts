/** Refuses files with text that is not well-formed Unicode, and says where: nothing of an instrument is replaced in silence. */
import { unreadable } from '#design/stages/importPlan'
import { cut } from '#kernel/text'
import { entriesOf } from '#writers/unzip'

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** The text before a place, to find it with: at most 30 characters of the same line, without tags. */
function before(text: string, at: number): string {
  const line = text
    .slice(Math.max(0, at - 300), at)
    .split(/[\r\n]/)
    .at(-1)!
  const shown = line
    .replace(/<[^<>]*>|^[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return shown ? ` after “${cut([...shown].slice(-30).join(''), 60).toWellFormed()}”` : ''
}

const REFERENCE = /&#(?:x([\da-f]{1,8})|(\d{1,10}));/gi
/** How Excel writes a UTF-16 unit that XML cannot hold. */
const UNIT = /_xd[89a-f][\da-f]{2}_/i

const isStorable = (code: number) => code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)

/** Throws an `unreadable` for the first reference in XML to NUL or to half of a surrogate pair. @param part of an archive */
export function refuseBadReferences(text: string, part = ''): void {
  const where = part && `${part}, `
  for (const match of text.matchAll(REFERENCE)) {
    const code = match[1] ? Number.parseInt(match[1], 16) : Number(match[2])
    // The library that reads workbooks takes a reference beyond ASCII for another character.
    const isMisread = part.startsWith('xl/') && code > 0x7f
    if (isStorable(code) && !isMisread) continue
    const place = `${where}line ${lineAt(text, match.index)}${before(text, match.index)}`
    if (isStorable(code)) throw unreadable(`${match[0]} cannot be read: save the workbook again in Excel (${place}).`)
    throw unreadable(`The file is not well-formed Unicode: ${match[0]} stands for no character (${place}).`)
  }
  const unit = part.startsWith('xl/') ? UNIT.exec(text) : null
  if (unit) {
    const place = `${part}${before(text, unit.index)}`
    throw unreadable(`The file is not well-formed Unicode: ${unit[0]} is half of a surrogate pair (${place}).`)
  }
}

const isUtf16 = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** Throws an `unreadable` for an archive of XML that is too large when unpacked, or whose text is not well-formed. */
export function checkArchive(bytes: Uint8Array, limit: number): void {
  for (const entry of entriesOf(bytes, limit, unreadable)) {
    const content = entry.read()
    if (!/\.(xml|rels)$/i.test(entry.name) || isUtf16(content)) continue
    refuseBadReferences(utf8Text(content, entry.name), entry.name)
  }
}

/** The bytes of half of a surrogate pair that was written as UTF-8 all the same. */
const HALF = /\xed[\xa0-\xbf][\x80-\xbf]/g

/** The text of bytes that must be UTF-8. Throws an `unreadable` that names the place. */
function utf8Text(bytes: Uint8Array, part: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    refuseHalves(bytes, part)
    throw unreadable(`The file is not well-formed Unicode: ${part} is not UTF-8.`)
  }
}

/** Throws an `unreadable` if bytes are UTF-8 but for halves of surrogate pairs. @param part of an archive */
export function refuseHalves(bytes: Uint8Array, part = ''): void {
  const raw = Buffer.from(bytes).toString('latin1')
  const at = raw.search(HALF)
  if (at < 0) return
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(raw.replace(HALF, '?'), 'latin1'))
  } catch {
    return // It is no UTF-8 at all.
  }
  const start = Buffer.from(raw.slice(0, at), 'latin1').toString()
  const place = `${part && `${part}, `}line ${lineAt(start, start.length)}${before(start, start.length)}`
  throw unreadable(`The file is not well-formed Unicode: it holds half of a surrogate pair (${place}).`)
}
