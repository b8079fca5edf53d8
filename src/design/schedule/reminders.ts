/**
 * Computes which reminders and notices of a participant are due, and when the next will be (docs/timelines.md, "Reminders
 * and notices" and "Open, closed, behind schedule").
 */
import type { Id } from '#kernel/id'
import { HOUR, type Instant } from '#kernel/time'
import { zoneOf } from '#kernel/zones'
import { MESSAGE_LIFETIME } from '#outbox/status'
import type { SendableText, Writer } from '#texts/writer'
import type { CompiledStage } from './occurrences'
import { cutoffOf, expiryOf, openingsOf, type TimelineInput } from './openings'
import { type CompiledTimeline, stageClosedReason } from './rules'

/** The reason for a message: a number of hours after the opening, or that the occurrence is behind schedule. */
type MessageReason = number | 'behind'

/** A message that is sent once. */
export type Reminder = { stage: Id; stageRecurrence: number; occasion: MessageReason }

/** A message to send now. From `until` on it is not sent any more, as it is too old or its form is closed. */
export type DueReminder = Reminder & { until: Instant }

export type Reminders = {
  due: DueReminder[]
  /** The next time at which a message falls due; null if none will, unless something changes. */
  nextAt: Instant | null
}

type DeliveryState = {
  /** Whether the trial notifies participants who are behind schedule. */
  notices: boolean
  /** Whether the message was sent before. Called only for messages that are due now. */
  isSent(reminder: Reminder): boolean
}

/**
 * A reminder is due a number of real hours after its occurrence opened, a notice at the cut-off, as long as the occurrence
 * is visible to the participant and neither completed nor expired. Of several reminders that are due, only the last is
 * sent, and each message only within a day, so that a participant does not get many of them after the service was stopped. A message that
 * was sent is never due again, even if the opening moves; nor is one that was due before the participant was registered.
 */
export function nextReminder(
  compiled: CompiledTimeline,
  input: TimelineInput,
  { notices, isSent }: DeliveryState,
): Reminders {
  const { now } = input
  const zone = zoneOf(input.zone)
  const due: DueReminder[] = []
  let nextAt = Infinity
  for (const each of compiled.stages) {
    const hasNotice = notices && mayHaveNotice(each)
    const hasNoMessages = each.stage.adHoc || !(each.reminderHours.length || hasNotice)
    if (hasNoMessages || stageClosedReason(each, input) !== null) continue
    const openings = openingsOf(each, input, zone)
    for (const { n, key } of each.occurrences) {
      const enableAt = input.completions.has(key) ? null : openings(n)
      if (enableAt === null || enableAt >= nextAt) continue // All its messages are due after `nextAt`.
      const expiresAt = expiryOf(each, enableAt) ?? Infinity
      if (expiresAt <= now) continue
      const addIfDue = (occasion: MessageReason, at: Instant): void => {
        if (at >= expiresAt || at < input.registeredAt) return
        if (at > now) nextAt = Math.min(nextAt, at)
        else if (at > now - MESSAGE_LIFETIME) {
          const reminder = { stage: each.stage._id, stageRecurrence: n, occasion }
          if (!isSent(reminder)) due.push({ ...reminder, until: Math.min(at + MESSAGE_LIFETIME, expiresAt) })
        }
      }
      for (const hour of adjacentReminderHours(each, enableAt, now)) addIfDue(hour, enableAt + hour * HOUR)
      const cutoff = hasNotice ? cutoffOf(each, enableAt, zone) : 0
      // A cut-off before the registration does not count.
      if (cutoff > input.registeredAt) addIfDue('behind', cutoff)
    }
  }
  return { due, nextAt: nextAt === Infinity ? null : nextAt }
}

/**
 * Whether a stage can have notices. If its cut-offs are the ends of its windows, it is closed by then and needs none.
 */
const mayHaveNotice = ({ stage, cutoffAt, window }: CompiledStage) =>
  !stage.exemptFromBehindStatus && (cutoffAt !== null || window === null)

/** The last reminder hour that has passed, and the first that has not, as far as there are such. */
function adjacentReminderHours({ reminderHours }: CompiledStage, enableAt: Instant, now: Instant): number[] {
  const lastPassed = reminderHours.findLastIndex((hour) => enableAt + hour * HOUR <= now)
  return reminderHours.slice(Math.max(0, lastPassed), lastPassed + 2)
}

/** The most forms that a notice names. */
const MOST_NAMES = 6

/** The text of a notice about forms that are behind schedule. It contains their names, but none of their questions. */
export const noticeText = ({ list, writeCounted }: Writer, names: readonly string[]): SendableText =>
  writeCounted('behindSchedule.body', new Set(names).size, { forms: list(names, MOST_NAMES) })
