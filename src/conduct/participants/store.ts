import type { Db } from '#db/open'
import type { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { sortId } from './rules'

export type ParticipantRow = typeof participants.$inferSelect

/** A participant as staff see it, with everything personal; the pipeline leaves out what the caller may not see. */
export const staffView = (row: ParticipantRow, places: { sites: readonly Id[]; groups: readonly Id[] }) => ({
  ...row,
  groups: [...places.groups],
  sites: [...places.sites],
  progress: { ratioComplete: row.ratioComplete, stagesBehindSchedule: row.stagesBehindSchedule },
  passwordSet: row.passwordHash !== null,
  pushAvailable: row.pushToken !== null,
  emailAvailable: row.email !== null,
  smsAvailable: row.phone !== null,
  whatsappAvailable: row.whatsapp !== null,
})

type Stored = Record<string, unknown>
const BOOLEANS = ['isUnallocated', 'isArchived', 'isWithdrawn'] as const

/** A row as SQLite gives it, with its booleans. */
function asParticipant(stored: Stored): ParticipantRow {
  for (const field of BOOLEANS) stored[field] = stored[field] === 1
  return stored as ParticipantRow
}

/** Participants by `_id`, as staff see them, in the order of the list; one that is gone is left out. */
export function viewsOf(db: Db, ids: readonly Id[]): ReturnType<typeof staffView>[] {
  const { $client: sqlite } = db
  const wanted = JSON.stringify(ids)
  const rows = sqlite
    .query<Stored, [string]>('SELECT * FROM participants WHERE _id IN (SELECT value FROM json_each(?))')
    .all(wanted)
  const views = new Map(rows.map((row) => [row._id as Id, staffView(asParticipant(row), { sites: [], groups: [] })]))
  const sites = sqlite
    .query<{ participant: Id; site: Id }, [string]>(
      'SELECT participant, site FROM participantSites WHERE participant IN (SELECT value FROM json_each(?))',
    )
    .all(wanted)
  for (const { participant, site } of sites) views.get(participant)?.sites.push(site)
  const groups = sqlite
    .query<{ participant: Id; group: Id }, [string]>(
      'SELECT participant, "group" FROM participantGroups WHERE participant IN (SELECT value FROM json_each(?))',
    )
    .all(wanted)
  for (const { participant, group } of groups) views.get(participant)?.groups.push(group)
  return ids.flatMap((_id) => views.get(_id) ?? [])
}

export type NewParticipant = {
  _id: Id
  createdAt: Instant
  trial: Id
  id: string
  passwordHash: string | null
  isUnallocated: boolean
}

/** Writes a participant down; `idSort` follows from its ID. */
export function insertParticipant(db: Db, { id, ...participant }: NewParticipant): void {
  db.$client
    .query(
      `INSERT INTO participants (_id, createdAt, trial, id, idSort, passwordHash, isUnallocated)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      participant._id,
      participant.createdAt,
      participant.trial,
      id,
      sortId(id),
      participant.passwordHash,
      participant.isUnallocated ? 1 : 0,
    )
}

/** The participant with that ID in the trial, whatever the case; undefined where it is free. */
export function participantByName(db: Db, trial: Id, id: string): ParticipantRow | undefined {
  const row = db.$client
    .query<Stored, [Id, string]>('SELECT * FROM participants WHERE trial = ? AND idSort = ?')
    .get(trial, sortId(id))
  return row ? asParticipant(row) : undefined
}

/** How many more participants the team may register; null where nothing limits it. */
export function roomInTeam(db: Db, team: Id): number | null {
  const row = db.$client
    .query<{ participantLimit: number | null; participantCount: number }, [Id]>(
      'SELECT participantLimit, participantCount FROM teams WHERE _id = ?',
    )
    .get(team)
  return row?.participantLimit == null ? null : row.participantLimit - row.participantCount
}

/** Which of these are not groups (or sites) of the trial. */
export const strangers = (db: Db, table: 'groups' | 'sites', trial: Id, ids: readonly Id[]): Id[] => {
  const query = db.$client.query<{ trial: Id }, [Id]>(`SELECT trial FROM ${table} WHERE _id = ?`)
  return [...new Set(ids)].filter((id) => query.get(id)?.trial !== trial)
}

/**
 * Ends every token and sign-in grant of a participant: after a new password, or on archiving (docs/participants.md,
 * "Sign-in").
 */
export function endSignIns(db: Db, participant: Id): void {
  db.$client.query('DELETE FROM participantTokens WHERE participant = ?').run(participant)
  db.$client.query('DELETE FROM grants WHERE participant = ?').run(participant)
}
