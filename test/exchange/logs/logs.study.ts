/** A log with entries of every kind. */
import { appendEntry, type EntryContent } from '#audit/append'
import { participantGroups, participantSites, participants } from '#db/tables/index'
import { newId } from '#kernel/id'
import type { World } from '../../harness'

export const at = 1_772_452_800_000_000

/** Adds an entry to the log of a trial, as the pipeline does. */
export function write(w: World, chain: string, act: Partial<EntryContent> = {}) {
  appendEntry(w.db, {
    chain,
    createdAt: at,
    type: 'createGroup',
    userType: 'user',
    user: w.owner._id,
    userEmail: w.owner.email,
    event: {},
    address: '192.0.2.9',
    device: 'Firefox',
    ...act,
  })
}

export function enrol(w: World, trial: string, id: string, at_: { site?: string; group?: string } = {}) {
  const _id = newId(at)
  w.db.insert(participants).values({ _id, createdAt: at, trial, id, idSort: id }).run()
  if (at_.site) w.db.insert(participantSites).values({ participant: _id, site: at_.site }).run()
  if (at_.group) w.db.insert(participantGroups).values({ participant: _id, group: at_.group }).run()
  return _id
}
