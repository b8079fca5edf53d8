/** Converts texts between the files of other tools, which may contain HTML, and forms. */

import { unreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { cut } from '#kernel/text'
import { refuseHalfSurrogates } from './unicode'

const NAMED_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return NAMED_ENTITIES[name.toLowerCase()] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : whole
}

// Each pattern takes time in proportion to the length of the text: there are cells of 300,000 characters.
const HIDDEN = /<(script|style)\b[^<>]*>(?:[^<]|<(?!\/\1))*(?:<\/\1\s*>|$)/gi
const BREAK = /<(?:br\s*\/?|\/(?:p|div|li|tr|h[1-6]))\s*>/gi
const TAG = /<\/?[a-z][^<>]*>|<!--[^<>]*-->/gi
const ENTITY = /&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
export const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g

/** The text without HTML: tags are removed, the end of a block is a line break, entities are decoded, spaces are single. */
export function toPlainText(html: string): string {
  let text = html
  if (text.includes('<')) text = text.replace(HIDDEN, ' ').replace(BREAK, '\n').replace(TAG, '')
  if (text.includes('&')) text = text.replace(ENTITY, decodeEntity)
  return text
    .replace(UNPRINTABLE, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .toWellFormed()
}

/** Whether a text has tags, which `toPlainText` removes. */
export const isFormatted = (text: string): boolean => text.includes('<') && text.search(TAG) >= 0

/** The names of the fields whose answers are to be filled into a text: ${age}, [age]. */
export const pipedFieldNames = (text: string): string[] =>
  [...text.matchAll(/\$\{\s*([\w.-]{1,100})\s*\}|\[([a-z]\w{0,99})(?:\([^()[\]]*\))?(?::\w+)?\]/g)].map(
    ([, xpath, redcap]) => (xpath ?? redcap)!,
  )

/** The text with characters escaped if `toPlainText` would otherwise change it. */
export const escapeForPlainText = (text: string): string =>
  toPlainText(text) === text ? text : text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The escaped text of a heading; “…” if it is blank, because a blank one is read as no heading. */
export const escapedHeading = (title: string): string => escapeForPlainText(toPlainText(title) === '' ? '…' : title)

/** A technical name as a heading: prescreening_survey becomes Prescreening survey. */
export function titleFromName(name: string): string {
  const words = name.replace(/[_\s]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const BREAKS = /[^\S\r\n]*[\n\r\v\f\u0085\u2028\u2029][\s\u0085]*/g

/** A file name on one line: Trialbox allows no line breaks in names (docs/contract.md, "Requests"). */
export const toOneLine = (name: string): string => {
  const line = name.replace(BREAKS, ' ')
  return line === name ? name : line.trim()
}

/** The text on one line and at most 300 characters long, to be quoted in a warning. */
export const excerptOf = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 300 ? `${cut(line, 300)}…` : line
}

/** The text of XML that declares its encoding; undefined for other texts, and if the bytes are not valid in that encoding. */
function textInDeclaredEncoding(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, 200)).toString('latin1')
  const [, encoding] = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.-]+)["']/.exec(beginning) ?? []
  try {
    return encoding && new TextDecoder(encoding as Bun.Encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Decodes a text: UTF-16 if it has that byte order mark, else UTF-8, else what the XML declares, else the Windows code page of
 * Western Europe, which is a guess. Throws an `unreadable` for UTF-8 or UTF-16 with half of a surrogate pair.
 */
export function decode(bytes: Uint8Array): { text: string; isGuessed: boolean } {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return { text: utf16Text(bytes, first === 0xff ? 'utf-16le' : 'utf-16be'), isGuessed: false }
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isGuessed: false }
  } catch {
    refuseHalfSurrogates(bytes)
    const declared = textInDeclaredEncoding(bytes)
    if (declared !== undefined) return { text: declared, isGuessed: false }
    return { text: new TextDecoder('windows-1252').decode(bytes), isGuessed: true }
  }
}

function utf16Text(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    const text = new TextDecoder(encoding).decode(bytes)
    const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length
    throw unreadable(reason('halfSurrogate', { place: reason('placeLine', { line }) }))
  }
}
