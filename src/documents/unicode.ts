/** Refuses files with text that is not well-formed Unicode, and says where: nothing of an instrument is replaced in silence. */
import { unreadable } from '#kernel/fault'
import { type Reason, reason } from '#kernel/refusals/reason'
import { cut } from '#kernel/text'
import { entriesOf } from '#writers/unzip'
import { zipOf } from '#writers/zip'

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** The text before a place, to find it with: at most 30 characters of the same line, without tags. Empty if there is none. */
function precedingText(text: string, at: number): string {
  const line = text
    .slice(Math.max(0, at - 300), at)
    .split(/[\r\n]/)
    .at(-1)!
  const shown = line
    .replace(/<[^<>]*>|^[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return cut([...shown].slice(-30).join(''), 60).toWellFormed()
}

/** A place in a file. @param part of an archive; empty if the file is none */
function placeOf(part: string, text: string, at: number): Reason {
  const [line, preceding] = [lineAt(text, at), precedingText(text, at)]
  if (part)
    return preceding ? reason('placePartLineAfter', { part, line, preceding }) : reason('placePartLine', { part, line })
  return preceding ? reason('placeLineAfter', { line, preceding }) : reason('placeLine', { line })
}

const REFERENCE = /&#(?:x([\da-f]{1,8})|(\d{1,10}));/gi
/** How Excel writes a UTF-16 unit that XML cannot hold. */
const UNIT = /_xd[89a-f][\da-f]{2}_/i

const isStorable = (code: number) => code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)

const codeOf = ([, hex, decimal]: readonly string[]) => (hex ? Number.parseInt(hex, 16) : Number(decimal))

/** Throws an `unreadable` for the first reference in XML to NUL or to half of a surrogate pair. @param part of an archive */
export function refuseBadReferences(text: string, part = ''): void {
  for (const match of text.matchAll(REFERENCE)) {
    if (isStorable(codeOf(match))) continue
    const place = placeOf(part, text, match.index)
    throw unreadable(reason('referenceToNothing', { reference: match[0], place }))
  }
  const unit = part.startsWith('xl/') ? UNIT.exec(text) : null
  if (unit) {
    // Such a part is one line.
    const preceding = precedingText(text, unit.index)
    const place = preceding ? reason('placePartAfter', { part, preceding }) : part
    throw unreadable(reason('escapedHalfSurrogate', { unit: unit[0], place }))
  }
}

/** The text with its references to characters beyond ASCII written as these characters; others stay as they are. */
const decodeReferences = (text: string): string =>
  text.replace(REFERENCE, (reference, ...match: string[]) => {
    const code = codeOf([reference, ...match])
    return code > 0x7f && isStorable(code) ? String.fromCodePoint(code) : reference
  })

const isUtf16 = ([first, second]: Uint8Array) =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)

/** Parts whose text is never used: colours, fonts, drawings, and internal data of programs. */
const IGNORED_PARTS = /^(?:docProps|customXml|(?:xl|word)\/(?:theme|styles|drawings|charts|media|printerSettings))\b/

/**
 * The archive of XML in a form that libraries read correctly: references to characters beyond ASCII are replaced by the characters, since
 * the library takes such references for others. Throws an `unreadable` if it is too large when unpacked, or if a text is not well-formed.
 */
export function normalizedArchive(bytes: Uint8Array, limit: number): Uint8Array {
  let isChanged = false
  const parts = entriesOf(bytes, limit, unreadable).map(({ name, read }) => {
    const content = read()
    if (!/\.(xml|rels)$/i.test(name) || isUtf16(content) || IGNORED_PARTS.test(name)) return { name, content }
    const text = utf8Text(content, name)
    refuseBadReferences(text, name)
    const readable = name.startsWith('xl/') ? decodeReferences(text) : text
    if (readable === text) return { name, content }
    isChanged = true
    return { name, content: new TextEncoder().encode(readable) }
  })
  return isChanged ? zipOf(parts) : bytes
}

/** The bytes of half of a surrogate pair that was written as UTF-8 all the same. */
const HALF_SURROGATE = /\xed[\xa0-\xbf][\x80-\xbf]/g

/** The text of bytes that must be UTF-8. Throws an `unreadable` that names the place. */
function utf8Text(bytes: Uint8Array, part: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    refuseHalfSurrogates(bytes, part)
    throw unreadable(reason('partNotUtf8', { part }))
  }
}

/** Throws an `unreadable` if bytes are UTF-8 but for halves of surrogate pairs. @param part of an archive */
export function refuseHalfSurrogates(bytes: Uint8Array, part = ''): void {
  const raw = Buffer.from(bytes).toString('latin1')
  const at = raw.search(HALF_SURROGATE)
  if (at < 0) return
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(raw.replace(HALF_SURROGATE, '?'), 'latin1'))
  } catch {
    return // The file is not UTF-8.
  }
  const start = Buffer.from(raw.slice(0, at), 'latin1').toString()
  throw unreadable(reason('halfSurrogate', { place: placeOf(part, start, start.length) }))
}
