/** The participants' list: pages of 80, and the whole list as CSV. */
import { type Access, holdsAnywhere, scopeOf } from '#access/caller'
import type { Db } from '#db/open'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { isId } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { byQuery, type Of } from '#wire/words'
import { csvStream } from './csv'
import { pageOf, type Search } from './listStore'
import { ListQuery, ParticipantCsv, ParticipantPage } from './model'
import { passes } from './rules'
import { viewsOf } from './store'

export const PAGE = 80

/** The `_id`s in a comma-separated query parameter, sorted. @throws 422 if it is not such a list */
function idsIn(name: string, text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  const ids = [...new Set(text.split(',').map((each) => each.trim()))]
  if (ids.every(isId)) return ids.sort()
  throw refuse.invalid({ [name]: ['Must be _ids of 24 hexadecimal characters with commas between them.'] }, 'query')
}

/** The search for a query, limited to the participants that the caller may read. */
const searchOf = (trial: string, access: Access, query: Of<typeof ListQuery>): Search => ({
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

/** One page of the list with the total. */
function page(db: Db, search: Search, number: number) {
  const offset = (number - 1) * PAGE
  const { ids, total } = pageOf(db, search, offset, PAGE)
  return {
    participants: viewsOf(db, ids),
    total,
    nextPageAvailable: offset + PAGE < total,
    prevPageAvailable: number > 1 && total > 0,
  }
}

const listParticipants = operation({
  id: 'listParticipants',
  method: 'GET',
  path: '/trials/:trialId/participants',
  summary: 'List, search and filter the participants of a trial',
  description:
    '80 participants a page. `format=csv` returns the whole filtered list as `{csv}`, which is logged as an export.',
  scope: trial,
  needs: anywhere('trial.readParticipants'),
  logs: ({ format }) => (format === 'csv' ? 'exportParticipants' : undefined),
  query: ListQuery,
  returns: byQuery('format', ParticipantPage, { csv: ParticipantCsv }),
  streams: true,
  run: ({ db, trial, access, query, record }) => {
    const search = searchOf(trial._id, access, query)
    if (query.format !== 'csv') return page(db, search, query.page ?? 1)
    const { page: _, format, ...filters } = query
    record({ event: { format, filters } })
    const key = 'readParticipantPersonalInformation'
    return csvStream(db, search, holdsAnywhere(access, key) ? scopeOf(access, [key]) : undefined)
  },
})

export const participantListOperations = [listParticipants] as const
