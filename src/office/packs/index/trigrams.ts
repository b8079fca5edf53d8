/**
 * Trigrams: each three characters in a row of a text. A text that contains a term has all trigrams of the term. The other way round
 * this need not be so: what the index finds is compared with the term (docs/packs.md, "Lists").
 */
import { trialPrefix } from '#db/trialPrefix'

/** The version of the rules in this file. The index is rebuilt at the first start of a program with another one. */
export const TRIGRAMS_VERSION = 1

const LENGTH = 3

/** ASCII characters that the tokenizer of the index takes for gaps between words. */
const GAPS = /[^0-9A-Za-z\u0080-\u{10ffff}]/gu
/** The first of the characters for private use, which stand for them. */
const PRIVATE = 0xe000

/** The trigrams of a text, in order. */
function trigramsOf(text: string): string[] {
  const signs = text.toWellFormed().replace(GAPS, (gap) => String.fromCharCode(PRIVATE + gap.charCodeAt(0)))
  const characters = [...signs]
  return characters.slice(LENGTH - 1).map((last, at) => `${characters[at]}${characters[at + 1]}${last}`)
}

/** The trigrams of a text as the index has them, each once. @param text a `searchText`, or a term in its form */
export function wordsOf(trial: string, text: string): string[] {
  const mark = trialPrefix(trial)
  return [...new Set(trigramsOf(text))].map((trigram) => mark + trigram)
}

/**
 * The expression that finds texts which may contain a term; undefined for a term of less than three characters. It has as few trigrams
 * as cover the term: more of them would take longer, and hardly find less.
 */
export function expressionOf(trial: string, term: string): string | undefined {
  const all = trigramsOf(term)
  if (!all.length) return undefined
  const mark = trialPrefix(trial)
  const covering = new Set(all.filter((_, at) => at % LENGTH === 0 || at === all.length - 1))
  return [...covering].map((trigram) => `"${mark}${trigram}"`).join(' AND ')
}
