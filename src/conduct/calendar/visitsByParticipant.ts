/** Finds the occurrences of a stage in the runs of one participant after the other. */
import { type OccurrenceRun, openingIn } from '#design/schedule/runs'
import type { Id } from '#kernel/id'
import { HOUR } from '#kernel/time'
import { zoneOf } from '#kernel/zones'
import type { TimeRange } from './days'
import { runsAmong } from './runStore'
import { clockRangeIn, type Occurrence, type OccurrencePart, type ScheduledStage, type VisitQuery } from './visits'

/** More than the clocks of any zone differ from UTC. */
const MAX_ZONE_OFFSET = 15 * HOUR
/** Participants whose runs are read at once. */
const CHUNK = 50

type ParticipantRun = OccurrenceRun & { participant: Id }

/** The occurrences of a run that open in a range. */
function occurrencesIn(run: ParticipantRun, step: number, { from, to }: TimeRange): Occurrence[] {
  const { lo, hi } = clockRangeIn(run.zone, { from, to })
  const first = step ? Math.max(run.first, Math.ceil((lo - run.origin) / step)) : run.first
  const last = step ? Math.min(run.last, Math.floor((hi - run.origin) / step)) : run.last
  const found: Occurrence[] = []
  for (let n = first; n <= last; n++) {
    const opensAt = openingIn(run, n, step, zoneOf(run.zone))
    if (opensAt >= from && opensAt < to) found.push({ participant: run.participant, n, opensAt })
  }
  return found
}

/**
 * The part of a stage, in the order of the participants. Only as many runs are read as are needed to find the
 * occurrences that are asked for. @param ids sorted
 */
export function partByParticipant(
  { db }: VisitQuery,
  { stage, step, delay }: ScheduledStage,
  ids: readonly Id[],
  window: TimeRange,
): OccurrencePart {
  const range = { lo: window.from - delay - MAX_ZONE_OFFSET, hi: window.to - delay + MAX_ZONE_OFFSET }
  const chunks: ParticipantRun[][] = []
  const runsIn = (chunk: number): ParticipantRun[] =>
    (chunks[chunk] ??= runsAmong(db, ids.slice(chunk * CHUNK, (chunk + 1) * CHUNK), { stage, step, ...range }))
  return {
    key: '',
    visitOccurrences(range, from, _, visit) {
      let place = from
      const start = ids.findIndex((_id) => _id >= from.participant)
      if (start < 0) return undefined
      for (let chunk = Math.floor(start / CHUNK); chunk * CHUNK < ids.length; chunk++) {
        for (const run of runsIn(chunk)) {
          const isPassed = run.participant < from.participant
          if (isPassed) continue
          for (const occurrence of occurrencesIn(run, step, range)) {
            if (run.participant === from.participant && occurrence.n <= from.n) continue
            if (!visit(occurrence)) return place
            place = { n: occurrence.n, origin: 0, participant: run.participant, first: 0 }
          }
        }
      }
      return undefined
    },
  }
}
