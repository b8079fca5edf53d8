/** What a person looks for, and how the index is asked for it. No text is a faulty search. */
import { trialPrefix } from '#db/trialPrefix'
import { LETTER, normaliseText, OPTIONAL_MARKS, pairsOf, type Segment, segmentsOf } from '#office/files/words/tokens'

/** Segments that follow each other. `isPrefix`: the last word may go on. */
export type Term = { segments: readonly Segment[]; isPrefix: boolean }

/** Shorter words are found as they are: too much begins with them. */
const SHORTEST_PREFIX = 3

const PARTS = /["“”„‟«»]([^"“”„‟«»]*)(?:["“”„‟«»]|$)|[^\s"“”„‟«»]+/g

/** The words and quoted phrases in what a person typed, each once. What has no letter and no digit is left out. */
export function termsIn(search: string): Term[] {
  const terms = new Map<string, Term>()
  for (const [part, phrase] of normaliseText(search).matchAll(PARTS)) {
    const segments = segmentsOf(phrase ?? part)
    const last = segments.at(-1)
    if (!last) continue
    const isPrefix = phrase === undefined && !last.isRun && last.text.length >= SHORTEST_PREFIX
    terms.set(JSON.stringify([segments, isPrefix]), { segments, isPrefix })
  }
  return [...terms.values()]
}

/** A term in the language of FTS5. Its words have letters, digits and marks only, and so are never read as operators. */
function phraseOf({ segments, isPrefix }: Term, mark: string): string {
  const last = segments.length - 1
  const words = segments.flatMap(({ text, isRun }, at) => (isRun ? pairsOf(text, at < last) : [text]))
  const { text, isRun } = segments[last]!
  // Of a run, a single character is found by the pairs that begin with it.
  const isOpen = isPrefix || (isRun && [...text].length === 1)
  return `"${words.map((word) => mark + word).join(' ')}"${isOpen ? '*' : ''}`
}

/** The expression that finds rows with all terms. @param terms at least one */
export function expressionOf(terms: readonly Term[], trial: string): string {
  const mark = trialPrefix(trial)
  return terms.map((term) => phraseOf(term, mark)).join(' AND ')
}

const marks = `[${OPTIONAL_MARKS}]*`
const escapeSign = (sign: string) => (/[\p{L}\p{N}]/v.test(sign) ? sign : `\\u{${sign.codePointAt(0)!.toString(16)}}`)
const SEPARATOR = '[^\\p{L}\\p{N}\\p{M}]'

/** The pattern that finds a term in a text that `folded` returned. */
export function patternOf({ segments, isPrefix }: Term): RegExp {
  const source = segments.map(({ text, isRun }, at) => {
    const before = segments[at - 1]
    const gap = before ? `${SEPARATOR}${before.isRun || isRun ? '*' : '+'}` : isRun ? '' : `(?<!${LETTER})`
    return gap + [...text].map(escapeSign).join(marks) + (isRun ? '' : marks)
  })
  const end = segments.at(-1)!.isRun ? '' : isPrefix ? `${LETTER}*` : `(?!${LETTER})`
  return new RegExp(source.join('') + end, 'gv')
}
