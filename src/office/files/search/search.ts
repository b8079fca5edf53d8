/** Pages of the files that a search finds (docs/master-file.md, "Search"). */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { FileFilter } from '#office/files/model'
import type { FileScope } from '#office/files/rules'
import { type FileRow, filesWithIds } from '#office/files/store'
import type { Match } from '#office/files/words/model'
import { normaliseText } from '#office/files/words/tokens'
import { excerptOf } from './excerpt'
import { type MatchSource, type SearchHit, search, textOfVersion } from './store'
import { expressionOf, type Term, termsIn } from './terms'

/** The most files in a page of a search, and the default. For each, a text is read to make an excerpt. */
const MAX_PER_PAGE = 50
export const SEARCH_PAGE = 20

const ORDER: readonly MatchSource[] = ['name', 'tags', 'text']

type SearchPageRequest = { trial: Id; scope: FileScope; filter: FileFilter; page: number; perPage: number }

/** The files of a page and one more, if there is one: those found by name first, then by tags, then by text. */
function findPage(
  db: Db,
  terms: readonly Term[],
  { page, perPage, ...request }: SearchPageRequest,
): (SearchHit & { where: MatchSource })[] {
  const expression = expressionOf(terms, request.trial)
  const found: (SearchHit & { where: MatchSource })[] = []
  let skipped = 0
  for (const where of ORDER)
    for (const each of search(db, { ...request, expression, where })) {
      if (skipped++ >= (page - 1) * perPage) found.push({ ...each, where })
      if (found.length > perPage) return found
    }
  return found
}

/** Where the words are, with a part of the text around them. */
function matchOf(db: Db, terms: readonly Term[], row: FileRow, found: SearchHit & { where: MatchSource }): Match {
  const { where, number } = found
  const of = (text: string) => excerptOf(normaliseText(text), terms)
  if (where === 'name') return { in: where, version: null, ...of(row.name) }
  if (where === 'tags') return { in: where, version: null, ...of(row.tags.join(', ')) }
  const { name, text } = textOfVersion(db, found)
  return { in: where, version: number, ...of(text === null ? name : `${name}\n${text}`) }
}

export type FoundFiles = { rows: FileRow[]; matches: Match[]; nextPageAvailable: boolean }

/** A page of the files that a reader sees and that have all words. @throws 400 for too large a page */
export function searchFiles(db: Db, request: SearchPageRequest): FoundFiles {
  const { perPage, filter } = request
  if (perPage > MAX_PER_PAGE) throw refuse.bad('searchPageTooLarge', { most: MAX_PER_PAGE })
  const terms = termsIn(filter.search ?? '')
  const found = terms.length ? findPage(db, terms, request) : []
  const files = found.slice(0, perPage)
  const byId = filesWithIds(
    db,
    files.map(({ file }) => file),
  )
  const rows = files.map(({ file }) => byId.get(file)!)
  return {
    rows,
    matches: files.map((each, at) => matchOf(db, terms, rows[at]!, each)),
    nextPageAvailable: found.length > perPage,
  }
}
