/** Searches of the participants' list, from the filters of a request. */
import type { VisibleScope } from '#access/caller'
import { type Id, isId } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import type { ValueOf } from '#wire/schema'
import type { ListFilter, ListQuery } from './model'
import { passes } from './rules'
import type { Search } from './searchStore'

/** Makes the refusal (422) of a filter. */
type MakeRefusal = (filter: string, problem: Reason) => Error

const queryRefusal: MakeRefusal = (filter, problem) => refuse.invalid({ [filter]: [problem] }, 'query')

/** The `_id`s in a comma-separated filter, sorted. @throws the refusal if it is not such a list */
function idsIn(name: string, text: string | undefined, refusal: MakeRefusal): Id[] | undefined {
  if (text === undefined) return undefined
  const ids = [...new Set(text.split(',').map((each) => each.trim()))]
  if (ids.every(isId)) return ids.sort()
  throw refusal(name, reason('notIds'))
}

/**
 * The search for these filters among the participants of a scope.
 * @param withArms whether the filters by group also know the concealed arms of blinded randomisations
 */
export const searchOf = (
  trial: Id,
  scope: VisibleScope,
  query: ValueOf<typeof ListFilter> & Pick<ValueOf<typeof ListQuery>, 'sort' | 'sortOrder'>,
  refusal = queryRefusal,
  withArms = false,
): Search => ({
  trial,
  passes: (facets) => passes(query, facets),
  find: {
    term: query.term,
    site: query.site,
    include: idsIn('groupsInclude', query.groupsInclude, refusal),
    orNone: query.groupsInclude !== undefined && query.groupsIncludeNone,
    exclude: idsIn('groupsExclude', query.groupsExclude, refusal),
    withArms,
    scope,
  },
  sort: query.sort ?? 'createdAt',
  descending: query.sortOrder === 'desc',
})
