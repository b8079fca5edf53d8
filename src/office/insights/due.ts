/** The forms that a participant has been asked for, and what became of each (pure). */
import { cutoffOf, openingsOf } from '#design/schedule/openings'
import { type CompiledTimeline, stageClosedReason, type TimelineInput } from '#design/schedule/rules'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { zoneOf } from '#kernel/zones'

/**
 * `onTime` and `late`: completed before the form was behind schedule, or after. `missed`: not completed and behind schedule, even if it
 * can still be filled in. `open`: not completed, and not behind yet.
 */
export type DueState = 'onTime' | 'late' | 'missed' | 'open'

/** An occurrence that has opened. */
export type DueForm = {
  stage: Id
  stageRecurrence: number
  openedAt: Instant
  completedAt: Instant | null
  /** Null if the stage is exempt from being behind schedule. */
  state: DueState | null
}

function stateOf(completedAt: Instant | null, cutoff: Instant, now: Instant): DueState {
  if (completedAt !== null) return completedAt <= cutoff ? 'onTime' : 'late'
  return cutoff <= now ? 'missed' : 'open'
}

/** Every timepoint that has opened for the participant, by opening. Ad hoc stages and polls have none. */
export function dueForms({ stages }: CompiledTimeline, input: TimelineInput): DueForm[] {
  const zone = zoneOf(input.zone)
  const forms: DueForm[] = []
  for (const compiled of stages) {
    const { stage, occurrences } = compiled
    if (stage.adHoc || stageClosedReason(compiled, input) !== null) continue
    const openings = openingsOf(compiled, input, zone)
    for (const { n, key } of occurrences) {
      const openedAt = openings(n)
      if (openedAt === null || openedAt > input.now) continue
      const completedAt = input.completions.get(key) ?? null
      const cutoff = cutoffOf(compiled, openedAt, zone)
      const state = stage.exemptFromBehindStatus ? null : stateOf(completedAt, cutoff, input.now)
      forms.push({ stage: stage._id, stageRecurrence: n, openedAt, completedAt, state })
    }
  }
  return forms.sort((a, b) => a.openedAt - b.openedAt)
}
