/** The paths of files in a zip: safe on Windows, macOS and Linux, and unique there whatever the case. */
import { safeFileName } from '#storage/names'

/** The longest part of a path in bytes: most systems take 255, and some add to a name. */
const LONGEST = 120
/** Names of devices, which Windows takes with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i

/** The text cut to this many bytes of UTF-8, between characters. */
function cutBytes(text: string, most: number): string {
  let bytes = 0
  let cut = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > most) break
    cut += character
  }
  return cut
}

/** A part of a path: composed, without separators, control characters and direction marks, and no reserved name. */
export function safePart(text: string, most = LONGEST): string {
  // Some readers refuse a path with two points anywhere. What a cut leaves may end in a point or space, which Windows drops.
  const safe = safeFileName(text.normalize('NFC')).replace(/\.{2,}/g, '_')
  const name =
    cutBytes(safe, most)
      .replace(/[. ]+$/, '')
      .normalize('NFC') || 'file'
  return RESERVED.test(name) ? `_${name}` : name
}

/** Two names with the same key are one name for some file system. */
const keyOf = (name: string): string => name.normalize('NFKD').toUpperCase().toLowerCase()

/** Returns a function that gives each name once: a name that was given already gets a number, before its extension. */
export function uniqueParts(): (name: string, extension?: string) => string {
  const given = new Set<string>()
  return (name, extension = '') => {
    for (let n = 1; ; n++) {
      const each = `${name}${n > 1 ? ` (${n})` : ''}${extension}`
      if (given.has(keyOf(each))) continue
      given.add(keyOf(each))
      return each
    }
  }
}

/** The extension of the file that was uploaded, in lower case. */
export const extensionOf = (originalName: string): string =>
  /\.[A-Za-z0-9]{1,10}$/.exec(originalName)?.[0].toLowerCase() ?? ''

/** The beginning of a version's name in the zip, without its extension: that of its file, and its number. */
export function versionPart(file: string, number: number, extension: string): string {
  const bare = file.toLowerCase().endsWith(extension) ? file.slice(0, file.length - extension.length) : file
  return `${safePart(bare)} v${number}`
}
