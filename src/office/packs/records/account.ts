/** The accountability log of packs: the balance of each place and type, and what became of each pack there. */

import { concealedFrom } from '#access/armConcealmentStore'
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import { sitesOf } from '#design/sites/store'
import type { Id } from '#kernel/id'
import type { PackEventRow } from '#office/packs/events/store'
import { findPacks } from '#office/packs/listStore'
import { searchOf, typesFor } from '#office/packs/page'
import { packScopeOf } from '#office/packs/scope'
import type { PackRow } from '#office/packs/store'
import { packsById } from '#office/packs/store'
import { type CallerView, eventViews, packViews } from '#office/packs/view'
import { armFinder } from './arms'
import type { Balance, Line } from './model'
import {
  arrivalsAt,
  departuresFrom,
  eventsByPack,
  packsEverAt,
  participantIdsOf,
  statesAt,
  unitsReturnedTo,
  userNamesOf,
} from './store'

/** What a log is about. `site` is undefined for all places, null for trial level. */
export type AccountFilter = { trial: Id; site?: Id | null | undefined; packType?: Id | undefined }

/** The places that the caller may see: an account that is limited to sites sees these, and nothing at trial level. */
function placesFor(db: Db, access: Access, { trial, site }: AccountFilter): (Id | null)[] {
  const scope = packScopeOf(access)
  const seen = sitesOf(db, trial, scope).map(({ _id }) => _id)
  const all: (Id | null)[] = scope === 'all' ? [...seen, null] : seen
  return site === undefined ? all : all.filter((each) => each === site)
}

const ZERO = {
  ...{ received: 0, movedIn: 0, movedOut: 0, unitsReturned: 0 },
  ...{ inStock: 0, quarantined: 0, dispensed: 0, returned: 0, lost: 0, damaged: 0, destroyed: 0 },
}

/** The balance of each type that a place has or had. What came and went is counted from the events, what is there from the packs. */
function balancesAt(db: Db, site: Id | null, types: readonly Id[]): Balance[] {
  const byType = new Map(types.map((packType) => [packType, { ...ZERO }]))
  const place = { site, types }
  for (const { packType, state, count } of statesAt(db, place)) byType.get(packType)![state] = count
  for (const { packType, type, count } of arrivalsAt(db, place))
    byType.get(packType)![type === 'received' ? 'received' : 'movedIn'] = count
  for (const { packType, units } of unitsReturnedTo(db, place)) byType.get(packType)!.unitsReturned = units ?? 0
  for (const { packType, count } of departuresFrom(db, place)) byType.get(packType)!.movedOut = count
  return [...byType].flatMap(([packType, counts]) => {
    const { received, movedIn, movedOut, unitsReturned: _, ...states } = counts
    const stock = Object.values(states).reduce((sum, count) => sum + count, 0)
    if (!received && !movedIn && !stock) return []
    return [{ site, packType, ...counts, difference: received + movedIn - movedOut - stock }]
  })
}

/** The balances of all places that the filter and the caller's permissions leave. */
export function balancesFor(db: Db, access: Access, filter: AccountFilter): Balance[] {
  const types = typesFor(db, filter.trial, access, filter.packType)
  const concealed = concealedFrom(db, filter.trial, access)
  return placesFor(db, access, filter).flatMap((site) => {
    const [hidden = [], open = []] = [true, false].map((isHidden) =>
      types.filter((type) => concealed.has(type) === isHidden),
    )
    return [...balancesAt(db, site, open), ...sumBalances(balancesAt(db, site, hidden))]
  })
}

/** The balances of concealed types as one without a type: the counts of each would tell how many participants each arm has. */
function sumBalances([first, ...others]: readonly Balance[]): Balance[] {
  if (!first) return []
  const { packType: _, site, ...counts } = first
  const sums = Object.entries(counts).map(([name, count]) => [
    name,
    others.reduce((sum, other) => sum + other[name as keyof typeof counts], count),
  ])
  return [{ site, ...(Object.fromEntries(sums) as typeof counts) }]
}

/** The `_id`s of packs of the log after one of them. Of one place: all that are or were there. */
export function packIdsFor(db: Db, access: Access, filter: AccountFilter, limit: number, after?: Id): Id[] {
  const { trial, site, packType } = filter
  if (site === undefined) {
    const search = searchOf(db, trial, access, packType === undefined ? {} : { packType })
    return findPacks(db, search, limit, after === undefined ? undefined : [after]).map(({ _id }) => _id)
  }
  if (!placesFor(db, access, filter).length) return []
  return packsEverAt(db, { site, types: typesFor(db, trial, access, packType) }, limit, after)
}

type EventView = CallerView<PackEventRow>
type Names = {
  users: ReadonlyMap<Id, string>
  participants: ReadonlyMap<Id, string>
  armOf: ReturnType<typeof armFinder>
}

/** What became of a pack, or of a place only what became of it there: what it did elsewhere is not of that log. */
function lineOf(
  pack: CallerView<PackRow>,
  events: readonly EventView[],
  site: Id | null | undefined,
  names: Names,
): Line {
  const isHere = (place: Id | null) => site === undefined || place === site
  const localEvents = events.filter((event) => isHere(event.site) || (event.type === 'moved' && isHere(event.fromSite)))
  const first = localEvents.find(({ site }) => isHere(site))
  const last = (type: PackEventRow['type']) =>
    localEvents.findLast((event) => event.type === type && isHere(event.site))
  const by = (event: EventView | undefined) => (event ? (names.users.get(event.createdBy) ?? null) : null)
  /** The last event of a type that no later event of the other type took back. */
  const validEvent = (type: PackEventRow['type'], undoing: PackEventRow['type']) => {
    const [event, undone] = [last(type), last(undoing)]
    return event && undone && undone._id > event._id ? undefined : event
  }
  const [dispensed, lost] = [validEvent('dispensed', 'unassigned'), validEvent('lost', 'found')]
  const [returned, destroyed] = [last('returned'), last('destroyed')]
  const isAway = !isHere(pack.assignedToSite)
  const departure = localEvents.findLast((event) => event.type === 'moved' && isHere(event.fromSite))
  const seen = !dispensed ? null : dispensed.participant === undefined ? undefined : dispensed.participant
  return {
    ...{ pack: pack._id, name: pack.name, batchNumber: pack.batchNumber },
    ...(pack.packType === undefined ? {} : { packType: pack.packType }),
    ...{ expiryDate: pack.expiryDate, site: site === undefined ? pack.assignedToSite : site },
    state: isAway ? 'moved' : pack.state,
    ...{ receivedAt: first?.occurredAt ?? null, receivedBy: by(first) },
    movedAt: (site === undefined || isAway) && departure ? departure.occurredAt : null,
    ...{ dispensedAt: dispensed?.occurredAt ?? null, dispensedBy: by(dispensed) },
    ...(seen === undefined ? {} : { participantId: seen === null ? null : (names.participants.get(seen) ?? null) }),
    ...(seen && pack.packType !== undefined ? names.armOf(seen, pack.packType) : {}),
    ...{ returnedAt: returned?.occurredAt ?? null, returnedBy: by(returned), unitsReturned: returned?.units ?? null },
    excursions: localEvents.filter((event) => event.type === 'temperatureExcursion' && isHere(event.site)).length,
    ...{ lostAt: lost?.occurredAt ?? null, damagedAt: last('damaged')?.occurredAt ?? null },
    ...{ destroyedAt: destroyed?.occurredAt ?? null, destroyedBy: by(destroyed) },
  }
}

/** The lines of these packs, in the same order. */
export function linesOf(db: Db, access: Access, ids: readonly Id[], site: Id | null | undefined): Line[] {
  const rows = packsById(db, ids)
  const [first] = rows
  if (!first) return []
  const packs = packViews(db, access, rows)
  const stored = eventsByPack(db, ids)
  const events = eventViews(db, access, [...stored.values()].flat())
  const byPack = Map.groupBy(events, ({ pack }) => pack)
  const participants = [...new Set(events.flatMap(({ participant }) => participant ?? []))]
  const names = {
    users: userNamesOf(db, [...new Set(events.map(({ createdBy }) => createdBy))]),
    participants: participantIdsOf(db, participants),
    armOf: armFinder(db, first.trial, access, participants),
  }
  return packs.map((pack) => lineOf(pack, byPack.get(pack._id) ?? [], site, names))
}

const STEP = 500

/** All lines of a log, read in steps while they are written. */
export function* allLines(db: Db, access: Access, filter: AccountFilter): Generator<Line> {
  for (let after: Id | undefined; ; ) {
    const ids = packIdsFor(db, access, filter, STEP, after)
    yield* linesOf(db, access, ids, filter.site)
    if (ids.length < STEP) return
    after = ids.at(-1)
  }
}
