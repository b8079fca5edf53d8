/** What a participant's timeline is worked out from, as it is stored. Plain SQL, as every submission asks for it. */
import type { Db } from '#db/open'
import type { StageOverride } from '#design/schedule/rules'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export const anchorsOfParticipant = (db: Db, participant: Id): Map<Id, Instant> =>
  new Map(
    db.$client
      .query<{ anchor: Id; datetime: Instant }, [Id]>(
        'SELECT anchor, datetime FROM participantAnchors WHERE participant = ? AND datetime IS NOT NULL',
      )
      .all(participant)
      .map(({ anchor, datetime }) => [anchor, datetime]),
  )

export const setAnchor = (db: Db, participant: Id, anchor: Id, datetime: Instant) =>
  db.$client
    .query(
      `INSERT INTO participantAnchors (participant, anchor, datetime) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET datetime = excluded.datetime`,
    )
    .run(participant, anchor, datetime)

/** Clears the date as staff do, which is remembered; answers whether there was one. */
export const clearAnchor = (db: Db, participant: Id, anchor: Id): boolean =>
  db.$client
    .query(
      'UPDATE participantAnchors SET datetime = NULL WHERE participant = ? AND anchor = ? AND datetime IS NOT NULL',
    )
    .run(participant, anchor).changes > 0

/** Takes the date away as if it had never been. */
export const forgetAnchor = (db: Db, participant: Id, anchor: Id) =>
  db.$client.query('DELETE FROM participantAnchors WHERE participant = ? AND anchor = ?').run(participant, anchor)

/** The anchors that a participant has a date of, or had one that staff cleared. */
export const anchorsTouched = (db: Db, participant: Id): Set<Id> =>
  new Set(
    db.$client
      .query<{ anchor: Id }, [Id]>('SELECT anchor FROM participantAnchors WHERE participant = ?')
      .all(participant)
      .map(({ anchor }) => anchor),
  )

/** First submission of each occurrence, keyed `<stageId>::<n>`. */
export const completionsOf = (db: Db, participant: Id): Map<string, Instant> =>
  new Map(
    db.$client
      .query<{ stage: Id; n: number; at: Instant }, [Id]>(
        'SELECT stage, stageRecurrence AS n, createdAt AS at FROM responses WHERE participant = ?',
      )
      .all(participant)
      .map(({ stage, n, at }) => [`${stage}::${n}`, at]),
  )

type Override = { stage: Id; stageRecurrence: number; enableAt: Instant; applyToAllRecurrences: number }

export const overridesOf = (db: Db, participant: Id): StageOverride[] =>
  db.$client
    .query<Override, [Id]>(
      'SELECT stage, stageRecurrence, enableAt, applyToAllRecurrences FROM stageOverrides WHERE participant = ?',
    )
    .all(participant)
    .map((row) => ({ ...row, applyToAllRecurrences: row.applyToAllRecurrences === 1 }))

/** Keeps an override in the place of one that the occurrence had. */
export const setOverride = (db: Db, participant: Id, override: StageOverride) =>
  db.$client
    .query(
      `INSERT INTO stageOverrides (participant, stage, stageRecurrence, enableAt, applyToAllRecurrences)
       VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET enableAt = excluded.enableAt, applyToAllRecurrences = excluded.applyToAllRecurrences`,
    )
    .run(
      participant,
      override.stage,
      override.stageRecurrence ?? 0,
      override.enableAt,
      override.applyToAllRecurrences ? 1 : 0,
    )

export const clearOverride = (db: Db, participant: Id, stage: Id, n: number) =>
  db.$client
    .query('DELETE FROM stageOverrides WHERE participant = ? AND stage = ? AND stageRecurrence = ?')
    .run(participant, stage, n)

/** A participant, as far as their timeline goes. */
export type Person = { _id: Id; trial: Id; createdAt: Instant; timezone: string | null }

/** A participant whose stored progress is due to be worked out again; `isReminded`: neither archived nor withdrawn. */
export type Due = Person & { joinedAt: Instant | null; isReminded: number }

const DUE = `SELECT _id, trial, createdAt, joinedAt, timezone, isArchived = 0 AND isWithdrawn = 0 AS isReminded
  FROM participants`

/** A participant whose progress has changed, or changes by the time; asked after every write, and nearly always nobody. */
export const nextDue = (db: Db, now: Instant) =>
  db.$client.query<Due, [Instant]>(`${DUE} WHERE progressDueAt <= ? ORDER BY progressDueAt LIMIT 1`).get(now) ??
  undefined

/** A page of a trial's participants, in the order of their `_id`. */
export const participantsAfter = (db: Db, trial: Id, after: Id, limit: number) =>
  db.$client
    .query<Due, [Id, Id, number]>(`${DUE} WHERE trial = ? AND _id > ? ORDER BY _id LIMIT ?`)
    .all(trial, after, limit)

/** What is stored of a participant's progress, and when it is to be looked at again. */
type Stored = { ratio: number; behind: number; progressDueAt: Instant | null; remindersDueAt: Instant | null }

export const saveProgress = (db: Db, participant: Id, { ratio, behind, progressDueAt, remindersDueAt }: Stored) =>
  db.$client
    .query(
      `UPDATE participants SET ratioComplete = ?, stagesBehindSchedule = ?, progressDueAt = ?, remindersDueAt = ?
       WHERE _id = ?`,
    )
    .run(ratio, behind, progressDueAt, remindersDueAt, participant)

/**
 * A trial, as far as the timelines in it go. `isOpen`: neither archived nor its database locked; `isNoticing`: it tells
 * participants that they are behind schedule.
 */
export type TrialRevision = {
  _id: Id
  revision: number
  timezone: string | null
  participantCount: number
  isOpen: number
  isNoticing: number
}

const REVISION = `SELECT _id, revision, timezone, participantCount, isArchived = 0 AND isDatabaseLocked = 0 AS isOpen,
  behindScheduleNotices <> '[]' AS isNoticing FROM trials`

/** The next trial after that one whose configuration changed since its participants' progress was brought up to date. */
export const nextStale = (db: Db, after: Id) =>
  db.$client
    .query<TrialRevision, [Id]>(`${REVISION} WHERE revision <> progressRevision AND _id > ? ORDER BY _id LIMIT 1`)
    .get(after) ?? undefined

/** The trial, where its participants' progress is behind its configuration; asked after nearly every write of staff. */
export const staleAt = (db: Db, trial: Id) =>
  db.$client.query<TrialRevision, [Id]>(`${REVISION} WHERE revision <> progressRevision AND _id = ?`).get(trial) ??
  undefined

/** Whether anybody of the trial is due by a change, not by the time. */
export const isAnyChanged = (db: Db, trial: Id): boolean =>
  db.$client.query('SELECT 1 FROM participants WHERE progressDueAt = 0 AND trial = ? LIMIT 1').get(trial) !== null

/** Takes those from the queue whom a sweep comes to: else every write of anybody would do a share of them first. */
export const leaveToSweep = (db: Db, trial: Id) =>
  db.$client.query('UPDATE participants SET progressDueAt = NULL WHERE progressDueAt = 0 AND trial = ?').run(trial)

/** Has everybody's progress in the trial worked out again, though its configuration is as it was. */
export const markStale = (db: Db, trial: Id) =>
  db.$client.query('UPDATE trials SET progressRevision = -1 WHERE _id = ?').run(trial)

export const markProgress = (db: Db, trial: Id, revision: number) =>
  db.$client.query('UPDATE trials SET progressRevision = ? WHERE _id = ?').run(revision, trial)

export const revisionOf = (db: Db, trial: Id) =>
  db.$client.query<TrialRevision, [Id]>(`${REVISION} WHERE _id = ?`).get(trial) ?? undefined
