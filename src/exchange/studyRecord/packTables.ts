/** The tables of a study record about packs and their custody. They name participants who are archived, too: accounts must be whole. */
import type { Access } from '#access/caller'
import type { Db } from '#db/open'
import { sitesOf } from '#design/sites/store'
import type { Id } from '#kernel/id'
import { findPacks, type PackSearch } from '#office/packs/listStore'
import { searchOf } from '#office/packs/page'
import { packSheet } from '#office/packs/records/sheets'
import { eventsByPack, participantIdsOf, userNamesOf } from '#office/packs/records/store'
import { packsById } from '#office/packs/store'
import { eventViews } from '#office/packs/view'
import type { Cell, Sheet } from '#writers/cell'
import { sheet } from '#writers/cell'

const STEP = 500

const EVENTS = [
  ...['pack', 'name', 'type', 'state', 'occurredAt', 'createdAt', 'createdBy', 'site', 'fromSite', 'participantId'],
  ...['reason', 'units', 'lowestTemperature', 'highestTemperature', 'minutes', '_id'],
]

/** The events of these packs, in the order of `EVENTS`. */
function* eventRows(db: Db, access: Access, ids: readonly Id[], sites: ReadonlyMap<Id, string>): Generator<Cell[]> {
  const names = new Map(packsById(db, ids).map(({ _id, name }) => [_id, name]))
  const events = eventViews(db, access, [...eventsByPack(db, ids).values()].flat())
  const people = userNamesOf(db, [...new Set(events.map(({ createdBy }) => createdBy))])
  const participants = participantIdsOf(db, [...new Set(events.flatMap(({ participant }) => participant ?? []))])
  const siteOf = (site: Id | null) => (site === null ? null : (sites.get(site) ?? site))
  for (const event of events) {
    const { pack, type, state, occurredAt, createdAt, createdBy, site, fromSite, participant, _id } = event
    yield [
      ...[pack, names.get(pack), type, state, { at: occurredAt }, { at: createdAt }, people.get(createdBy)],
      ...[siteOf(site), siteOf(fromSite), participant ? participants.get(participant) : null, event.reason],
      ...[event.units, event.lowestTemperature, event.highestTemperature, event.minutes, _id],
    ]
  }
}

function* allEventRows(db: Db, access: Access, search: PackSearch): Generator<Cell[]> {
  const sites = new Map(sitesOf(db, search.trial, 'all').map(({ _id, id }) => [_id, id]))
  for (let after: readonly string[] | undefined; ; ) {
    const found = findPacks(db, search, STEP, after)
    const ids = found.map(({ _id }) => _id)
    yield* eventRows(db, access, ids, sites)
    if (found.length < STEP) return
    after = found.at(-1)!.place
  }
}

/** The packs of a trial and their events, oldest pack first, read in steps while they are written; nothing if there is no pack. */
export function packTables(db: Db, trial: Id, access: Access): Sheet[] {
  const search = searchOf(db, trial, access, {})
  if (!findPacks(db, search, 1).length) return []
  return [packSheet(db, access, search), sheet('pack-events', EVENTS, allEventRows(db, access, search))]
}
