/** The list of participants that an address means, and where somebody was in it. */
import { signal } from '@preact/signals'
import { act, read } from '#web/console/data/request'
import { type PageOf, usePages } from '#web/console/data/usePages'
import type { Sort } from '#web/console/parts/parts'
import type { AnswerOf, QueryOf } from '#web/kit/api/operations'
import type { Answer } from '#web/kit/api/send'
import { type Filter, listQuery } from './filters'

export type Participant = AnswerOf<'readParticipant'>
type ListQuery = NonNullable<QueryOf<'listParticipants'>>
type SortName = NonNullable<ListQuery['sort']>

/** How many rows a page of the server has. */
const PER_PAGE = 80

const sorts: readonly SortName[] = ['id', 'ratioComplete', 'hasUnreadMessages', 'lastSeenAt', 'createdAt']
const usual: Sort = { by: 'id', order: 'asc' }

/** The order that an address names, such as `-lastSeenAt`. */
export function sortOf(query: URLSearchParams): Sort {
  const [, minus, name] = /^(-?)(\w+)$/.exec(query.get('sort') ?? '') ?? []
  const by = sorts.find((each) => each === name)
  return by ? { by, order: minus ? 'desc' : 'asc' } : usual
}

/** How an address names an order; undefined for the usual one. */
export const sortText = ({ by, order }: Sort): string | undefined =>
  by === usual.by && order === usual.order ? undefined : `${order === 'desc' ? '-' : ''}${by}`

/** What was typed to find an ID, by study. An ID may be telling: it does not stand in the address. */
export const terms = signal<ReadonlyMap<string, string>>(new Map())

/** The row where the person was, by list: they come back to it. */
export const positions = new Map<string, number>()

export type ListOf = { study: string; filters: readonly Filter[]; sort: Sort; term: string }

const queryFor = ({ filters, sort, term }: ListOf): ListQuery => ({
  ...listQuery(filters),
  sort: sort.by as SortName,
  sortOrder: sort.order,
  ...(term ? { term } : {}),
})

export const keyOf = (list: ListOf): string => JSON.stringify([list.study, queryFor(list)])

/** The rows of the list in view. */
export const useParticipants = (list: ListOf) =>
  usePages(keyOf(list), PER_PAGE, async (page, signal): Promise<Answer<PageOf<Participant>>> => {
    const query = { ...queryFor(list), page: page + 1, format: 'json' } as const
    const answer = await read('listParticipants', '/trials/:trialId/participants', [list.study], query, signal)
    return answer.isDone ? { isDone: true, body: { rows: answer.body.participants, total: answer.body.total } } : answer
  })

/** The whole list as CSV. The server logs it. */
export const exportList = (list: ListOf) =>
  read('listParticipants', '/trials/:trialId/participants', [list.study], { ...queryFor(list), format: 'csv' } as const)

export const register = (study: string, participantId: string, group: string | undefined) =>
  act('registerParticipants', 'POST', '/trials/:trialId/participants', [study], {
    participantId,
    ...(group ? { group } : {}),
  })
