/** Noto Sans in a document: available characters, widths, and line breaks. */

import fontkit from '@cantoo/fontkit'
import type { PDFDocument, PDFFont } from '@cantoo/pdf-lib'
import regularFile from '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf' with { type: 'file' }
import boldFile from '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf' with { type: 'file' }

/** Replaces characters that are not in the typeface. It is not in it either, so a box is drawn. */
const BOX = '□'
/** Direction marks, joiners and variation selectors, which have no visible shape. */
const SHAPELESS = /\p{Cf}|\p{Cc}|\p{Variation_Selector}/gu

export type Face = {
  font: PDFFont
  /** The text with only characters that can be drawn, in one line. */
  clean(text: string): string
  width(text: string, size: number): number
  /** Breaks cleaned text into lines of at most that width; a word that is too long is split. */
  wrap(text: string, size: number, width: number): string[]
}

export type Typeface = { regular: Face; bold: Face; missing: ReadonlySet<string> }

/** Embeds the glyphs that the document uses; `missing` collects the characters that are drawn as boxes. */
export async function typefaceOf(document: PDFDocument): Promise<Typeface> {
  document.registerFontkit(fontkit)
  const missing = new Set<string>()
  const face = async (file: string) =>
    faceOf(await document.embedFont(await Bun.file(file).arrayBuffer(), { subset: true }), missing)
  return { regular: await face(regularFile), bold: await face(boldFile), missing }
}

function faceOf(font: PDFFont, missing: Set<string>): Face {
  const known = new Set(font.getCharacterSet())
  const widths = new Map<string, number>()

  function clean(text: string): string {
    let out = ''
    for (const character of text.toWellFormed().normalize('NFC').replace(/\s/g, ' ').replace(SHAPELESS, '')) {
      if (known.has(character.codePointAt(0)!)) out += character
      else {
        missing.add(character)
        out += BOX
      }
    }
    return out
  }

  function width(text: string, size: number): number {
    let one = widths.get(text)
    if (one === undefined) {
      if (widths.size > 50_000) widths.clear()
      widths.set(text, (one = font.widthOfTextAtSize(text, 1)))
    }
    return one * size
  }

  /** Splits a word into pieces that fit, each of at least one character. */
  function* pieces(word: string, size: number, most: number): Generator<string> {
    let piece = ''
    for (const character of word) {
      if (piece && width(piece + character, size) > most) {
        yield piece
        piece = ''
      }
      piece += character
    }
    yield piece
  }

  function wrap(text: string, size: number, most: number): string[] {
    return text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((paragraph) => {
      const lines: string[] = []
      let line = ''
      for (const whole of clean(paragraph).split(' ')) {
        const words = width(whole, size) > most ? [...pieces(whole, size, most)] : [whole]
        for (const word of words) {
          const longer = line ? `${line} ${word}` : word
          if (width(longer, size) <= most) line = longer
          else {
            lines.push(line)
            line = word
          }
        }
      }
      return [...lines, line]
    })
  }

  return { font, clean, width, wrap }
}
