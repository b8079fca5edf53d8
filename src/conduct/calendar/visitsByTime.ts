/** Finds the occurrences of a stage by time, in the index of the stored runs. */
import { openingIn } from '#design/schedule/runs'
import { zoneOf } from '#kernel/zones'
import { occurrencesAfter, originsOf, zonesOf } from './runStore'
import { clockRangeIn, type OccurrencePart, type ScheduledStage, type VisitQuery } from './visits'

/** Occurrences that are read at once, beyond those that are asked for. */
const EXTRA_ROWS = 10

type Origins = { least: number; most: number }

/** The numbers of the occurrences that may open between two readings of the clocks. A stage that does not recur has one range. */
function occurrenceNumbersIn(
  { compiled, step }: ScheduledStage,
  { least, most }: Origins,
  lo: number,
  hi: number,
): number[] {
  if (!step) return hi > least && lo <= most ? [0] : []
  const first = Math.max(0, Math.ceil((lo - most) / step))
  const last = Math.min(compiled.occurrences.length - 1, Math.floor((hi - least) / step))
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

/** A part for each zone in which a stage has runs: in the order of n, then of the openings. */
export const partsByTime = ({ db, people }: VisitQuery, each: ScheduledStage): OccurrencePart[] =>
  zonesOf(db, each.stage).map((zone): OccurrencePart => {
    const origins = originsOf(db, each.stage, zone)
    return {
      key: zone,
      visitOccurrences(range, from, wanted, visit) {
        const readings = clockRangeIn(zone, range)
        const ns = occurrenceNumbersIn(each, origins, readings.lo, readings.hi)
        if (!ns.length) return undefined
        const search = { stage: each.stage, zone, step: each.step, ...readings, ns }
        const size = wanted + EXTRA_ROWS
        for (let place = from; ; ) {
          const found = occurrencesAfter(db, people, search, place, size)
          for (const row of found) {
            const opensAt = openingIn(row, row.n, each.step, zoneOf(zone))
            const isIn = opensAt >= range.from && opensAt < range.to
            if (isIn && !visit({ participant: row.participant, n: row.n, opensAt })) return place
            place = row
          }
          if (found.length < size) return undefined
        }
      },
    }
  })
