/** Reads for the study record what people noted and planned, row by row: of the participants that `keepParticipants` kept. */
import type { Db } from '#db/open'
import { KEPT } from '#exchange/exports/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

type Value = string | number | null
export type ConductRow = Readonly<Record<string, Value>>

const EMAIL = (user: string) => `(SELECT email FROM users WHERE _id = ${user})`
const OF_KEPT = (table: string) => `${KEPT} k CROSS JOIN ${table} x ON x.participant = k.participant`

/** The tables by name: the columns of each query are those of the table. What is a moment ends with `At`. */
export const conductQueries = {
  notes: `SELECT k.participantId, x._id, x.createdAt, x.updatedAt, ${EMAIL('x.createdBy')} AS createdBy, x.inRelationToDate, x.note
    FROM ${OF_KEPT('notes')} WHERE x.trial = +$trial AND x.createdAt <= +$until ORDER BY k.participant, x._id`,
  appointments: `SELECT k.participantId, x._id, x.createdAt, x.updatedAt, ${EMAIL('x.createdBy')} AS createdBy, x.isMeeting, x.title,
      x.description, x.startsAt, x.duration, x.cancelledAt
    FROM ${OF_KEPT('appointments')} WHERE x.trial = +$trial AND x.createdAt <= +$until ORDER BY k.participant, x._id`,
  anchors: `SELECT k.participantId, a.name AS anchor, x.datetime AS anchoredAt
    FROM ${OF_KEPT('participantAnchors')} JOIN anchors a ON a._id = x.anchor WHERE a.trial = +$trial AND +$until > 0 ORDER BY k.participant, a._id`,
  'stage-overrides': `SELECT k.participantId, s.name AS stage, x.stageRecurrence, x.enableAt AS opensAt, x.applyToAllRecurrences
    FROM ${OF_KEPT('stageOverrides')} JOIN stages s ON s._id = x.stage WHERE s.trial = +$trial AND +$until > 0
    ORDER BY k.participant, s._id, x.stageRecurrence`,
  unblindings: `SELECT k.participantId, x._id, x.createdAt, ${EMAIL('x.user')} AS user, x.reason
    FROM ${OF_KEPT('unblindings')} WHERE x.trial = +$trial AND x.createdAt <= +$until ORDER BY k.participant, x._id`,
  tasks: `SELECT x._id, x.createdAt, ${EMAIL('x.createdBy')} AS createdBy, l.name AS lane, k.participantId, x.title, x.description, x.status,
      (SELECT group_concat(u.email, '; ') FROM json_each(x.assignees) e JOIN users u ON u._id = e.value) AS assignees,
      x.dueDate AS dueAt, x.completedAt
    FROM tasks x LEFT JOIN taskLanes l ON l._id = x.taskLane LEFT JOIN ${KEPT} k ON k.participant = x.participant
    WHERE x.trial = +$trial AND x.createdAt <= +$until AND (x.participant IS NULL OR k.participant IS NOT NULL) ORDER BY x._id`,
  resources: `SELECT _id, createdAt, "index", type, title, description, linkUrl, youtubeUrl, html, originalName, mimeType, size, storedName, translations
    FROM participantResources WHERE trial = +$trial AND createdAt <= +$until ORDER BY "index", _id`,
  people: `SELECT u.email, u.name, 'permissions' AS holds, x.scope, x.keys AS permissions
    FROM permissions x JOIN users u ON u._id = x.user WHERE x.trial = +$trial AND +$until > 0
    UNION ALL SELECT u.email, u.name, 'unblinding permissions', x.scope, x.keys
    FROM unblindingGrants x JOIN users u ON u._id = x.user WHERE x.trial = +$trial
    UNION ALL SELECT u.email, u.name, 'role: ' || r.name, NULL, r.permissions
    FROM roles r JOIN userRoles x ON x.role = r._id JOIN users u ON u._id = x.user WHERE r.trial = +$trial
    UNION ALL SELECT u.email, u.name, 'team', NULL, m.permissions
    FROM trials t JOIN teamMembers m ON m.team = t.team AND m.isDisabled = 0 JOIN users u ON u._id = m.user
    WHERE t._id = +$trial AND (instr(m.permissions, '"team.admin"') OR instr(m.permissions, '"trials.manage"'))
    ORDER BY 1, 3, 4`,
} as const

export type ConductTable = keyof typeof conductQueries

/** The names of the columns of a table. */
export const conductColumns = (db: Db, name: ConductTable): string[] =>
  db.$client.query(conductQueries[name]).columnNames

/** The rows of a table, of a trial, that there were at a moment. */
export const conductRows = (db: Db, name: ConductTable, filter: { trial: Id; until: Instant }): Iterable<ConductRow> =>
  db.$client.query<ConductRow, [{ trial: Id; until: Instant }]>(conductQueries[name]).iterate(filter)
