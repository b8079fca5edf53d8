/** The order in which the parts of a line stand where Arabic or Hebrew is in it (UAX #9, by bidi-js). */
import bidiFactory from 'bidi-js'

const bidi = bidiFactory()

/** Letters that are written from right to left. */
const RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const LETTER = /\p{L}/u

/** Before each line of a paragraph that runs from right to left: its first letter may be of another script. */
export const RIGHT_TO_LEFT = '\u200f'

/** Whether a text has letters that are written from right to left. */
export const hasRightToLeft = (text: string): boolean => RIGHT.test(text)

/** The library takes half characters: one that has two halves is replaced by one of its kind. */
const whole = (character: string): string =>
  character.length === 1 ? character : RIGHT.test(character) ? 'ا' : LETTER.test(character) ? 'a' : '□'

/** Text with one half for each character, and its levels: odd ones run from right to left. */
function embedded(characters: readonly string[]) {
  const text = characters.map(whole).join('')
  return { text, found: bidi.getEmbeddingLevels(text) }
}

/** Whether a paragraph runs from right to left: its first letter says so. */
export const isRightToLeft = (text: string): boolean => embedded([...text]).found.paragraphs[0]?.level === 1

/** A part of a line in one direction. The characters of `text` are in the order in which they are read. */
export type DirectionalRun = { text: string; isRightToLeft: boolean }

/**
 * The parts of a line as they stand from left to right. Brackets and signs such as ≤ of parts from right to left are mirrored.
 * @param has whether a font has a character: what has no mirror image in it stays as it is
 */
export function directionalRuns(line: string, has: (character: string) => boolean): DirectionalRun[] {
  const characters = [...line]
  const { text, found } = embedded(characters)
  const parts: (DirectionalRun & { level: number | undefined })[] = []
  for (const at of bidi.getReorderedIndices(text, found)) {
    const [level = 0, character = ''] = [found.levels[at], characters[at]]
    if (character === RIGHT_TO_LEFT) continue
    const isRightToLeft = level % 2 === 1
    if (parts.at(-1)?.level !== level) parts.push({ text: '', isRightToLeft, level })
    const part = parts.at(-1)!
    const mirrored = isRightToLeft ? bidi.getMirroredCharacter(character) : null
    const shown = mirrored && has(mirrored) ? mirrored : character
    part.text = isRightToLeft ? shown + part.text : part.text + shown
  }
  return parts.map(({ text, isRightToLeft }) => ({ text, isRightToLeft }))
}
