/** Reads a table of foods: one food, and what a search finds (docs/food.md, "How the search works"). */
import type { Sqlite } from '#db/open'
import type { FoodType } from '#db/tables/foodDiary'
import { unpackAmounts } from './nutrients'
import { type FoodMatch, rankFoods, type SearchTerm } from './ranking'
import { corrections, type Vocabulary, vocabularyOf } from './spelling'
import { otherForms, singular, wordsOf } from './tokens'
import type { Food } from './types'

type Row = FoodMatch & {
  foodId: number
  category: string | null
  type: FoodType
  source: string
  portions: string
  amounts: string
}

const COLUMNS = 'f.*, s.source FROM foods f JOIN sources s ON s._id = f.source'

function foodFrom({ foodId, name, brand, category, type, source, portions, amounts }: Row): Food {
  const sizes = JSON.parse(portions) as [size: number, description: string][]
  return {
    ...{ foodId, name, brand, category, type, source },
    portions: sizes.map(([size, description]) => ({ size, description })),
    amounts: unpackAmounts(amounts),
  }
}

/** The food of that number; undefined if the table has none. */
export function foodById(table: Sqlite, foodId: number): Food | undefined {
  const row = table.query<Row, [{ foodId: number }]>(`SELECT ${COLUMNS} WHERE f.foodId = $foodId`).get({ foodId })
  return row ? foodFrom(row) : undefined
}

/** The number of matches that are ranked. Later ones stay in the order of the table. */
const COMPARED = 400
/** With fewer finds than this, a search also looks for words that may have been meant. */
const FEW_MATCHES = 8
/** The most words of a search that count. */
const MOST_WORDS = 8
/** The most unknown words of a search that are corrected: each is compared with all common words. */
const MOST_CORRECTED = 4

const vocabularies = new WeakMap<Sqlite, Vocabulary>()

/** Read when a word is misspelt for the first time. */
function vocabulary(table: Sqlite): Vocabulary {
  let known = vocabularies.get(table)
  if (!known) {
    const rows = table
      .query<{ word: string; foods: number }, []>('SELECT word, foods FROM commonWords ORDER BY place')
      .all()
    vocabularies.set(table, (known = vocabularyOf(rows)))
  }
  return known
}

/** How many foods have the word. */
const foodsWithWord = (table: Sqlite, word: string): number =>
  table.query<{ foods: number }, [{ word: string }]>('SELECT foods FROM words WHERE word = $word').get({ word })
    ?.foods ?? 0

/** Whether a longer word begins with it. */
const isBeginning = (table: Sqlite, word: string): boolean =>
  table
    .query<unknown, [{ word: string; end: string }]>('SELECT 1 FROM words WHERE word > $word AND word < $end LIMIT 1')
    .get({ word, end: `${word}\u{10ffff}` }) !== null

/** How well what a name has in place of a word fits it. */
const FIT = { exact: 1, beginning: 0.9, same: 0.75, corrected: 0.8, perMistake: 0.12 }

/** The forms of a word of the search that names may have. The last word may be unfinished. */
function termOf(table: Sqlite, word: string, isLast: boolean): SearchTerm {
  const { singular, synonyms } = otherForms(word)
  const forms = [...new Set([word, singular])].map((form) => ({ form, fit: FIT.exact }))
  const others = synonyms.map((form) => ({ form, fit: FIT.same }))
  const mayBeOpen = isLast ? /\D|../.test(word) : !foodsWithWord(table, word)
  const isOpen = mayBeOpen && isBeginning(table, word)
  const beginnings = isOpen
    ? [...new Set([word, singular])].map((form) => ({ form: `${form}*`, fit: FIT.beginning }))
    : []
  return [...forms, ...beginnings, ...others]
}

/** A word that is this many times as common was probably meant: names of products have typing errors too. */
const COMMONER = 20

/** The words that were probably meant by a word that no food has, or few; undefined if it is right. */
function correctedTerm(table: Sqlite, word: string, isLast: boolean): SearchTerm | undefined {
  const own = foodsWithWord(table, word)
  if (otherForms(word).synonyms.some((form) => foodsWithWord(table, form))) return undefined
  if (own === 0 && isLast && isBeginning(table, word)) return undefined
  const likelyWords = corrections(word, vocabulary(table), isLast, own * COMMONER)
  if (!likelyWords.length) return undefined
  return likelyWords.flatMap(({ word: other, apart }) => {
    const fit = FIT.corrected - FIT.perMistake * (apart - 1)
    const { singular, synonyms } = otherForms(other)
    return [
      ...[other, singular].map((form) => ({ form, fit })),
      ...synonyms.map((form) => ({ form, fit: fit * FIT.same })),
    ]
  })
}

/** The words with each that no food has as the two words of which it consists ("icecream"); undefined if none does. */
function splitWords(table: Sqlite, words: readonly string[]): string[] | undefined {
  const isKnown = (part: string) => foodsWithWord(table, part) > 0 || foodsWithWord(table, singular(part)) > 0
  const parts = words.map((word) => {
    if (isKnown(word)) return [word]
    for (let at = 3; at <= word.length - 3; at++) {
      const halves = [word.slice(0, at), word.slice(at)]
      if (halves.every(isKnown)) return halves
    }
    return [word]
  })
  return parts.some(({ length }) => length > 1) ? parts.flat().slice(0, MOST_WORDS) : undefined
}

const isOpen = ({ form }: SearchTerm[number]) => form.endsWith('*')

/** The terms with whole words only; undefined if a term then has none that is in the table. */
function wholeWordTerms(table: Sqlite, terms: readonly SearchTerm[]): SearchTerm[] | undefined {
  const whole = terms.map((term) => term.filter((each) => !isOpen(each)))
  return whole.every((term) => term.some(({ form }) => foodsWithWord(table, form))) ? whole : undefined
}

/** The forms of a term for FTS5. A form that a beginning includes would only be looked up twice. */
function formsOf(term: SearchTerm): string[] {
  const beginnings = term.filter(isOpen).map(({ form }) => form.slice(0, -1))
  const whole = term.flatMap(({ form }) => (beginnings.some((each) => form.startsWith(each)) ? [] : [form]))
  return [...new Set([...beginnings.map((form) => `"${form}"*`), ...whole.map((form) => `"${form}"`)])]
}

/** The query of FTS5 that needs each term. */
const matchOf = (terms: readonly SearchTerm[]): string =>
  terms.map((term) => `(${formsOf(term).join(' OR ')})`).join(' AND ')

/** The foods that have all terms, the most common first. */
const foodsWith = (table: Sqlite, terms: readonly SearchTerm[], limit: number, skip = 0): Row[] =>
  table
    .query<Row, [{ match: string; limit: number; skip: number }]>(
      `WITH m AS MATERIALIZED (SELECT rowid FROM foodWords WHERE foodWords MATCH $match
         ORDER BY rowid LIMIT +$limit OFFSET +$skip)
       SELECT ${COLUMNS} WHERE f.place IN (SELECT rowid FROM m) ORDER BY f.place`,
    )
    .all({ match: matchOf(terms), limit, skip })

/** The terms with what was probably meant in addition; undefined if all words are right. */
function correctedTerms(
  table: Sqlite,
  words: readonly string[],
  terms: readonly SearchTerm[],
): SearchTerm[] | undefined {
  let left = MOST_CORRECTED
  const corrected = words.map((word, at) => {
    if (!foodsWithWord(table, word) && left-- <= 0) return undefined
    return correctedTerm(table, word, at === words.length - 1)
  })
  return corrected.some(Boolean) ? terms.map((term, at) => [...term, ...(corrected[at] ?? [])]) : undefined
}

/** The terms without one of them, for each of them; the others must be there. */
const withoutEachTerm = (terms: readonly SearchTerm[]): SearchTerm[][] =>
  terms.length < 2 ? [] : terms.map((_, at) => terms.filter((__, other) => other !== at))

/** The foods that a search finds, the best first. @param skip how many to leave out at the beginning */
export function searchFoods(table: Sqlite, text: string, limit: number, skip: number): Food[] {
  const words = wordsOf(text).slice(0, MOST_WORDS)
  if (!words.length) return []
  const terms = words.map((word, at) => termOf(table, word, at === words.length - 1))
  const found = new Map<number, Row>()
  /** Returns whether there are more finds than are compared. */
  function add(more: readonly SearchTerm[]): boolean {
    const rows = foodsWith(table, more, COMPARED)
    for (const row of rows) if (!found.has(row.place)) found.set(row.place, row)
    return rows.length === COMPARED
  }
  const whole = wholeWordTerms(table, terms)
  // With so many finds of the words as they are, matches of longer words are not needed.
  let all = whole && add(whole) ? whole : undefined
  const isSame = whole !== undefined && !terms.some((term) => term.some(isOpen))
  if (!all && !isSame && add(terms)) all = terms
  let wanted: readonly SearchTerm[] = terms
  if (found.size < FEW_MATCHES) {
    const corrected = correctedTerms(table, words, terms)
    if (corrected) add((wanted = corrected))
    const parts = found.size ? undefined : splitWords(table, words)
    if (parts) return searchFoods(table, parts.join(' '), limit, skip)
    if (!found.size) for (const fewer of withoutEachTerm(wanted)) add(fewer)
  }
  const compared = rankFoods([...found.values()], wanted)
  const page = compared.slice(skip, skip + limit)
  if (all && page.length < limit) page.push(...laterMatches(table, all, found, limit - page.length, skip + page.length))
  return page.map(foodFrom)
}

/** The finds after those that were compared, in the order of the table. @param after how many finds earlier pages had */
function laterMatches(
  table: Sqlite,
  terms: readonly SearchTerm[],
  compared: ReadonlyMap<number, Row>,
  limit: number,
  after: number,
) {
  const earlier = after - compared.size
  const rows = foodsWith(table, terms, earlier + limit + compared.size - COMPARED, COMPARED)
  return rows.filter(({ place }) => !compared.has(place)).slice(earlier, earlier + limit)
}
