/** The names under which files are stored, and the names under which browsers save them. */

import { join } from 'node:path'
import { randomBytes } from '#kernel/cryptography'
import { newId } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'

const STORED = /^[0-9a-f]{24}-[0-9a-f]{32}(\.[a-z0-9]{1,10})?$/
const EXTENSION = /[^./\\]\.([a-z0-9]{1,10})$/

/** Whether the text has the form of a name from `newStoredName`; a path never has. */
export const isStoredName = (text: unknown): text is string => typeof text === 'string' && STORED.test(text)

/** The extension of a file name with its full stop, in lower case; an empty text if it has none that can be kept. */
export function fileExtension(name: string): string {
  const extension = EXTENSION.exec(name.toLowerCase())?.[1]
  return extension ? `.${extension}` : ''
}

/** Makes a name that cannot be guessed, `<_id>-<32 hex>.<extension of the original>`; lower case, for disks that ignore case. */
export function newStoredName(original: string, now: Instant): string {
  return `${newId(now)}-${randomBytes(16).toString('hex')}${fileExtension(original)}`
}

/** The path of a finished upload: in one of 256 folders, so that none gets too large. 404 if the name is not a stored name. */
export function uploadPath(directory: string, storedName: string): string {
  if (!isStoredName(storedName)) throw refuse.missing('file')
  return join(directory, storedName.slice(25, 27), storedName)
}

// Separators, control characters, and marks that change the direction of text (`gpj.exe` would read as `exe.jpg`).
const UNSAFE = /[/\\:*?"<>|\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

// Names that Windows keeps for devices, whatever follows the first full stop.
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|$)/i

/** The longest name in bytes of UTF-8: disks allow 255, and a caller may add an extension or a number. */
const MOST_BYTES = 200

/** Makes a file name that is safe on any system: no path, no device, no control or direction marks, at most 150 characters and 200 bytes. */
export function safeFileName(name: string): string {
  const clean = name
    .toWellFormed()
    .replace(UNSAFE, '_')
    .replace(/^[. ]+/, '')
    .replace(/[. ]+$/, '')
    .replace(DEVICE, '_$&')
  if (isShort(clean)) return clean || 'file'
  const extension = /\.[^. ]{1,10}$/.exec(clean)?.[0] ?? ''
  let start = ''
  for (const character of clean) {
    if (!isShort(start + character + extension)) break
    start += character
  }
  return start.replace(/[. ]+$/, '') + extension
}

const isShort = (name: string): boolean => [...name].length <= 150 && Buffer.byteLength(name) <= MOST_BYTES

/** The value of Content-Disposition: a plain name for old clients, the full name in UTF-8 (RFC 6266, RFC 8187). */
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
