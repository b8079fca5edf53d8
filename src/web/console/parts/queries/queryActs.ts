/** What a person may do with a query: the rules of `answerQuery` and `updateQuery`, as the API does not say them (pure). */
import { holds, noPlaces } from '#access/caller'
import type { AnswerOf } from '#web/kit/api/operations'
import { may, type Place } from '#web/kit/may'

export type Query = AnswerOf<'readQuery'>

/** `never`: it is not shown; `closed`: it is disabled, as the query is closed. */
export type Act = 'possible' | 'never' | 'closed'

export type QueryActs = {
  reply: Act
  /** A closed query has none: it is opened again instead. */
  close: Act
  reopen: Act
}

const NONE: QueryActs = { reply: 'never', close: 'never', reopen: 'never' }

/**
 * @param user the `_id` of the reader
 * @param place with the sites and groups of the query's participant
 */
export function queryActs(
  query: Pick<Query, 'status' | 'createdBy' | 'assignees'>,
  user: string,
  place: Place,
): QueryActs {
  const { access, places = noPlaces } = place
  if (!access || !may('answerQuery', place)) return NONE
  const isOwn = query.createdBy === user
  // People who only raise queries write in their own.
  if (!isOwn && !holds(access, 'writeParticipantStudyData', places)) return NONE
  if (query.status === 'closed') return { reply: 'closed', close: 'never', reopen: 'possible' }
  const isCloser =
    isOwn || (query.createdBy === null && query.assignees.includes(user)) || holds(access, 'admin', places)
  return { reply: 'possible', close: isCloser ? 'possible' : 'never', reopen: 'never' }
}

/** Whether a query can be raised about a participant of these places. */
export const mayRaise = (place: Place): boolean =>
  may('raiseQuery', place) &&
  place.access !== undefined &&
  holds(place.access, 'raiseQueries', place.places ?? noPlaces)

/** Whose turn it is: who has to answer an open query, or who has to close an answered one. */
export const turnOf = ({ status }: Pick<Query, 'status'>): 'site' | 'raiser' | undefined =>
  status === 'open' ? 'site' : status === 'answered' ? 'raiser' : undefined

const DAY = 86_400_000
/** The age from which a query stands out, in days. */
const OLD = 7

/** Whole days since a query was raised. @param now in milliseconds */
export const daysOpen = ({ createdAt }: Pick<Query, 'createdAt'>, now: number): number =>
  Math.max(0, Math.floor((now - Date.parse(createdAt)) / DAY))

export const isOld = (query: Pick<Query, 'createdAt' | 'status'>, now: number): boolean =>
  query.status !== 'closed' && daysOpen(query, now) >= OLD
