/** Texts that people sent, whatever their encoding. */

import { decode } from '#documents/texts'
import { isUnreadable } from '#kernel/fault'

/**
 * The beginning of a text: at most `most` bytes of it. In a text that is not well-formed Unicode, each wrong place gets a replacement character.
 * Undefined if the file is not a text.
 */
export async function beginningOf(path: string, most: number): Promise<{ text: string; isCut: boolean } | undefined> {
  const file = Bun.file(path)
  const isCut = file.size > most
  const bytes = await file.slice(0, most).bytes()
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  // Where the text was cut, the last character may lack bytes: what is left of it goes.
  const end = isCut && !isUtf16 ? bytes.lastIndexOf(0x0a) + 1 || bytes.length : bytes.length
  const text = bytesText(bytes.subarray(0, end))
  return text.includes('\0') ? undefined : { text, isCut }
}

function bytesText(bytes: Uint8Array): string {
  try {
    return decode(bytes).text
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8').decode(bytes)
  }
}
