import type { Id } from '#kernel/id'
import { DAY } from '#kernel/time'
import { type Cursor, cursorText, readCursor } from './cursor'
import type { TimeRange } from './days'
import { FEW } from './people'
import { START } from './runStore'
import {
  type DayReader,
  entryOf,
  type OccurrencePart,
  type ScheduledStage,
  stagesOf,
  type Visit,
  type VisitQuery,
} from './visits'
import { partByParticipant } from './visitsByParticipant'
import { partsByTime } from './visitsByTime'

/** Windows of forms that are submitted are left out: the most occurrences that are looked at for one answer. */
const BUDGET = 1_000

/** Of a stage that recurs at least this often, most participants have an occurrence soon: it is read person by person. */
const OFTEN = 14 * DAY

/** The same part, but no runs are read for ranges in which no participant of the trial has an occurrence. */
function skipEmptyRanges(query: VisitQuery, each: ScheduledStage, part: OccurrencePart): OccurrencePart {
  const everybody: VisitQuery = { ...query, people: { trial: query.people.trial, scope: 'all' } }
  const parts = partsByTime(everybody, each)
  const isAnyIn = (range: TimeRange) =>
    parts.some(({ visitOccurrences }) => visitOccurrences(range, START, 1, () => false) !== undefined)
  return {
    ...part,
    visitOccurrences: (range, ...rest) => (isAnyIn(range) ? part.visitOccurrences(range, ...rest) : undefined),
  }
}

/**
 * Reads the visits or windows of a day in the order of the forms. An answer may have fewer entries than asked for, and yet a
 * place to go on after: it looks at a limited number of occurrences.
 * @param ids the participants that are asked for, sorted; undefined for all of the trial, or too many to name
 */
export function readVisits(query: VisitQuery, ids: readonly Id[] | undefined, window: TimeRange): DayReader<Visit> {
  const stages = stagesOf(query)
  const known = new Map<Id, OccurrencePart[]>()
  const partsOf = (each: ScheduledStage): OccurrencePart[] => {
    let parts = known.get(each.stage)
    if (!parts) {
      const isFew = ids && ids.length <= FEW
      if (isFew) parts = [partByParticipant(query, each, ids, window)]
      else if (ids && each.step > 0 && each.step <= OFTEN)
        parts = [skipEmptyRanges(query, each, partByParticipant(query, each, ids, window))]
      else parts = partsByTime(query, each)
      known.set(each.stage, parts)
    }
    return parts
  }

  return (day, limit, text) => {
    const entries: Visit[] = []
    let from: Cursor | undefined = readCursor(text)
    let looked = 0
    const start = from ? stages.findIndex(({ stage }) => stage === from![0]) : 0
    for (const each of stages.slice(Math.max(0, start))) {
      const { stage, delay } = each
      const range = { from: day.from - delay, to: day.to - delay }
      for (const { key, visitOccurrences } of partsOf(each)) {
        if (from?.[0] === stage && key < from[1]) continue
        const first = from?.[0] === stage && from[1] === key ? from[2] : START
        from = undefined
        const place = visitOccurrences(range, first, limit - entries.length, (occurrence) => {
          if (entries.length === limit || looked++ === BUDGET) return false
          const entry = entryOf(query, each, occurrence)
          if (entry) entries.push(entry)
          return true
        })
        if (place) return { entries, after: cursorText([stage, key, place]) }
      }
    }
    return { entries, after: null }
  }
}
