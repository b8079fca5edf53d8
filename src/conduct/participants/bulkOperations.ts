/** Changes many participants in one request: all of them or none. */

import { armsVisibleTo, concealedGroupsOf } from '#access/armConcealmentStore'
import { type Access, holds, type Places } from '#access/caller'
import type { Key } from '#access/keys'
import type { Db } from '#db/open'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { list, shape, type ValueOf, id as wireId } from '#wire/schema'
import { auditNoteOf } from './auditNote'
import { mayReplaceMemberships, membershipsAfter, placesOf, replaceMemberships } from './memberships'
import { type BulkChange, BulkChanges } from './model'
import { type ParticipantScope, participantVisibleTo } from './scope'
import { endSignIns, idsOutsideTrial } from './store'
import { changeParticipant } from './updateStore'

type Change = ValueOf<typeof BulkChange>

/** The permissions that a change needs and the caller lacks where the participant belongs. */
function missingPermissions(
  access: Access,
  { groups, sites, isArchived, isWithdrawn }: Change,
  places: Places,
): string[] {
  const checks: [unknown, Key, boolean][] = [
    [groups, 'tagParticipants', mayReplaceMemberships(access, 'group', places)],
    [sites, 'writeSites', mayReplaceMemberships(access, 'site', places)],
    [isArchived, 'archiveParticipants', holds(access, 'archiveParticipants', places)],
    [isWithdrawn, 'withdrawParticipants', holds(access, 'withdrawParticipants', places)],
  ]
  return checks.flatMap(([field, key, may]) => (field !== undefined && !may ? [`trial.${key}`] : []))
}

/** Makes one of the changes. Returns the note for its audit entry. */
function applyChange(db: Db, { participant: before, places, access }: ParticipantScope, update: Change) {
  const { groups, sites, isArchived, isWithdrawn } = update
  const after = changeParticipant(db, before._id, { isArchived, isWithdrawn })
  if (after.isArchived && !before.isArchived) endSignIns(db, before._id)
  if (groups)
    replaceMemberships(db, 'group', before._id, places.groups, membershipsAfter(access, 'group', places, groups))
  if (sites) replaceMemberships(db, 'site', before._id, places.sites, membershipsAfter(access, 'site', places, sites))
  const note = auditNoteOf(before, after)
  if (!groups && !sites) return note
  return { ...note, event: { ...note.event, places: { before: places, after: placesOf(db, before._id) } } }
}

/** The change without the concealed arms of the participant: callers who may see these send them back as they read them. */
function withoutConcealedArms(db: Db, access: Access, update: Change): Change {
  if (!update.groups?.length || !armsVisibleTo(access)) return update
  const arms = new Set(concealedGroupsOf(db, [update.participant]).map(({ group }) => group))
  return arms.size ? { ...update, groups: update.groups.filter((group) => !arms.has(group)) } : update
}

/** Refuses (400) sites or groups that are not in the trial. */
function requireSameTrial(db: Db, trial: Id, updates: readonly Change[]): void {
  const unknown = (kind: 'sites' | 'groups') =>
    idsOutsideTrial(db, kind, trial, [...new Set(updates.flatMap((update) => update[kind] ?? []))])
  const sites = unknown('sites')
  if (sites.length) throw refuse.bad('noSuchSites', { sites }, { sites })
  const groups = unknown('groups')
  if (groups.length) throw refuse.bad('noSuchGroups', { groups }, { groups })
}

const editParticipants = operation({
  id: 'updateParticipants',
  method: 'PATCH',
  path: '/trials/:trialId/participants',
  summary: 'Change many participants: groups, sites, archived, withdrawn',
  description:
    'Each field needs its own permission for each participant. If one permission is missing, nothing is changed.',
  scope: trial,
  needs: [
    anywhere('trial.tagParticipants'),
    anywhere('trial.archiveParticipants'),
    anywhere('trial.withdrawParticipants'),
    anywhere('trial.writeSites'),
  ],
  changes: 'data',
  logs: 'updateParticipant',
  body: BulkChanges,
  maxBodyBytes: 4 << 20,
  returns: shape('UpdatedParticipants', { updated: list(shape('UpdatedParticipant', { participant: wireId() })) }),
  run: ({ db, trial, access, body, record }) => {
    const updates = body.updates.map((update) => withoutConcealedArms(db, access, update))
    const ids = updates.map((update) => update.participant)
    const known = ids.map((each) => participantVisibleTo({ db }, { trial, access }, each))
    const missing = new Set(known.flatMap(({ places }, index) => missingPermissions(access, updates[index]!, places)))
    if (missing.size) throw refuse.missingPermission([...missing])
    if (new Set(ids).size < ids.length) throw refuse.bad('participantTwice')
    requireSameTrial(db, trial._id, updates)
    for (const [index, each] of known.entries()) {
      record({ type: 'updateParticipant', ...applyChange(db, each, updates[index]!) })
    }
    return { updated: ids.map((participant) => ({ participant })) }
  },
})

export const bulkOperations = [editParticipants] as const
