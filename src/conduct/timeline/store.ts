/** What a participant's timeline is worked out from, as it is stored. Plain SQL, as every submission asks for it. */
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

/** Clears the date as staff do, which is remembered; returns whether there was one. */
export function clearAnchor(db: Db, participant: Id, anchor: Id): boolean {
  const set = rowWhere(db, participantAnchors, { participant, anchor })
  if (set?.datetime == null) return false
  return updateWhere(db, participantAnchors, { participant, anchor }, { datetime: null }) > 0
}

/** Takes the date away as if it had never been. */
export const forgetAnchor = (db: Db, participant: Id, anchor: Id) =>
  deleteWhere(db, participantAnchors, { participant, anchor })

/** The anchors that a participant has a date of, or had one that staff cleared. */
export const anchorsTouched = (db: Db, participant: Id): Set<Id> =>
  new Set(rowsWhere(db, participantAnchors, { participant }).map(({ anchor }) => anchor))

/** First submission of each occurrence, keyed `<stageId>::<n>`. */
export const completionsOf = (db: Db, participant: Id): Map<string, Instant> =>
  new Map(
    db.$client
      .query<{ stage: Id; n: number; at: Instant }, [{ participant: Id }]>(
        'SELECT stage, stageRecurrence AS n, createdAt AS at FROM responses WHERE participant = $participant',
      )
      .all({ participant })
      .map(({ stage, n, at }) => [`${stage}::${n}`, at]),
  )

export const overridesOf = (db: Db, participant: Id): StageOverride[] =>
  rowsWhere(db, stageOverrides, { participant }).map(({ participant: _, ...override }) => override)

/** Keeps an override in the place of one that the occurrence had. */
export function setOverride(db: Db, participant: Id, override: StageOverride): void {
  const row = { ...override, participant, stageRecurrence: override.stageRecurrence ?? 0 }
  put(db, stageOverrides, row, 'participant', 'stage', 'stageRecurrence')
}

export const clearOverride = (db: Db, participant: Id, stage: Id, n: number) =>
  deleteWhere(db, stageOverrides, { participant, stage, stageRecurrence: n })

/** A participant, as far as their timeline goes. */
export type Person = { _id: Id; trial: Id; createdAt: Instant; timezone: string | null }

/** A participant whose stored progress is due to be worked out again; `isReminded`: neither archived nor withdrawn. */
export type Due = Person & { joinedAt: Instant | null; isReminded: number }

const DUE = `SELECT _id, trial, createdAt, joinedAt, timezone, isArchived = 0 AND isWithdrawn = 0 AS isReminded
  FROM participants`

/** A participant whose progress has changed, or changes by the time; asked after every write, and nearly always nobody. */
export const nextDue = (db: Db, now: Instant) =>
  db.$client
    .query<Due, [{ now: Instant }]>(`${DUE} WHERE progressDueAt <= $now ORDER BY progressDueAt LIMIT 1`)
    .get({ now }) ?? undefined

/** A page of a trial's participants, in the order of their `_id`. */
export const participantsAfter = (db: Db, trial: Id, after: Id, limit: number) =>
  db.$client
    .query<Due, [{ trial: Id; after: Id; limit: number }]>(
      `${DUE} WHERE trial = $trial AND _id > $after ORDER BY _id LIMIT $limit`,
    )
    .all({ trial, after, limit })

/** What is stored of a participant's progress, and when it is to be looked at again. */
type Stored = { ratio: number; behind: number; progressDueAt: Instant | null; remindersDueAt: Instant | null }

// By itself and only where it changes: every index of the participants' list begins with what is made from it.
const BEHIND = `UPDATE participants SET stagesBehindSchedule = $behind
  WHERE _id = $_id AND stagesBehindSchedule <> $behind`

export function saveProgress(db: Db, _id: Id, { ratio, behind, progressDueAt, remindersDueAt }: Stored): void {
  updateWhere(db, participants, { _id }, { ratioComplete: ratio, progressDueAt, remindersDueAt })
  db.$client.query<unknown, [{ _id: Id; behind: number }]>(BEHIND).run({ _id, behind })
}

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
    .query<TrialRevision, [{ after: Id }]>(
      `${REVISION} WHERE revision <> progressRevision AND _id > $after ORDER BY _id LIMIT 1`,
    )
    .get({ after }) ?? undefined

/** The trial, where its participants' progress is behind its configuration; asked after nearly every write of staff. */
export const staleAt = (db: Db, trial: Id) =>
  db.$client
    .query<TrialRevision, [{ trial: Id }]>(`${REVISION} WHERE revision <> progressRevision AND _id = $trial`)
    .get({ trial }) ?? undefined

/** Whether anybody of the trial is due by a change, not by the time. */
export const isAnyChanged = (db: Db, trial: Id): boolean =>
  rowWhere(db, participants, { progressDueAt: 0, trial }) !== undefined

/** Takes those from the queue whom a sweep comes to: else every write of anybody would do a share of them first. */
export const leaveToSweep = (db: Db, trial: Id) =>
  updateWhere(db, participants, { progressDueAt: 0, trial }, { progressDueAt: null })

/** Has everybody's progress in the trial worked out again, though its configuration is as it was. */
export const markStale = (db: Db, trial: Id) => updateWhere(db, trials, { _id: trial }, { progressRevision: -1 })

export const markProgress = (db: Db, trial: Id, revision: number) =>
  updateWhere(db, trials, { _id: trial }, { progressRevision: revision })

export const revisionOf = (db: Db, trial: Id) =>
  db.$client.query<TrialRevision, [{ trial: Id }]>(`${REVISION} WHERE _id = $trial`).get({ trial }) ?? undefined
