/** Finds the words that were probably meant (pure). */
import { distance } from '#kernel/nearest'

/** The words of a table of foods, and of how many foods each is a word: those of most foods first. */
export type Vocabulary = Readonly<{ words: readonly string[]; counts: Uint32Array; letters: Uint32Array }>

/** Which letters a word has, one bit each. Words that differ in two letters differ in at most four bits. */
function lettersOf(word: string): number {
  let bits = 0
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31)
  return bits >>> 0
}

export function vocabularyOf(rows: readonly { word: string; foods: number }[]): Vocabulary {
  return {
    words: rows.map(({ word }) => word),
    counts: Uint32Array.from(rows, ({ foods }) => foods),
    letters: Uint32Array.from(rows, ({ word }) => lettersOf(word)),
  }
}

function bitsIn(value: number): number {
  let count = 0
  for (let left = value; left; left &= left - 1) count++
  return count
}

/** How many letters may be wrong in a word of this length. */
const mistakesIn = (length: number): number => (length < 4 ? 0 : length < 6 ? 1 : 2)

/** `apart`: how much the word differs from what was typed, by the number of errors and where they are. */
export type Correction = { word: string; apart: number; foods: number }

/**
 * The words that are probably meant by a word with typing errors, the likeliest first: fewer errors, the same first letter, then
 * the commoner word. @param isUnfinished whether the word may be the beginning of one; @param leastFoods words of no more foods are left out
 */
export function corrections(
  word: string,
  vocabulary: Vocabulary,
  isUnfinished: boolean,
  leastFoods = 0,
  limit = 4,
): Correction[] {
  const most = mistakesIn(word.length)
  if (most === 0) return []
  const { words, counts, letters } = vocabulary
  const own = lettersOf(word)
  const found: Correction[] = []
  for (let at = 0; at < words.length; at++) {
    if (counts[at]! <= leastFoods) break // they are sorted
    const other = words[at]!
    const longer = other.length - word.length
    if (longer < -most || (longer > most && !isUnfinished)) continue
    // A beginning may have fewer letters than the whole word; none of its own may be missing but the wrong ones.
    const strange = isUnfinished && longer > 0 ? own & ~letters[at]! : own ^ letters[at]!
    if (bitsIn(strange) > 2 * most) continue
    const whole = longer <= most ? distance(word, other) : most + 1
    const begun = isUnfinished && longer > 0 ? distance(word, other.slice(0, word.length)) + 0.5 : most + 1
    const errors = Math.min(whole, begun)
    // Few people mistype the first letter.
    const apart = other[0] === word[0] ? errors : errors + 0.5
    if (errors > 0 && errors <= most) found.push({ word: other, apart, foods: counts[at]! })
  }
  const likelier = (a: Correction, b: Correction) => a.apart - b.apart || b.foods - a.foods
  return found
    .sort(likelier)
    .slice(0, limit)
    .map(({ word, apart, foods }) => ({ word, apart, foods }))
}
