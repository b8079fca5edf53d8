import { concealedCondition, concealedGroupsOf } from '#access/armConcealmentStore'
import type { Places } from '#access/caller'
import type { Db } from '#db/open'
import { isBeingDeleted } from '#db/pendingDeletions'
import { deleteWhere, insert, rowById, rowsFrom, rowWhere } from '#db/rows'
import {
  calendarLinks,
  grants,
  participantGroups,
  participantSites,
  participants,
  participantTokens,
  teams,
} from '#db/tables/index'
import { type Id, newSecret } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { sortId } from './rules'

export type ParticipantRow = typeof participants.$inferSelect

/** The fields that hold personal information. */
export const personalFields = ['name', 'dob', 'email', 'phone', 'whatsapp'] as const

/** A participant with all personal information, as staff see it. The pipeline removes what the caller may not see. */
export const staffView = (row: ParticipantRow, places: { sites: readonly Id[]; groups: readonly Id[] }) => ({
  ...row,
  groups: [...places.groups],
  sites: [...places.sites],
  progress: { ratioComplete: row.ratioComplete, stagesBehindSchedule: row.stagesBehindSchedule },
  hasUnreadMessages: row.unreadCount > 0,
  passwordSet: row.passwordHash !== null,
  pushAvailable: row.pushToken !== null,
  emailAvailable: row.email !== null,
  smsAvailable: row.phone !== null,
  whatsappAvailable: row.whatsapp !== null,
})

/** One participant, as staff see them. @param withArms also the groups that are concealed arms */
export function participantView(db: Db, row: ParticipantRow, { sites, groups }: Places, withArms: boolean) {
  const arms = withArms ? concealedGroupsOf(db, [row._id]).map(({ group }) => group) : []
  return staffView(row, { sites, groups: [...groups, ...arms] })
}

const AMONG = 'IN (SELECT value FROM json_each($ids))'

/**
 * These participants, as staff see them, in the order of `ids`. Missing ones are left out.
 * @param withArms also the groups that are concealed arms
 */
export function participantViews(db: Db, ids: readonly Id[], withArms = false): ReturnType<typeof staffView>[] {
  const wanted = { ids: JSON.stringify(ids) }
  const rows = rowsFrom(db, participants, `WHERE _id ${AMONG}`, wanted)
  const views = new Map(rows.map((row) => [row._id, staffView(row, { sites: [], groups: [] })]))
  for (const { participant, site } of rowsFrom(db, participantSites, `WHERE participant ${AMONG}`, wanted))
    views.get(participant)?.sites.push(site)
  for (const { participant, group } of rowsFrom(db, participantGroups, `WHERE participant ${AMONG}`, wanted))
    views.get(participant)?.groups.push(group)
  if (withArms)
    for (const { participant, group } of concealedGroupsOf(db, ids)) views.get(participant)?.groups.push(group)
  return ids.flatMap((_id) => views.get(_id) ?? [])
}

type NewParticipant = {
  _id: Id
  createdAt: Instant
  trial: Id
  id: string
  passwordHash: string | null
  isUnallocated: boolean
  language: string | null
}

/** Inserts a participant; computes `idSort` from the ID. */
export function insertParticipant(db: Db, participant: NewParticipant): void {
  insert(db, participants, { ...participant, idSort: sortId(participant.id), salt: newSecret() })
}

/** The participant with this `_id`; undefined also if a request deleted them, and the step that does it is still to come. */
export const participantById = (db: Db, _id: Id): ParticipantRow | undefined =>
  rowsFrom(db, participants, `WHERE _id = +$_id AND NOT ${isBeingDeleted('+$_id')}`, { _id })[0]

/** The participant of the trial with this ID, ignoring case; undefined if there is none. */
export const participantByParticipantId = (db: Db, trial: Id, id: string): ParticipantRow | undefined =>
  rowWhere(db, participants, { trial, idSort: sortId(id) })

/** How many more participants the team may register; null if there is no limit. */
export function remainingPlaces(db: Db, team: Id): number | null {
  const { participantLimit = null, participantCount = 0 } = rowById(db, teams, team) ?? {}
  return participantLimit === null ? null : participantLimit - participantCount
}

const OPEN = { groups: ` AND NOT ${concealedCondition('group', 'groups._id')}`, sites: '' }

/** The `_id`s that are not groups (or sites) of the trial. Groups that are concealed arms count as unknown to everybody. */
export const idsOutsideTrial = (db: Db, table: 'groups' | 'sites', trial: Id, ids: readonly Id[]): Id[] => {
  const query = db.$client.query<{ trial: Id }, [{ id: Id }]>(
    `SELECT trial FROM ${table} WHERE _id = $id${OPEN[table]}`,
  )
  return [...new Set(ids)].filter((id) => query.get({ id })?.trial !== trial)
}

/**
 * Deletes all tokens, sign-in grants and calendar links of a participant: after a new password, or on archiving
 * (docs/participants.md, "Sign-in").
 */
export function endSignIns(db: Db, participant: Id): void {
  deleteWhere(db, participantTokens, { participant })
  deleteWhere(db, grants, { participant })
  deleteWhere(db, calendarLinks, { participant })
}
