/** The names files are kept under, and the names they are handed out by. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { newId } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'

const STORED = /^[0-9a-f]{24}-[0-9a-f]{32}(\.[a-z0-9]{1,10})?$/
const EXTENSION = /[^./\\]\.([a-z0-9]{1,10})$/

/** Whether the text is a name that `newStoredName` makes; never true of a path. */
export const isStoredName = (text: unknown): text is string => typeof text === 'string' && STORED.test(text)

/** A name nobody can guess, `<_id>-<32 hex>.<extension of the original>`; lower case, for disks that ignore case. */
export function newStoredName(original: string, now: Instant): string {
  const extension = EXTENSION.exec(original.toLowerCase())?.[1]
  return `${newId(now)}-${randomBytes(16).toString('hex')}${extension ? `.${extension}` : ''}`
}

/** Where a finished upload lies: one of 256 folders, so that none grows too long. 404 for what is no stored name. */
export function pathOf(directory: string, storedName: string): string {
  if (!isStoredName(storedName)) throw refuse.missing('file')
  return join(directory, storedName.slice(25, 27), storedName)
}

// Separators, control characters, and the marks that turn the direction of text (`gpj.exe` read as `exe.jpg`).
const UNSAFE = /[/\\:*?"<>|\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A file name that is safe on any system: no path, no control or direction marks, at most 150 characters. */
export function safeFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(UNSAFE, '_')
    .replace(/^[. ]+/, '')
    .replace(/[. ]+$/, '')
  const characters = [...clean]
  if (characters.length <= 150) return clean || 'file'
  const extension = [...(/\.[^. ]{1,10}$/.exec(clean)?.[0] ?? '')]
  return [...characters.slice(0, 150 - extension.length), ...extension].join('')
}

/** The value of Content-Disposition: a plain name for old clients, the real one in UTF-8 (RFC 6266, RFC 8187). */
export function contentDisposition(disposition: 'attachment' | 'inline', name: string): string {
  const safe = safeFileName(name)
  const plain = safe
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|%/gu, '_')
  const quoted = `${disposition}; filename="${plain}"`
  return plain === safe ? quoted : `${quoted}; filename*=UTF-8''${encodeExtended(safe)}`
}

const encodeExtended = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
