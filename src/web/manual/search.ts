/** Searches the sections of the manual: every word must occur, whatever its case and accents. */
import type { Section } from './render'

export type Hit = { section: Section; excerpt: readonly { text: string; isMatch: boolean }[] }

/** How many characters of an excerpt are before and after the first match. */
const BEFORE = 60
const AFTER = 160
const MOST_HITS = 40

const foldOne = (character: string) =>
  character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[‘’]/g, "'")

/** The text without case and accents. */
export const fold = (text: string): string => [...text].map(foldOne).join('')

/** The folded text, and for each of its characters the index in the original text. */
function foldWithPositions(text: string): { text: string; at: number[] } {
  const at: number[] = []
  let result = ''
  let position = 0
  for (const character of text) {
    const plain = foldOne(character)
    for (let n = 0; n < plain.length; n++) at.push(position)
    result += plain
    position += character.length
  }
  at.push(position)
  return { text: result, at }
}

const count = (text: string, word: string) => text.split(word).length - 1

/**
 * The sections that hold every word of the query, best match first: words in a heading count most.
 * @param titles the title of each page by its name
 */
export function search(sections: readonly Section[], titles: ReadonlyMap<string, string>, query: string): Hit[] {
  const words = [...new Set(fold(query).split(/\s+/).filter(Boolean))].slice(0, 10)
  if (!words.length) return []
  const found = sections.flatMap((section) => {
    const heading = fold(section.title)
    const text = fold(section.text)
    const page = fold(titles.get(section.page) ?? '')
    if (!words.every((word) => heading.includes(word) || text.includes(word) || page.includes(word))) return []
    if (!words.some((word) => heading.includes(word) || text.includes(word))) return []
    const points = words.map(
      (word) => (heading.includes(word) ? 20 : 0) + (page.includes(word) ? 5 : 0) + Math.min(5, count(text, word)),
    )
    return [{ section, points: points.reduce((sum, each) => sum + each, 0) }]
  })
  found.sort((a, b) => b.points - a.points)
  return found.slice(0, MOST_HITS).map(({ section }) => ({ section, excerpt: excerptOf(section.text, words) }))
}

/** The part of the text around its first matching word, with the matches marked. */
function excerptOf(text: string, words: readonly string[]): Hit['excerpt'] {
  const whole = text.replace(/\s+/g, ' ').trim()
  const plain = foldWithPositions(whole)
  const first = Math.min(...words.map((word) => plain.text.indexOf(word)).filter((at) => at >= 0))
  const middle = Number.isFinite(first) ? first : 0
  const start = Math.max(0, middle - BEFORE)
  const end = Math.min(plain.text.length, middle + AFTER)
  const parts: { text: string; isMatch: boolean }[] = []
  const add = (from: number, to: number, isMatch: boolean) => {
    const piece = whole.slice(plain.at[from], plain.at[to])
    if (piece) parts.push({ text: piece, isMatch })
  }
  let at = start
  while (at < end) {
    const next = words
      .map((word) => ({ word, place: plain.text.indexOf(word, at) }))
      .filter(({ place }) => place >= 0 && place < end)
      .sort((a, b) => a.place - b.place || b.word.length - a.word.length)[0]
    if (!next) break
    add(at, next.place, false)
    add(next.place, next.place + next.word.length, true)
    at = next.place + next.word.length
  }
  add(at, Math.max(at, end), false)
  if (start > 0) parts.unshift({ text: '…', isMatch: false })
  if (end < plain.text.length) parts.push({ text: '…', isMatch: false })
  return parts
}
