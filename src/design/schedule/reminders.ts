/**
 * Which reminders and notices of a participant are due, and when the next will be (pure; docs/timelines.md, "Reminders
 * and notices" and "Open, closed, behind schedule").
 */
import type { Id } from '#kernel/id'
import { HOUR, type Instant } from '#kernel/time'
import { zoneOf } from '#kernel/zones'
import { LATEST } from '#outbox/words'
import type { CompiledStage } from './occurrences'
import { cutoffOf, expiryOf, openingsOf, type TimelineInput } from './openings'
import { type CompiledTimeline, hiddenBecause } from './rules'

/** So many hours after the opening, with all the reminders that a stage has for it; or that the cut-off has passed. */
export type Occasion = number | 'behind'

/** What goes out once. */
export type Reminder = { stage: Id; stageRecurrence: number; occasion: Occasion }

/** `until`: from then on it is of no use, as it is too old or its form is closed. */
export type DueReminder = Reminder & { until: Instant }

export type Reminders = {
  due: DueReminder[]
  /** When to look again: the next moment at which one falls due. Null where none will, as things are. */
  nextAt: Instant | null
}

type Sending = {
  /** Whether the trial tells its participants that they are behind schedule. */
  notices: boolean
  /** Whether it went out; asked only of what would go out now. */
  isSent(reminder: Reminder): boolean
}

/**
 * A reminder is due so many hours (real ones, as windows count them) after its occurrence opened, a notice at the cut-off,
 * while the occurrence is shown to the participant, neither completed nor expired. Of several reminders that have fallen due
 * only the last is sent, and everything only within a day: after a pause of the service nobody is sent a heap of them. What
 * was sent is never due again, wherever the opening moves, and what was due before somebody was registered was not for them.
 */
export function nextReminder(
  compiled: CompiledTimeline,
  input: TimelineInput,
  { notices, isSent }: Sending,
): Reminders {
  const { now } = input
  const zone = zoneOf(input.zone)
  const due: DueReminder[] = []
  let nextAt = Infinity
  for (const each of compiled.stages) {
    const isNoticed = notices && mayBeNoticed(each)
    const isSilent = each.stage.adHoc || !(each.reminderHours.length || isNoticed)
    if (isSilent || hiddenBecause(each, input) !== null) continue
    const openings = openingsOf(each, input, zone)
    for (const { n, key } of each.occurrences) {
      const enableAt = input.completions.has(key) ? null : openings(n)
      if (enableAt === null || enableAt >= nextAt) continue // all of it comes later still
      const expiresAt = expiryOf(each, enableAt) ?? Infinity
      if (expiresAt <= now) continue
      const consider = (occasion: Occasion, at: Instant): void => {
        if (at >= expiresAt || at < input.registeredAt) return
        if (at > now) nextAt = Math.min(nextAt, at)
        else if (at > now - LATEST) {
          const reminder = { stage: each.stage._id, stageRecurrence: n, occasion }
          if (!isSent(reminder)) due.push({ ...reminder, until: Math.min(at + LATEST, expiresAt) })
        }
      }
      for (const hour of aroundNow(each, enableAt, now)) consider(hour, enableAt + hour * HOUR)
      const cutoff = isNoticed ? cutoffOf(each, enableAt, zone) : 0
      // Nobody was late for what was over before they were registered.
      if (cutoff > input.registeredAt) consider('behind', cutoff)
    }
  }
  return { due, nextAt: nextAt === Infinity ? null : nextAt }
}

/**
 * Whether anything is left to ask for at a stage's cut-offs: where they are the ends of its windows, it is closed by
 * then.
 */
const mayBeNoticed = ({ stage, cutoffAt, window }: CompiledStage) =>
  !stage.exemptFromBehindStatus && (cutoffAt !== null || window === null)

/** The last reminder hour that has come, and the first that has not. */
function aroundNow({ reminderHours }: CompiledStage, enableAt: Instant, now: Instant): number[] {
  const come = reminderHours.findLastIndex((hour) => enableAt + hour * HOUR <= now)
  return reminderHours.slice(Math.max(0, come), come + 2)
}

/** As many forms as a notice names. */
const MOST_NAMES = 6

/** What a participant is told of forms that are behind schedule: their names, and nothing of what they ask. */
export function waitingText(names: readonly string[]): string {
  const quoted = [...new Set(names)].map((name) => `“${name}”`)
  const more = quoted.length > MOST_NAMES ? quoted.splice(MOST_NAMES - 1).length : 0
  const list = and.format(more ? [...quoted, `${more} more`] : quoted)
  return `${list} ${quoted.length === 1 ? 'is' : 'are'} waiting for your answers.`
}

const and = new Intl.ListFormat('en-GB')
