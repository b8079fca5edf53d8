/** Progress as it is stored. */
import type { Sqlite } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type StoredProgress = {
  ratioComplete: number
  stagesBehindSchedule: number
  progressDueAt: Instant | null
  remindersDueAt: Instant | null
}

export const storedProgress = (sqlite: Sqlite, participant: Id): StoredProgress =>
  sqlite
    .query<StoredProgress, [{ participant: Id }]>(
      `SELECT ratioComplete, stagesBehindSchedule, progressDueAt, remindersDueAt FROM participants
       WHERE _id = $participant`,
    )
    .get({ participant })!

/** The time of the last audit entry of the whole service; null if there is none. */
export const lastActAt = (sqlite: Sqlite): Instant | null =>
  sqlite.query<{ at: Instant }, []>('SELECT createdAt AS at FROM auditEntries ORDER BY _id DESC LIMIT 1').get()?.at ??
  null

type TrialCount = { _id: Id; isStale: number; count: number }

/** Every trial with its number of participants. `isStale`: the configuration changed after their progress was saved. */
export const trialCounts = (sqlite: Sqlite): TrialCount[] =>
  sqlite
    .query<TrialCount, []>('SELECT _id, revision <> progressRevision AS isStale, participantCount AS count FROM trials')
    .all()
