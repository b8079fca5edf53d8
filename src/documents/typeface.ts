/** Noto Sans in a document, with DejaVu Sans for signs that Noto lacks: available characters, widths, and line breaks. */

import fontkit from '@cantoo/fontkit'
import type { PDFDocument, PDFFont } from '@cantoo/pdf-lib'
import regularFile from '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf' with { type: 'file' }
import boldFile from '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf' with { type: 'file' }
import signsFile from 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf' with { type: 'file' }

import { directionalRuns, hasRightToLeft, isRightToLeft, RIGHT_TO_LEFT } from './bidi'

/** Direction marks, joiners and variation selectors, which have no visible shape. */
const INVISIBLE = /\p{Cf}|\p{Cc}|\p{Variation_Selector}/gu
/** Scripts that a font has glyphs for, but that would print wrongly: their direction or their marks are not laid out here. */
const UNSUPPORTED_SCRIPTS = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Lao}]/u
/** The same for a document that lays out Arabic and Hebrew. */
const UNSUPPORTED_SCRIPTS_WITH_RIGHT_TO_LEFT = /[\p{Script=Nko}\p{Script=Lao}]/u

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

export type Typeface = { regular: Font; bold: Font; fonts: readonly PDFFont[] }

/** The text in one line, composed, without characters that have no shape. */
const clean = (text: string): string => text.toWellFormed().normalize('NFC').replace(/\s/g, ' ').replace(INVISIBLE, '')

/** A character that cannot be printed, and the index of its text. */
export type UnprintableCharacter = { character: string; place: number }

/** A font file that was read: its bytes, what the library made of them, and the characters that it has. */
type FontFile = { bytes: Uint8Array; font: FontkitFont; characters: ReadonlySet<number> }
type FontkitFont = Extract<ReturnType<typeof fontkit.create>, { characterSet: number[] }>

async function readFontFile(file: string): Promise<FontFile> {
  const bytes = await Bun.file(file).bytes()
  const font = fontkit.create(bytes)
  if (!('characterSet' in font)) throw new Error(`${file} is a collection of fonts`)
  return { bytes, font, characters: new Set(font.characterSet) }
}

/** Each font is read once in a thread: that takes longer than a short document. */
const fontFiles = new Map<string, Promise<FontFile>>()

function fontFile(file: string): Promise<FontFile> {
  let one = fontFiles.get(file)
  if (!one) fontFiles.set(file, (one = readFontFile(file)))
  return one
}

/**
 * Lets a document make its own glyphs. The library keeps each glyph with the character that it was first made for, and keeps parts
 * of other glyphs, such as the points of “…”, without a character: a later document would draw them, but its text could not be read.
 */
const forgetGlyphs = (font: FontkitFont): boolean => Reflect.set(font, '_glyphs', {})

const NO_FONT = { font: undefined, characters: new Set<number>() }

/** Embeds the fonts that these texts need; that for signs only if a text needs it. */
async function fontsFor(document: PDFDocument, texts: readonly string[], unsupportedScripts = UNSUPPORTED_SCRIPTS) {
  const embedded = async (file: string) => {
    const { bytes, font, characters } = await fontFile(file)
    forgetGlyphs(font)
    document.registerFontkit({ create: () => font })
    return { font: await document.embedFont(bytes, { subset: true }), characters }
  }
  const [regular, bold] = [await embedded(regularFile), await embedded(boldFile)]
  const isCommon = (character: string) => {
    const code = character.codePointAt(0)!
    return regular.characters.has(code) && bold.characters.has(code)
  }
  const needsSigns = texts.some((text) => [...clean(text)].some((character) => !isCommon(character)))
  const { font: signs, characters: others } = needsSigns ? await embedded(signsFile) : NO_FONT
  const isPrintable = (character: string) =>
    (isCommon(character) || others.has(character.codePointAt(0)!)) && !unsupportedScripts.test(character)
  const fonts = [regular.font, bold.font, ...(signs ? [signs] : [])]
  const isSign = (character: string) => others.has(character.codePointAt(0)!)
  const fontFrom = (font: PDFFont) => createFont(font, signs ?? font, isCommon, isSign)
  return { typeface: { regular: fontFrom(regular.font), bold: fontFrom(bold.font), fonts }, isPrintable }
}

/**
 * Embeds the glyphs that the document uses.
 * @param texts all texts of the document, to find the first character that no font can print
 */
export async function typefaceOf(
  document: PDFDocument,
  texts: readonly string[],
): Promise<{ typeface: Typeface } | { unprintable: UnprintableCharacter }> {
  const { typeface, isPrintable } = await fontsFor(document, texts)
  for (const [place, text] of texts.entries()) {
    for (const character of clean(text)) if (!isPrintable(character)) return { unprintable: { character, place } }
  }
  return { typeface }
}

/** The characters of texts, each once: what fonts need to know of a long document. Composed, as they are printed. */
export function charactersIn(texts: Iterable<string>): Set<string> {
  const all = new Set<string>()
  for (const text of texts) for (const character of text.split('\n').map(clean).join('')) all.add(character)
  return all
}

/** Printed in place of a character that no font can print. */
const MISSING = '\u25a1'

/**
 * Embeds the glyphs for these texts. `printable` returns a text with a box in place of what cannot be printed.
 * @param withRightToLeft lays out Arabic and Hebrew, which are boxes otherwise
 */
export async function typefaceWithBoxes(
  document: PDFDocument,
  texts: readonly string[],
  withRightToLeft = false,
): Promise<{ typeface: Typeface; printable(text: string): string; isWhole: boolean }> {
  const { typeface, isPrintable } = await fontsFor(
    document,
    [...texts, MISSING],
    withRightToLeft ? UNSUPPORTED_SCRIPTS_WITH_RIGHT_TO_LEFT : UNSUPPORTED_SCRIPTS,
  )
  const printable = (text: string) =>
    text
      .split('\n')
      .map((line) => [...clean(line)].map((each) => (isPrintable(each) ? each : MISSING)).join(''))
      .join('\n')
  return { typeface, printable, isWhole: texts.every((text) => [...clean(text)].every(isPrintable)) }
}

type CharacterTest = (character: string) => boolean

/** @param isCommon whether the font has a character; @param isSign whether `signs` has it */
function createFont(font: PDFFont, signs: PDFFont, isCommon: CharacterTest, isSign: CharacterTest): Font {
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
