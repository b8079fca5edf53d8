/** What a query of the participants' list asks for. */
import { type Access, scopeOf } from '#access/caller'
import { isId } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Of } from '#wire/words'
import type { Search } from './listStore'
import type { ListQuery } from './model'
import { passes } from './rules'

/** The `_id`s in a comma-separated query parameter, sorted. @throws 422 if it is not such a list */
function idsIn(name: string, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  const ids = [...new Set(text.split(',').map((each) => each.trim()))]
  if (ids.every(isId)) return ids.sort()
  throw refuse.invalid({ [name]: ['Must be _ids of 24 hexadecimal characters with commas between them.'] }, 'query')
}

/** The search for a query, limited to the participants that the caller may read. */
export const searchOf = (trial: string, access: Access, query: Of<typeof ListQuery>): Search => ({
  trial,
  passes: (facets) => passes(query, facets),
  find: {
    term: query.term,
    site: query.site,
    include: idsIn('groupsInclude', query.groupsInclude),
    orNone: query.groupsInclude !== undefined && query.groupsIncludeNone,
    exclude: idsIn('groupsExclude', query.groupsExclude),
    scope: scopeOf(access, ['readParticipants']),
  },
  sort: query.sort ?? 'createdAt',
  descending: query.sortOrder === 'desc',
})
