/** A part of a text around what was found in it. */
import { foldText } from '#office/files/words/tokens'
import { patternOf, type Term } from './terms'

/** Plain text, and where in it the words are that were found, in UTF-16 units: from the first, to before the last. */
export type Excerpt = { text: string; marks: { from: number; to: number }[] }

/** The length of an excerpt, and how much of it is before the first word that was found, in UTF-16 units. */
const LENGTH = 240
const BEFORE = 60
/** The most, if a phrase is longer. */
export const MAX_LENGTH = 480
/** So many occurrences of each term are compared to find the best part. */
const MAX_PLACES = 50

type Place = { from: number; to: number; term: number }

/** The first places of each term in a folded text, in order. @param most of each term */
function findPlaces(text: string, terms: readonly Term[], most: number): Place[] {
  const places: Place[] = []
  for (const [term, each] of terms.entries()) {
    let left = most
    for (const { index, 0: found } of text.matchAll(patternOf(each))) {
      places.push({ from: index, to: index + found.length, term })
      if (--left === 0) break
    }
  }
  return places.sort((a, b) => a.from - b.from)
}

/** The place from which on a part of this length has most of the terms. */
function bestPlace(places: readonly Place[]): Place | undefined {
  let found: Place | undefined
  let most = 0
  for (const [at, place] of places.entries()) {
    const near = new Set<number>()
    for (let next = at; next < places.length && places[next]!.to - place.from < LENGTH - BEFORE; next++)
      near.add(places[next]!.term)
    if (!found || near.size > most) [found, most] = [place, near.size]
  }
  return found
}

/** The same place, or the one before it if it is between the two halves of a surrogate pair. */
const characterStart = (text: string, at: number) => (/[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at)

/** Where a word begins near `at`, or else `at`. @param by whether to look forward or backward */
function wordStart(text: string, at: number, by: 1 | -1): number {
  for (let near = at; near > 0 && near < text.length && Math.abs(near - at) < 20; near += by)
    if (/\s/.test(text[near - 1]!)) return near
  return characterStart(text, at)
}

/**
 * The part of the text that has most of the terms; its beginning if it has none of them.
 * @param text as `searchable` returns it
 */
export function excerptOf(text: string, terms: readonly Term[]): Excerpt {
  const fold = foldText(text)
  const first = bestPlace(findPlaces(fold, terms, MAX_PLACES))
  const from = !first || first.from <= BEFORE ? 0 : wordStart(text, first.from - BEFORE, 1)
  const least = characterStart(text, Math.min(first?.to ?? 0, from + MAX_LENGTH))
  const to = from + LENGTH >= text.length ? text.length : Math.max(wordStart(text, from + LENGTH, -1), least)
  const [start, rest] = [from > 0 ? '…' : '', to < text.length ? '…' : '']
  const places = mergeOverlaps(findPlaces(fold.slice(from, to), terms, MAX_PLACES))
  return {
    text: start + text.slice(from, to).replace(/\s/g, ' ') + rest,
    marks: places.map((place) => ({ from: place.from + start.length, to: place.to + start.length })),
  }
}

/** Places that overlap become one. */
function mergeOverlaps(places: readonly Place[]): Omit<Place, 'term'>[] {
  const all: Omit<Place, 'term'>[] = []
  for (const { from, to } of places) {
    const last = all.at(-1)
    if (last && from < last.to) last.to = Math.max(last.to, to)
    else all.push({ from, to })
  }
  return all
}
