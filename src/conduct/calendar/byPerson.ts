/** Finds the occurrences of a stage in the runs of one participant after the other. */
import { openingIn, type Run } from '#design/schedule/runs'
import type { Id } from '#kernel/id'
import { HOUR } from '#kernel/time'
import { zoneOf } from '#kernel/zones'
import type { Range } from './days'
import { runsAmong } from './runStore'
import { type Occurrence, type Part, type Reading, type ReadStage, readingsIn } from './visits'

/** More than the clocks of any zone differ from UTC. */
const FURTHEST = 15 * HOUR
/** Participants whose runs are read at once. */
const CHUNK = 50

type OwnRun = Run & { participant: Id }

/** The occurrences of a run that open in a range. */
function occurrencesIn(run: OwnRun, step: number, { from, to }: Range): Occurrence[] {
  const { lo, hi } = readingsIn(run.zone, { from, to })
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
export function partByPerson(
  { db }: Reading,
  { stage, step, delay }: ReadStage,
  ids: readonly Id[],
  window: Range,
): Part {
  const range = { lo: window.from - delay - FURTHEST, hi: window.to - delay + FURTHEST }
  const chunks: OwnRun[][] = []
  const runsIn = (chunk: number): OwnRun[] =>
    (chunks[chunk] ??= runsAmong(db, ids.slice(chunk * CHUNK, (chunk + 1) * CHUNK), { stage, step, ...range }))
  return {
    key: '',
    look(range, from, _, visit) {
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
