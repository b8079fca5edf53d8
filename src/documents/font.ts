/** A font in a document, with another for signs that it lacks: widths, directions, and line breaks. */
import type { PDFFont } from '@cantoo/pdf-lib'
import { directionalRuns, hasRightToLeft, isRightToLeft, RIGHT_TO_LEFT } from './bidi'

/** Direction marks, joiners and variation selectors, which have no visible shape. */
const INVISIBLE = /\p{Cf}|\p{Cc}|\p{Variation_Selector}/gu
/** Characters whose glyph and width do not depend on their neighbours, but for ligatures, which no line needs. */
const PLAIN = /^[ -~¡-¬®-ÿĀ-ſ–—‘-„…•→]*$/

const encodings = new WeakMap<PDFFont, Map<string, string>>()

/** A text in the encoding of a font, which embeds its glyphs. Plain characters are encoded once: to lay out each line takes ten times as long. */
export function encodedText(font: PDFFont, text: string): string {
  if (!PLAIN.test(text)) return `${font.encodeText(text)}`
  let known = encodings.get(font)
  if (!known) encodings.set(font, (known = new Map()))
  let hex = ''
  for (const character of text) {
    let one = known.get(character)
    if (one === undefined) known.set(character, (one = font.encodeText(character).asString()))
    hex += one
  }
  return `<${hex}>`
}

/** Digits of Arabic with what separates them. They run from left to right, but the library takes a row of them for Arabic and turns it around. */
const ARABIC_NUMBER = /[\u0660-\u0669\u066b\u066c\u06f0-\u06f9]/

/** A part of a line in one font. */
type Run = { font: PDFFont; text: string }

export type Font = {
  /** The parts of a cleaned text by font, in order. */
  runs(text: string): Run[]
  /** The text in one line, composed, without characters that have no shape. */
  clean(text: string): string
  width(text: string, size: number): number
  /** Breaks a text into cleaned lines of at most that width; a word that is too long is split. */
  wrap(text: string, size: number, width: number): string[]
}

/** The text in one line, composed, without characters that have no shape. */
export const clean = (text: string): string =>
  text.toWellFormed().normalize('NFC').replace(/\s/g, ' ').replace(INVISIBLE, '')

type CharacterTest = (character: string) => boolean

/** @param isCommon whether the font has a character; @param isSign whether `signs` has it */
export function createFont(font: PDFFont, signs: PDFFont, isCommon: CharacterTest, isSign: CharacterTest): Font {
  const widths = new Map<string, number>()

  /** A part from right to left is one run, since the shape of a letter depends on those beside it. Fonts set it in its direction. */
  const runs = (text: string): Run[] =>
    hasRightToLeft(text)
      ? directionalRuns(text, (character) => isCommon(character) || isSign(character)).flatMap(
          ({ text, isRightToLeft }) => {
            if (!isRightToLeft) return runsByFont(text, isCommon)
            const parts = runsByFont(text, (character) => !isSign(character)).reverse()
            return parts.map((run) =>
              hasRightToLeft(run.text) ? run : { ...run, text: [...run.text].reverse().join('') },
            )
          },
        )
      : runsByFont(text.replace(RIGHT_TO_LEFT, ''), isCommon)

  function runsByFont(text: string, isOwn: CharacterTest): Run[] {
    const all: Run[] = []
    for (const character of text) {
      const own = isOwn(character) ? font : signs
      const last = all.at(-1)
      if (last?.font === own && !ARABIC_NUMBER.test(last.text + character)) last.text += character
      else all.push({ font: own, text: character })
    }
    return all
  }

  function width(text: string, size: number): number {
    if (text.length > 1 && PLAIN.test(text)) {
      let sum = 0
      for (const character of text) sum += width(character, size)
      return sum
    }
    let one = widths.get(text)
    if (one === undefined) {
      if (widths.size > 50_000) widths.clear()
      one = 0
      for (const run of runs(text)) one += run.font.widthOfTextAtSize(run.text, 1)
      widths.set(text, one)
    }
    return one * size
  }

  /** Splits a word into pieces that fit, each of at least one character. */
  function* pieces(word: string, size: number, most: number): Generator<string> {
    let piece: string[] = []
    let sum = 0
    for (const character of word) {
      piece.push(character)
      sum += width(character, size)
      if (sum <= most) continue
      // Characters may take another width together than one by one.
      const next: string[] = []
      while (piece.length > 1 && width(piece.join(''), size) > most) next.unshift(piece.pop()!)
      sum = width(piece.join(''), size)
      if (!next.length) continue
      yield piece.join('')
      piece = next
      sum = width(next.join(''), size)
    }
    yield piece.join('')
  }

  function wrap(text: string, size: number, most: number): string[] {
    const blank = width(' ', size)
    return text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((paragraph) => {
      const lines: string[] = []
      let line = ''
      let lineWidth = 0
      for (const whole of clean(paragraph).split(' ')) {
        const words = width(whole, size) > most ? [...pieces(whole, size, most)] : [whole]
        for (const word of words) {
          // Words are measured one by one: to measure each beginning of a line takes ten times as long.
          const own = width(word, size)
          if (!line) [line, lineWidth] = [word, own]
          else if (lineWidth + blank + own <= most) [line, lineWidth] = [`${line} ${word}`, lineWidth + blank + own]
          else {
            lines.push(line)
            line = word
            lineWidth = own
          }
        }
      }
      const all = [...lines, line]
      return hasRightToLeft(paragraph) && isRightToLeft(paragraph) ? all.map((each) => RIGHT_TO_LEFT + each) : all
    })
  }

  return { runs, clean, width, wrap }
}
