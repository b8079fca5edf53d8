/** The stored data from which timelines are computed. Plain SQL, as every submission reads them. */
import type { Db } from '#db/open'
import { deleteWhere, put, rowsWhere, rowWhere, updateWhere } from '#db/rows'
import { participantAnchors, participants, stageOverrides, trials } from '#db/tables/index'
import type { StageOverride } from '#design/schedule/rules'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export const anchorsOfParticipant = (db: Db, participant: Id): Map<Id, Instant> =>
  new Map(
    rowsWhere(db, participantAnchors, { participant }).flatMap(({ anchor, datetime }): [Id, Instant][] =>
      datetime === null ? [] : [[anchor, datetime]],
    ),
  )

export const setAnchor = (db: Db, participant: Id, anchor: Id, datetime: Instant) =>
  put(db, participantAnchors, { participant, anchor, datetime }, 'participant', 'anchor')

/** Clears the date as staff do: the row stays, so that no milestone sets it again. Returns whether there was a date. */
export function clearAnchor(db: Db, participant: Id, anchor: Id): boolean {
  const set = rowWhere(db, participantAnchors, { participant, anchor })
  if (set?.datetime == null) return false
  return updateWhere(db, participantAnchors, { participant, anchor }, { datetime: null }) > 0
}

/** Deletes the date, so that a milestone can set it again. */
export const deleteAnchorDate = (db: Db, participant: Id, anchor: Id) =>
  deleteWhere(db, participantAnchors, { participant, anchor })

/** The anchors that have a date for the participant, or had one that staff cleared. */
export const anchorsSetOrCleared = (db: Db, participant: Id): Set<Id> =>
  new Set(rowsWhere(db, participantAnchors, { participant }).map(({ anchor }) => anchor))

/** The time of the first submission of each occurrence, by `<stageId>::<n>`. */
export const completionsOf = (db: Db, participant: Id): Map<string, Instant> =>
  new Map(
    db.$client
      .query<{ stage: Id; n: number; at: Instant }, [{ participant: Id }]>(
        'SELECT stage, stageRecurrence AS n, createdAt AS at FROM responses WHERE participant = $participant',
      )
      .all({ participant })
      .map(({ stage, n, at }) => [`${stage}::${n}`, at]),
  )

export const overridesOf = (db: Db, participant: Id) =>
  rowsWhere(db, stageOverrides, { participant }).map(({ participant: _, ...override }) => override)

/** Saves an override; it replaces the one that the occurrence has. */
export function setOverride(db: Db, participant: Id, override: StageOverride): void {
  const row = { ...override, participant, stageRecurrence: override.stageRecurrence ?? 0 }
  put(db, stageOverrides, row, 'participant', 'stage', 'stageRecurrence')
}

export const clearOverride = (db: Db, participant: Id, stage: Id, n: number) =>
  deleteWhere(db, stageOverrides, { participant, stage, stageRecurrence: n })

/** The fields of a participant from which the timeline is computed. */
export type TimelineParticipant = { _id: Id; trial: Id; createdAt: Instant; timezone: string | null }

/** A participant whose progress is to be recalculated. `isReminded`: neither archived nor withdrawn. */
export type DueParticipant = TimelineParticipant & { joinedAt: Instant | null; isReminded: number }

const DUE = `SELECT _id, trial, createdAt, joinedAt, timezone, isArchived = 0 AND isWithdrawn = 0 AS isReminded
  FROM participants`

/** The participant who is due longest; undefined if nobody is. Every write runs this query, and nearly always nobody is due. */
export const nextDueParticipant = (db: Db, now: Instant) =>
  db.$client
    .query<DueParticipant, [{ now: Instant }]>(`${DUE} WHERE progressDueAt <= $now ORDER BY progressDueAt LIMIT 1`)
    .get({ now }) ?? undefined

/**
 * A page of a trial's participants, in the order of their `_id`. It is read by that key: by the indexes of the trial, SQLite would
 * read and sort the whole trial for each page.
 */
export const participantsAfter = (db: Db, trial: Id, after: Id, limit: number) =>
  db.$client
    .query<DueParticipant, [{ trial: Id; after: Id; limit: number }]>(
      `${DUE} WHERE +trial = $trial AND _id > $after ORDER BY _id LIMIT $limit`,
    )
    .all({ trial, after, limit })

/** The stored progress of a participant, and when to recalculate it. */
type Stored = { ratio: number; behind: number; progressDueAt: Instant | null; remindersDueAt: Instant | null }

// A statement of its own, and only if the value changes, as every index of the participants' list contains it (in `facets`).
const BEHIND = `UPDATE participants SET stagesBehindSchedule = $behind
  WHERE _id = $_id AND stagesBehindSchedule <> $behind`

export function saveProgress(db: Db, _id: Id, { ratio, behind, progressDueAt, remindersDueAt }: Stored): void {
  updateWhere(db, participants, { _id }, { ratioComplete: ratio, progressDueAt, remindersDueAt })
  db.$client.query<unknown, [{ _id: Id; behind: number }]>(BEHIND).run({ _id, behind })
}

/**
 * The fields of a trial from which timelines are computed. `isOpen`: neither archived nor with a locked database.
 * `sendsNotices`: participants who are behind schedule get notices.
 */
export type TrialRevision = {
  _id: Id
  revision: number
  timezone: string | null
  participantCount: number
  isOpen: number
  sendsNotices: number
}

const REVISION = `SELECT _id, revision, timezone, participantCount, isArchived = 0 AND isDatabaseLocked = 0 AS isOpen,
  behindScheduleNotices <> '[]' AS sendsNotices FROM trials`

/** The next trial, by `_id`, whose configuration changed since its participants' progress was calculated. */
export const nextOutdatedTrial = (db: Db, after: Id) =>
  db.$client
    .query<TrialRevision, [{ after: Id }]>(
      `${REVISION} WHERE revision <> progressRevision AND _id > $after ORDER BY _id LIMIT 1`,
    )
    .get({ after }) ?? undefined

/** The trial, if its progress is older than its configuration; else undefined. Nearly every write of staff runs this query. */
export const outdatedTrial = (db: Db, trial: Id) =>
  db.$client
    .query<TrialRevision, [{ trial: Id }]>(`${REVISION} WHERE revision <> progressRevision AND _id = $trial`)
    .get({ trial }) ?? undefined

/** Whether anybody in the trial is due because data changed, not because time passed. */
export const hasChangedParticipants = (db: Db, trial: Id): boolean =>
  rowWhere(db, participants, { progressDueAt: 0, trial }) !== undefined

/**
 * Clears the due marks of a trial that is recalculated in the background: otherwise every write would recalculate some of
 * them.
 */
export const clearChangeMarks = (db: Db, trial: Id) =>
  updateWhere(db, participants, { progressDueAt: 0, trial }, { progressDueAt: null })

/** Marks the whole trial for recalculation, though its configuration did not change. */
export const markOutdated = (db: Db, trial: Id) => updateWhere(db, trials, { _id: trial }, { progressRevision: -1 })

export const saveProgressRevision = (db: Db, trial: Id, revision: number) =>
  updateWhere(db, trials, { _id: trial }, { progressRevision: revision })

export const revisionOf = (db: Db, trial: Id) =>
  db.$client.query<TrialRevision, [{ trial: Id }]>(`${REVISION} WHERE _id = $trial`).get({ trial }) ?? undefined
