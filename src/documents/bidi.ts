/**
 * The order in which the parts of a line stand where Arabic or Hebrew is in it: the rules of Unicode (UAX #9) without explicit embeddings.
 */

/** Letters that are written from right to left. */
const RIGHT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const MARK = /\p{M}/u
const LETTER = /\p{L}/u
const DIGIT = /\p{Nd}/u
const SEPARATOR = /[.,:/+-]/
const TERMINATOR = /[%‰°$€£¥]/

const MIRRORED: Readonly<Record<string, string>> = {
  ...{ '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«' },
}

/** Before each line of a paragraph that runs from right to left: its first letter may be of another script. */
export const RIGHT_TO_LEFT = '\u200f'

/** Whether a text has letters that are written from right to left. */
export const hasRightToLeft = (text: string): boolean => RIGHT.test(text)

/** Whether a paragraph runs from right to left: its first letter says so. */
export function isRightToLeft(text: string): boolean {
  for (const character of text) {
    if (character === RIGHT_TO_LEFT) return true
    if (DIGIT.test(character)) continue
    if (RIGHT.test(character)) return true
    if (LETTER.test(character)) return false
  }
  return false
}

type Kind = 'right' | 'left' | 'number' | 'neutral'

function kindsOf(characters: readonly string[]): Kind[] {
  const kinds: Kind[] = []
  for (const character of characters) {
    if (DIGIT.test(character)) kinds.push('number')
    else if (MARK.test(character)) kinds.push(kinds.at(-1) ?? 'neutral')
    else if (RIGHT.test(character)) kinds.push('right')
    else kinds.push(LETTER.test(character) ? 'left' : 'neutral')
  }
  // 3.5 and 2026-03-02 are numbers as a whole, and so is 5 %.
  for (const [at, character] of characters.entries()) {
    const [before, after] = [kinds[at - 1], kinds[at + 1]]
    if (SEPARATOR.test(character) && before === 'number' && after === 'number') kinds[at] = 'number'
    if (TERMINATOR.test(character) && (before === 'number' || after === 'number')) kinds[at] = 'number'
  }
  return kinds
}

/** The level of each character: odd ones run from right to left. */
function levelsOf(characters: readonly string[], base: 0 | 1): number[] {
  const kinds = kindsOf(characters)
  const left = base === 0 ? 0 : 2
  let strong: Kind = base === 0 ? 'left' : 'right'
  const levels: (number | undefined)[] = kinds.map((kind) => {
    if (kind === 'right' || kind === 'left') strong = kind
    if (kind === 'neutral') return undefined
    return kind === 'right' ? 1 : kind === 'number' && strong === 'right' ? 2 : left
  })
  // What is neutral follows its neighbours if they agree, and else the paragraph. Beside it, a number counts as its surroundings do.
  const isRight = (at: number) => kinds[at] === 'right' || (kinds[at] === 'number' && levels[at] === 2)
  for (let from = 0; from < levels.length; from++) {
    if (levels[from] !== undefined) continue
    let to = from
    while (to < levels.length && levels[to] === undefined) to++
    const before = from === 0 ? base === 1 : isRight(from - 1)
    const after = to === levels.length ? base === 1 : isRight(to)
    const level = to === levels.length || before !== after ? base : before ? 1 : left
    levels.fill(level, from, to)
    from = to
  }
  return levels.map((level) => level ?? base)
}

/** A part of a line in one direction. The characters of `text` are in the order in which they are read. */
export type Directed = { text: string; isRightToLeft: boolean }

/** The parts of a line as they stand from left to right. Brackets of parts from right to left are mirrored. */
export function directed(line: string): Directed[] {
  const base = isRightToLeft(line) ? 1 : 0
  const characters = [...line].filter((character) => character !== RIGHT_TO_LEFT)
  const levels = levelsOf(characters, base)
  const parts: { text: string; level: number }[] = []
  for (const [at, character] of characters.entries()) {
    const level = levels[at] ?? base
    const shown = level % 2 ? (MIRRORED[character] ?? character) : character
    const last = parts.at(-1)
    if (last?.level === level) last.text += shown
    else parts.push({ text: shown, level })
  }
  for (const least of [2, 1]) reverseRuns(parts, least)
  return parts.map(({ text, level }) => ({ text, isRightToLeft: level % 2 === 1 }))
}

/** Reverses each row of parts that have at least this level. */
function reverseRuns(parts: { level: number }[], least: number): void {
  for (let from = 0; from < parts.length; from++) {
    let to = from
    while ((parts[to]?.level ?? -1) >= least) to++
    if (to > from) parts.splice(from, to - from, ...parts.slice(from, to).reverse())
    from = to
  }
}
