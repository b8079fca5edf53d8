/** The filters of the list of queries in the address (pure). */
import type { QueryOf } from '#web/kit/api/operations'

export const views = ['open', 'answered', 'closed', 'all'] as const
export type View = (typeof views)[number]

export type QueryFilters = {
  view: View
  /** Only those that are assigned to the reader. */
  isMine: boolean
  /** Only those about one participant (`_id`). */
  participant: string | undefined
  page: number
}

type Search = Readonly<Record<string, string | undefined>>

const isView = (text: string | undefined): text is View => views.some((each) => each === text)
const isId = (text: string | undefined): text is string => /^[0-9a-f]{24}$/.test(text ?? '')

/** The filters that an address names; what it does not say, or says wrongly, is as at first. */
export function filtersIn(search: Search): QueryFilters {
  const { view, assignee, participant, page } = search
  const number = Number(page)
  return {
    view: isView(view) ? view : 'open',
    isMine: assignee === 'me',
    participant: isId(participant) ? participant : undefined,
    page: Number.isInteger(number) && number > 0 && number <= 1_000_000 ? number : 1,
  }
}

/** The same as part of an address: what is as at first is left out. */
export const searchOf = ({ view, isMine, participant, page }: QueryFilters): Search => ({
  view: view === 'open' ? undefined : view,
  assignee: isMine ? 'me' : undefined,
  participant,
  page: page === 1 ? undefined : `${page}`,
})

/** What the list asks the server for. @param user the `_id` of the reader */
export const requestOf = (
  { view, isMine, participant, page }: QueryFilters,
  user: string,
): NonNullable<QueryOf<'listQueries'>> => ({
  ...(view === 'all' ? {} : { status: view }),
  ...(isMine ? { assignee: user } : {}),
  ...(participant ? { participant } : {}),
  page,
  perPage: 50,
})
