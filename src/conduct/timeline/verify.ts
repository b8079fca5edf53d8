/** Whether everybody's stored progress is what their timeline says (docs/decisions.md, "Progress"). */
import { type Db, drizzleOf, type Sqlite } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { progressOf, type TimelineInput } from '#design/schedule/rules'
import { fault } from '#kernel/fault'
import { type Instant, systemClock } from '#kernel/time'
import { remindersDueAt, timelineInput } from './progress'
import { type DueParticipant, participantsAfter, revisionOf, type TrialRevision } from './store'
import { countedTrials, lastActAt, type StoredProgress, storedProgress } from './verifyStore'

const PAGE = 500

/** Later than anything that can happen in a study. */
const END: Instant = Number.MAX_SAFE_INTEGER

/** What differs between stored and computed, in words; undefined where nothing does. */
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
  // What is stored claims to hold until it is due, whatever the time is now.
  const { progressDueAt: until, remindersDueAt: next } = stored
  const progress = progressOf(timeline, at(until === null ? END : until - 1))
  if (progress.ratioComplete !== stored.ratioComplete) {
    return `ratioComplete is ${stored.ratioComplete}, not ${progress.ratioComplete}`
  }
  if (progress.stagesBehindSchedule !== stored.stagesBehindSchedule) {
    return `stagesBehindSchedule is ${stored.stagesBehindSchedule}, not ${progress.stagesBehindSchedule}`
  }
  if (progress.nextChangeAt !== until) return `progressDueAt is ${until}, not ${progress.nextChangeAt}`
  if (next !== null && next <= now) return undefined // will be looked at anew
  const expected = remindersDueAt(db, participant, trial, timeline, at(now))
  return expected === next ? undefined : `remindersDueAt is ${next}, not ${expected}`
}

/** The time by the clock, or of the last act where that is later: a test's clock may be ahead. */
const latest = (sqlite: Sqlite): Instant => Math.max(systemClock.now(), lastActAt(sqlite) ?? 0)

/**
 * Works every participant's timeline out again and compares: what is complete, what is behind, when to look again. What is
 * marked to be brought up to date, or is in a trial whose configuration just changed, is not yet expected to be right.
 * Answers what it looked at. @throws a fault that names the first difference
 */
export function verifyProgress(sqlite: Sqlite, now: Instant = latest(sqlite)): string {
  const db = drizzleOf(sqlite)
  let [looked, waiting] = [0, 0]
  for (const { _id, isStale, count } of countedTrials(sqlite)) {
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
          looked++
        }
      }
      if (page.length < PAGE) break
      after = page.at(-1)!._id
    }
  }
  return `${looked} participants' progress follows from their timelines${waiting ? `; ${waiting} wait to be brought up to date` : ''}`
}
