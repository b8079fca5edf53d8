/** Checks the stored progress of all participants against their timelines (docs/decisions.md, "Progress"). */
import { type Db, drizzled, type Sqlite } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { progressOf, type TimelineInput } from '#design/schedule/rules'
import { fault } from '#kernel/fault'
import { type Instant, systemClock } from '#kernel/time'
import { remindersDueAt, timelineInput } from './progress'
import { type Due, participantsAfter, revisionOf, type TrialRevision } from './store'

type Stored = {
  ratioComplete: number
  stagesBehindSchedule: number
  progressDueAt: Instant | null
  remindersDueAt: Instant | null
}

const PAGE = 500
const STORED =
  'SELECT ratioComplete, stagesBehindSchedule, progressDueAt, remindersDueAt FROM participants WHERE _id = ?'

/** Later than anything that can happen in a study. */
const END: Instant = Number.MAX_SAFE_INTEGER

/** The first difference between stored and computed progress, in words; undefined if there is none. */
function difference(db: Db, trial: TrialRevision, participant: Due, stored: Stored, now: Instant): string | undefined {
  const { timeline } = configuration(db, trial)
  const input = timelineInput(db, participant, trial, now)
  const at = (now: Instant): TimelineInput => ({ ...input, now })
  // The stored values must hold until they are due, whatever the time is now.
  const { progressDueAt: until, remindersDueAt: next } = stored
  const progress = progressOf(timeline, at(until === null ? END : until - 1))
  if (progress.ratioComplete !== stored.ratioComplete) {
    return `ratioComplete is ${stored.ratioComplete}, not ${progress.ratioComplete}`
  }
  if (progress.stagesBehindSchedule !== stored.stagesBehindSchedule) {
    return `stagesBehindSchedule is ${stored.stagesBehindSchedule}, not ${progress.stagesBehindSchedule}`
  }
  if (progress.nextChangeAt !== until) return `progressDueAt is ${until}, not ${progress.nextChangeAt}`
  if (next !== null && next <= now) return undefined // It is due, and will be recalculated.
  const expected = remindersDueAt(db, participant, trial, timeline, at(now))
  return expected === next ? undefined : `remindersDueAt is ${next}, not ${expected}`
}

/** The time of the clock, or of the last audit entry if that is later: the clock of a test may be ahead. */
function latest(sqlite: Sqlite): Instant {
  const last = sqlite
    .query<{ at: Instant }, []>('SELECT createdAt AS at FROM auditEntries ORDER BY _id DESC LIMIT 1')
    .get()
  return Math.max(systemClock.now(), last?.at ?? 0)
}

/**
 * Recalculates the progress of every participant and compares it with the stored one: completed, behind, and when to
 * recalculate. Participants who are marked for recalculation, and trials whose configuration just changed, are skipped.
 * Returns a summary. @throws a fault that names the first difference
 */
export function verifyProgress(sqlite: Sqlite, now: Instant = latest(sqlite)): string {
  const db = drizzled(sqlite)
  let [looked, waiting] = [0, 0]
  const trials = sqlite
    .query<{ _id: string; isStale: number; count: number }, []>(
      'SELECT _id, revision <> progressRevision AS isStale, participantCount AS count FROM trials',
    )
    .all()
  for (const { _id, isStale, count } of trials) {
    if (isStale) {
      waiting += count
      continue
    }
    const trial = revisionOf(db, _id)!
    for (let after = ''; ; ) {
      const page = participantsAfter(db, _id, after, PAGE)
      for (const participant of page) {
        const stored = sqlite.query<Stored, [string]>(STORED).get(participant._id)!
        if (stored.progressDueAt === 0) waiting++
        else {
          const problem = difference(db, trial, participant, stored, now)
          if (problem) throw fault(`participant ${participant._id}: ${problem}`)
          looked++
        }
      }
      if (page.length < PAGE) break
      after = page.at(-1)!._id
    }
  }
  return `${looked} participants' progress follows from their timelines${waiting ? `; ${waiting} wait to be brought up to date` : ''}`
}
