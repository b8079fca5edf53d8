/** The visits that fall due and the windows that close, a day at a time, from the stored runs. */
import type { Db } from '#db/open'
import type { CompiledStage, CompiledTimeline } from '#design/schedule/occurrences'
import { openingIn, stepOf } from '#design/schedule/runs'
import type { Id } from '#kernel/id'
import { HOUR, type Instant } from '#kernel/time'
import { clockOf, zoneOf } from '#kernel/zones'
import { type Cursor, cursorText, readCursor } from './cursor'
import type { DayRange, Range } from './days'
import type { People } from './people'
import { occurrenceDetails, occurrencesAfter, originsOf, type Place, runsAmong, START, zonesOf } from './runStore'

/** A reader of entries of one type: those of a day, after a place (a text that it gave before), at most `limit`. */
export type ReadDay<T> = (day: DayRange, limit: number, after?: string) => { entries: T[]; after: string | null }

export type Visit = {
  participant: Id
  participantId: string
  stage: Id
  stageRecurrence: number
  name: string
  at: Instant
  completed: boolean
}

/** The most occurrences that are looked at for one answer of a reader. */
const BUDGET = 1_000
/** Occurrences that are read at once. */
const CHUNK = 100
/** The most by which the clocks are set forward, and by which they differ from UTC. */
const [JUMP, EAST, WEST] = [3 * HOUR, 14 * HOUR, 12 * HOUR]

type Candidate = { participant: Id; n: number; opensAt: Instant }
type Reading = { db: Db; timeline: CompiledTimeline; people: People; isWindow: boolean }

/** The time from the opening to the entry: to the end of the window, or none. Undefined if the stage has no such entries. */
const delayOf = ({ stage, window }: CompiledStage, isWindow: boolean): number | undefined =>
  stage.adHoc || stage.isPoll || !stage.enabled ? undefined : isWindow ? (window ?? undefined) : 0

/** The entry of an occurrence; undefined for the window of a form that is submitted, or if the stage has become shorter. */
function entryOf(
  { db, isWindow }: Reading,
  { stage, occurrences }: CompiledStage,
  { participant, n, opensAt }: Candidate,
  delay: number,
) {
  const name = occurrences[n]?.name
  if (name === undefined) return undefined
  const { participantId, isCompleted } = occurrenceDetails(db, participant, stage._id, n)
  if (isWindow && isCompleted) return undefined
  const at = opensAt + delay
  return { participant, participantId, stage: stage._id, stageRecurrence: n, name, at, completed: isCompleted === 1 }
}

/** Reads by time: for each stage and zone, in the order of n and of the openings. */
export function byTime(reading: Reading): ReadDay<Visit> {
  const { db, timeline, people, isWindow } = reading
  return (day, limit, text) => {
    const entries: Visit[] = []
    let from: Cursor | undefined = readCursor(text)
    let looked = 0
    const start = from ? timeline.stages.findIndex(({ stage }) => stage._id === from![0]) : 0
    for (const each of timeline.stages.slice(Math.max(0, start))) {
      const delay = delayOf(each, isWindow)
      if (delay === undefined) continue
      for (const zone of zonesOf(db, each.stage._id)) {
        if (from && zone < from[1]) continue
        const search = searchIn(db, each, zone, { from: day.from - delay, to: day.to - delay })
        let place: Place = from?.[1] === zone ? from[2] : START
        from = undefined
        for (let isLast = search.ns.length === 0; !isLast; ) {
          const found = occurrencesAfter(db, people, search, place, CHUNK)
          for (const row of found) {
            if (entries.length === limit || looked === BUDGET) {
              return { entries, after: cursorText([each.stage._id, zone, place]) }
            }
            looked++
            place = { n: row.n, origin: row.origin, participant: row.participant, first: row.first }
            const opensAt = openingIn(row, row.n, search.step, zoneOf(zone))
            const at = opensAt + delay
            if (!row.isAsked || at < day.from || at >= day.to) continue
            const entry = entryOf(reading, each, { participant: row.participant, n: row.n, opensAt }, delay)
            if (entry) entries.push(entry)
          }
          isLast = found.length < CHUNK
        }
      }
    }
    return { entries, after: null }
  }
}

/** The search for the occurrences of a stage that open in this range: readings of the clocks, and the numbers in question. */
function searchIn(db: Db, compiled: CompiledStage, zone: string, { from, to }: Range) {
  const step = stepOf(compiled)
  const [lo, hi] = [clockOf(zoneOf(zone), from) - JUMP, clockOf(zoneOf(zone), to) + JUMP]
  const { least, most } = originsOf(db, compiled.stage._id, zone)
  const first = step ? Math.max(0, Math.ceil((lo - most) / step)) : 0
  const last = step ? Math.min(compiled.occurrences.length - 1, Math.floor((hi - least) / step)) : 0
  const ns = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  return { stage: compiled.stage._id, zone, step, lo, hi, ns }
}

/** Reads for each of a few participants: their occurrences in the whole range at once, by time. */
export function byPerson(reading: Reading, few: readonly Id[], range: Range): ReadDay<Visit> {
  let found: (Candidate & { compiled: CompiledStage; delay: number; at: Instant })[] | undefined
  return (day, limit, text) => {
    found ??= candidatesOf(reading, few, range)
    const entries: Visit[] = []
    const ofDay = found.filter(({ at }) => at >= day.from && at < day.to)
    for (let index = Number(text ?? 0) || 0; index < ofDay.length; index++) {
      if (entries.length === limit) return { entries, after: `${index}` }
      const { compiled, delay, ...candidate } = ofDay[index]!
      const entry = entryOf(reading, compiled, candidate, delay)
      if (entry) entries.push(entry)
    }
    return { entries, after: null }
  }
}

function candidatesOf({ db, timeline, isWindow }: Reading, few: readonly Id[], { from, to }: Range) {
  const found = timeline.stages.flatMap((compiled) => {
    const delay = delayOf(compiled, isWindow)
    if (delay === undefined) return []
    const step = stepOf(compiled)
    const [lo, hi] = [from - delay - WEST - JUMP, to - delay + EAST + JUMP]
    return runsAmong(db, few, { stage: compiled.stage._id, step, lo, hi }).flatMap((run) => {
      const first = step ? Math.max(run.first, Math.ceil((lo - run.origin) / step)) : run.first
      const last = step ? Math.min(run.last, Math.floor((hi - run.origin) / step)) : run.last
      const zone = zoneOf(run.zone)
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
        const n = first + index
        const opensAt = openingIn(run, n, step, zone)
        return { participant: run.participant, n, opensAt, at: opensAt + delay, compiled, delay }
      })
    })
  })
  return found
    .filter(({ at }) => at >= from && at < to)
    .sort((a, b) => a.at - b.at || (a.participant < b.participant ? -1 : 1))
}
