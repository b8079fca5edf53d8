/** Checks that the stored progress of every participant follows from their timeline (docs/decisions.md, "Progress"). */
import { type Db, drizzleOf, type Sqlite } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { progressOf, type TimelineInput } from '#design/schedule/rules'
import { digestOf, type OccurrenceRun } from '#design/schedule/runs'
import { fault } from '#kernel/fault'
import { type Instant, systemClock } from '#kernel/time'
import { overdueOf } from './overdueStore'
import { currentRuns, remindersDueAt, timelineInput } from './progress'
import { storedRuns } from './runStore'
import { type DueParticipant, participantsAfter, revisionOf, type TrialRevision } from './store'
import { lastActAt, type StoredProgress, storedProgress, trialCounts } from './verifyStore'

const PAGE = 500

/** Later than anything that can happen in a study. */
const END: Instant = Number.MAX_SAFE_INTEGER

/** The first difference between stored and computed progress, as text; undefined if there is none. */
function difference(
  db: Db,
  trial: TrialRevision,
  participant: DueParticipant,
  stored: StoredProgress,
  now: Instant,
): string | undefined {
  const { timeline } = configuration(db, trial)
  const input = timelineInput(db, participant, trial, now)
  const at = (now: Instant): TimelineInput => ({ ...input, now })
  // Stored progress must be right until it is due, whatever the time is now.
  const { progressDueAt: until, remindersDueAt: next } = stored
  const progress = progressOf(timeline, at(until === null ? END : until - 1))
  const isDue = until !== null && until <= now
  if (!isDue) {
    // Nothing changes before `until`: otherwise it was computed with a time later than the clock.
    const { ratioComplete, stagesBehindSchedule } = progressOf(timeline, input)
    if (ratioComplete !== stored.ratioComplete || stagesBehindSchedule !== stored.stagesBehindSchedule)
      return `${stored.stagesBehindSchedule} stages are behind schedule, not ${stagesBehindSchedule}, as at a later time`
  }
  if (progress.ratioComplete !== stored.ratioComplete) {
    return `ratioComplete is ${stored.ratioComplete}, not ${progress.ratioComplete}`
  }
  if (progress.stagesBehindSchedule !== stored.stagesBehindSchedule) {
    return `stagesBehindSchedule is ${stored.stagesBehindSchedule}, not ${progress.stagesBehindSchedule}`
  }
  const overdue = progress.overdue.toSorted((a, b) => (a.stage < b.stage ? -1 : 1))
  if (!Bun.deepEquals(overdueOf(db, participant._id), overdue)) return 'the overdue forms are not those of the timeline'
  if (progress.nextChangeAt !== until) return `progressDueAt is ${until}, not ${progress.nextChangeAt}`
  const expectedRuns = currentRuns(participant, timeline, input)
  const order = ({ stage, first }: OccurrenceRun) => `${stage} ${String(first).padStart(5, '0')}`
  const runs = expectedRuns.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
  if (!Bun.deepEquals(storedRuns(db, participant._id), runs)) return 'the stored openings are not those of the timeline'
  if (digestOf(expectedRuns) !== participant.scheduleDigest) return 'the digest of the stored openings is not theirs'
  if (next !== null && next <= now) return undefined // the background task computes it again
  const expected = remindersDueAt(db, participant, trial, timeline, at(now))
  return expected === next ? undefined : `remindersDueAt is ${next}, not ${expected}`
}

/** The time by the clock, or of the last audit entry if that is later: the clock of a test server may be ahead. */
const latestTime = (sqlite: Sqlite): Instant => Math.max(systemClock.now(), lastActAt(sqlite) ?? 0)

/**
 * Computes every participant's timeline and compares it with what is stored: what is complete, what is behind schedule, and when
 * it changes next. Participants who are marked for recalculation, or whose trial has just got another configuration, are only
 * counted. Returns a summary. @throws a fault that names the first difference
 */
export function verifyProgress(sqlite: Sqlite, now: Instant = latestTime(sqlite)): string {
  const db = drizzleOf(sqlite)
  let [checked, waiting] = [0, 0]
  for (const { _id, isStale, count } of trialCounts(sqlite)) {
    if (isStale) {
      waiting += count
      continue
    }
    const trial = revisionOf(db, _id)!
    for (let after = ''; ; ) {
      const page = participantsAfter(db, _id, after, PAGE)
      for (const participant of page) {
        const stored = storedProgress(sqlite, participant._id)
        if (stored.progressDueAt === 0) waiting++
        else {
          const problem = difference(db, trial, participant, stored, now)
          if (problem) throw fault(`participant ${participant._id}: ${problem}`)
          checked++
        }
      }
      if (page.length < PAGE) break
      after = page.at(-1)!._id
    }
  }
  return `${checked} participants' progress follows from their timelines${waiting ? `; ${waiting} wait to be brought up to date` : ''}`
}
