/** Noto Sans in a document, with DejaVu Sans for signs that Noto lacks, and which characters they have. */

import fontkit from '@cantoo/fontkit'
import type { PDFDocument, PDFFont } from '@cantoo/pdf-lib'
import regularFile from '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf' with { type: 'file' }
import boldFile from '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf' with { type: 'file' }
import signsFile from 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf' with { type: 'file' }

import { clean, createFont, type Font } from './font'

/** Scripts that a font has glyphs for, but that would print wrongly: their direction or their marks are not laid out here. */
const UNSUPPORTED_SCRIPTS = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Nko}\p{Script=Lao}]/u
/** The same for a document that lays out Arabic and Hebrew. */
const UNSUPPORTED_SCRIPTS_WITH_RIGHT_TO_LEFT = /[\p{Script=Nko}\p{Script=Lao}]/u

export type Typeface = { regular: Font; bold: Font; fonts: readonly PDFFont[] }

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
