/** Which reminders of a participant are due, and when the next will be (pure; specification "Stage", `reminders`). */
import type { Id } from '../../kernel/id'
import { DAY, HOUR, type Instant } from '../../kernel/time'
import type { CompiledStage } from './occurrences'
import { expiryOf, openingsOf, type TimelineInput } from './openings'
import { type CompiledTimeline, hiddenBecause } from './rules'
import { zoneOf } from './zones'

/** A reminder that falls due later than this before now (the service was off) is no longer sent. */
export const LATEST = DAY

/** All the reminders that a stage has for one hour: they go out together, once for each occurrence. */
export type DueReminder = { stage: Id; stageRecurrence: number; hour: number }

/** How reminders that went out are named. */
export const reminderKey = (stage: Id, n: number, hour: number): string => `${stage}::${n} ${hour}`

export type Reminders = {
  due: DueReminder[]
  /** When to look again: the next moment at which one falls due. Null where none will, as things are. */
  nextAt: Instant | null
}

/**
 * A reminder is due so many hours (real ones, as windows count them) after its occurrence opened, while that is shown to the
 * participant, neither completed nor expired. Of several that have fallen due only the last is sent, and only within a day:
 * after a pause of the service nobody is sent a heap of them. What was sent is never due again, wherever the opening moves.
 * @param sent the keys (`reminderKey`) of those that went out
 */
export function nextReminder(compiled: CompiledTimeline, input: TimelineInput, sent: ReadonlySet<string>): Reminders {
  const zone = zoneOf(input.zone)
  const due: DueReminder[] = []
  let nextAt = Infinity
  for (const each of compiled.stages) {
    if (!each.reminderHours.length || each.stage.adHoc || hiddenBecause(each, input) !== null) continue
    const openings = openingsOf(each, input, zone)
    for (const { n, key } of each.occurrences) {
      const enableAt = input.completions.has(key) ? null : openings(n)
      if (enableAt === null) continue
      const { hour, next } = hoursAt(each, enableAt, input.now)
      if (next < nextAt && next < (expiryOf(each, enableAt) ?? Infinity)) nextAt = next
      if (hour === undefined || !isTimely(each, enableAt, hour, input.now)) continue
      if (!sent.has(reminderKey(each.stage._id, n, hour))) due.push({ stage: each.stage._id, stageRecurrence: n, hour })
    }
  }
  return { due, nextAt: nextAt === Infinity ? null : nextAt }
}

/** The last hour that has come, and the moment of the first that has not. */
function hoursAt({ reminderHours }: CompiledStage, enableAt: Instant, now: Instant) {
  let hour: number | undefined
  for (const each of reminderHours) {
    const at = enableAt + each * HOUR
    if (at > now) return { hour, next: at }
    hour = each
  }
  return { hour, next: Infinity }
}

/** Whether a reminder that has fallen due still is of use: not too late, and the occurrence was and is open for it. */
function isTimely(stage: CompiledStage, enableAt: Instant, hour: number, now: Instant): boolean {
  const at = enableAt + hour * HOUR
  const expiresAt = expiryOf(stage, enableAt) ?? Infinity
  return at > now - LATEST && at < expiresAt && now < expiresAt
}
