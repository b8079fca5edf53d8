/** Sleeps of the entries of Apple Health, each of which is a part of one (pure). */
import { clockReading } from '#conduct/wearables/providers/clocks'
import { type NewRecord, recordOf } from '#conduct/wearables/providers/records'
import { type Instant, MINUTE, parseInstant } from '#kernel/time'

/** A part of a sleep; `from` and `to` as the export writes them, `value` such as `AsleepDeep`. */
export type Segment = { source: string; from: string; to: string; value: string }

/** Parts that are further from each other belong to different sleeps. */
const GAP = 60 * MINUTE

export type TimedSegment = Segment & { start: Instant; end: Instant }

/** The part with its moments; undefined if it has none, or ends before it begins. */
export function timedSegment(segment: Segment): TimedSegment | undefined {
  const [from, to] = [clockReading(segment.from), clockReading(segment.to)]
  if (!from || !to) return undefined
  const at = (clock: typeof from) => parseInstant(`${clock.at}Z`)! - (clock.utcOffset ?? 0) * MINUTE
  const [start, end] = [at(from), at(to)]
  return end > start ? { ...segment, start, end } : undefined
}

/** The parts of one source, divided into sleeps. */
function splitSleeps(segments: readonly TimedSegment[]): TimedSegment[][] {
  const sleeps: TimedSegment[][] = []
  let end = -Infinity
  for (const segment of segments.toSorted((a, b) => a.start - b.start)) {
    if (segment.start - end > GAP) sleeps.push([])
    sleeps.at(-1)!.push(segment)
    end = Math.max(end, segment.end)
  }
  return sleeps
}

/** The minutes that the parts cover together: parts of one source may overlap. */
function minutesOf(segments: readonly TimedSegment[], is: (value: string) => boolean): number | undefined {
  let [covered, until] = [0, -Infinity]
  let hasAny = false
  for (const { start, end, value } of segments) {
    if (!is(value)) continue
    hasAny = true
    covered += Math.max(0, end - Math.max(start, until))
    until = Math.max(until, end)
  }
  return hasAny ? Math.round(covered / MINUTE) : undefined
}

function sleepOf(segments: readonly TimedSegment[]): NewRecord | undefined {
  const first = segments[0]!
  const last = segments.reduce((a, b) => (b.end > a.end ? b : a))
  const [from, to] = [clockReading(first.from)!, clockReading(last.to)!]
  return recordOf(
    'sleep',
    { key: first.from, day: to.at.slice(0, 10) },
    {
      start: from.at,
      end: to.at,
      utcOffset: from.utcOffset,
      minutesInBed: Math.round((last.end - first.start) / MINUTE),
      minutesAsleep: minutesOf(segments, (value) => value.startsWith('Asleep')),
      minutesAwake: minutesOf(segments, (value) => value === 'Awake'),
      deepMinutes: minutesOf(segments, (value) => value === 'AsleepDeep'),
      lightMinutes: minutesOf(segments, (value) => value === 'AsleepCore'),
      remMinutes: minutesOf(segments, (value) => value === 'AsleepREM'),
    },
  )
}

/** The sleeps of all entries. Several sources see the same night: of each day, those of the source that saw most sleep are kept. */
export function appleSleeps(segments: readonly TimedSegment[]): NewRecord[] {
  const bySource = Map.groupBy(segments, ({ source }) => source)
  const sleeps = [...bySource].flatMap(([source, all]) =>
    splitSleeps(all).flatMap((each) => {
      const record = sleepOf(each)
      return record ? [{ source, record }] : []
    }),
  )
  const asleep = ({ record }: (typeof sleeps)[number]) => Number(record.measured.minutesAsleep ?? 0)
  return [...Map.groupBy(sleeps, ({ record }) => record.day).values()].flatMap((ofDay) => {
    const totals = new Map<string, number>()
    for (const each of ofDay) totals.set(each.source, (totals.get(each.source) ?? 0) + asleep(each))
    const [best] = [...totals].reduce((a, b) => (b[1] > a[1] ? b : a))
    return ofDay.flatMap(({ source, record }) => (source === best ? [record] : []))
  })
}
