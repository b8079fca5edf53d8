/** The words of a text, as the index of words has them (docs/master-file.md, "Search"). */
import { trialPrefix } from '#db/trialPrefix'
import { cut } from '#kernel/text'

/**
 * The version of the rules in this file. The index is rebuilt at the first start of a program with another one, or with another
 * version of Unicode, whose letters it goes by.
 */
export const WORDS_VERSION = 1_000 + Math.round(10 * Number.parseFloat(process.versions.unicode ?? '0'))

/** Longer words are cut: searches do not need more, and a document may hold data in the form of text. */
const LONGEST_WORD = 64

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const UNSEEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u200b\u2060\ufeff\ufffe\uffff]/g

/** A text in the form in which it is stored and searched: characters in their usual composition, without those that are not seen. */
export const normaliseText = (text: string): string => text.toWellFormed().normalize('NFKC').replace(UNSEEN, '')

/** Letters of which `folded` may take the accents: Latin, Greek, Cyrillic, and Arabic ones with a hamza. */
const ACCENTED = /[\u00c0-\u024f\u0370-\u052f\u0622-\u0626\u1e00-\u1fff]/g
const bases = new Map<string, string>(Object.entries({ ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ı: 'i', ς: 'σ' }))

function baseOf(letter: string): string {
  let base = bases.get(letter)
  if (base === undefined) {
    const [first = letter, ...marks] = letter.normalize('NFD')
    base = first.length === 1 && marks.every((mark) => /\p{M}/u.test(mark)) ? first : letter
    bases.set(letter, base)
  }
  return base
}

/** A text as words are compared: in small letters without accents. Each UTF-16 unit stays in its place. */
export const foldText = (text: string): string => text.replaceAll('İ', 'I').toLowerCase().replace(ACCENTED, baseOf)

/** Scripts that are written without spaces between words, as a class for patterns with the flag `v`. */
const CONTINUOUS =
  '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー]'
/** What other words are made of. */
export const LETTER = `[[\\p{L}\\p{N}\\p{M}\\u200c\\u200d]--${CONTINUOUS}]`
/** Marks that a reader may leave out: accents, and the vowel signs of Hebrew and Arabic. */
export const OPTIONAL_MARKS =
  '\\u0300-\\u036f\\u0591-\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u06d6-\\u06ed\\u200c\\u200d'

const SEGMENTS = new RegExp(`(${CONTINUOUS}+)|${LETTER}+`, 'gv')
const optional = new RegExp(`[${OPTIONAL_MARKS}]+`, 'g')

/** A part of a text: a word, or a run of characters of a script that is written without spaces between words. */
export type Segment = { text: string; isRun: boolean }

/** The segments of a text that `searchable` returned, in order. */
export function segmentsOf(text: string): Segment[] {
  const segments: Segment[] = []
  for (const [match, run] of foldText(text).matchAll(SEGMENTS)) {
    const word = run ?? cut(match.replace(optional, ''), LONGEST_WORD)
    if (word) segments.push({ text: word, isRun: run !== undefined })
  }
  return segments
}

/** A run as words of two characters that overlap. @param withLast also its last character, alone, so that this is found too */
export function pairsOf(run: string, withLast: boolean): string[] {
  const pairs: string[] = []
  let last = ''
  for (const sign of run) {
    if (last) pairs.push(last + sign)
    last = sign
  }
  if (withLast || !pairs.length) pairs.push(last)
  return pairs
}

/** The words of a text as a column of the index takes them. */
export function indexWords(trial: string, text: string): string {
  const mark = trialPrefix(trial)
  let words = ''
  for (const { text: word, isRun } of segmentsOf(text))
    if (isRun) for (const pair of pairsOf(word, true)) words += `${mark}${pair} `
    else words += `${mark}${word} `
  return words
}

/** The word of a place in the index: a site, or null for the whole trial. */
export const placeWord = (site: string | null): string => site ?? 'whole'
