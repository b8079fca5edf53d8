/** The participants whom a search finds. */
import { type Access, holds, scopeOf, type VisibleScope, visibleScopeOf } from '#access/caller'
import type { Key } from '#access/keys'
import { isVisibleTo, placesOf } from '#conduct/participants/memberships'
import { type ParticipantRow, participantById, participantByParticipantId } from '#conduct/participants/store'
import type { Db } from '#db/open'
import type { TrialScope } from '#design/trials/scope'
import type { RequestContext } from '#http/operation'
import { type Id, isId } from '#kernel/id'
import { identifiersIn, idsIn } from './base'
import { participantPage } from './pages'

export type Context = Pick<RequestContext, 'db' | 'now' | 'services' | 'origin'> & TrialScope

/** The participants whom a reader finds: those whom they see, and on whom they have the permission. */
export const scopesOf = (access: Access, key: Key): VisibleScope[] => [visibleScopeOf(access), scopeOf(access, [key])]

/** A participant of the trial on whom the caller has the permission; undefined for any other. */
export function visibleParticipant({ db, trial, access }: Context, _id: string, key: Key): ParticipantRow | undefined {
  const row = isId(_id) ? participantById(db, _id) : undefined
  if (row?.trial !== trial._id) return undefined
  const places = placesOf(db, _id)
  return isVisibleTo(access, places) && holds(access, key, places) ? row : undefined
}

export const splitIds = (ids: string): string[] =>
  [...new Set(ids.split(',').map((each) => each.trim()))].toSorted().slice(0, 200)

type ParticipantSearch = { _id?: string; identifier?: string; _after?: string; _count?: number }

/** The `_id`s of the participants with one of these identifiers. */
const withIdentifier = (db: Db, trial: Id, identifier: string): Id[] =>
  identifiersIn(trial, 'participant-id', identifier).flatMap(
    (id) => participantByParticipantId(db, trial, id)?._id ?? [],
  )

/** The participants whom a search names; undefined if it names none and so asks for all. */
function namedParticipants(context: Context, query: ParticipantSearch, references: readonly (string | undefined)[]) {
  const { _id, identifier } = query
  const { db, trial } = context
  const idLists = [
    ...(_id === undefined ? [] : [splitIds(_id)]),
    ...references.flatMap((each) => (each === undefined ? [] : [idsIn(trial._id, 'Patient', each)])),
    ...(identifier === undefined ? [] : [withIdentifier(db, trial._id, identifier)]),
  ].map((ids) => [...new Set(ids)].toSorted())
  const [first, ...others] = idLists
  return first
    ?.filter((each) => others.every((other) => other.includes(each)))
    .flatMap((each) => visibleParticipant(context, each, 'readParticipants') ?? [])
}

/** A page of the participants whom a search finds. */
export function searchParticipants(
  context: Context,
  query: ParticipantSearch,
  references: readonly (string | undefined)[] = [],
) {
  const { _after = '', _count = 50 } = query
  const own = namedParticipants(context, query, references)?.filter(({ _id }) => _id > _after)
  if (!own)
    return participantPage(context.db, context.trial._id, _after, scopesOf(context.access, 'readParticipants'), _count)
  return { rows: own.slice(0, _count), next: own.length > _count ? own[_count - 1]!._id : undefined }
}
