/** A participant's timeline: one pure engine for what is shown, what may be submitted, and how far somebody has come. */
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { zoneOf } from '#kernel/zones'
import type { CompiledStage, CompiledTimeline } from './occurrences'
import { cutoffOf, expiryOf, openingsOf, type TimelineInput } from './openings'

export {
  type CompiledTimeline,
  compileTimeline,
  completionKey,
  type EnableAfter,
  occurrenceDescription,
  occurrenceId,
  occurrenceName,
  occurrencesOf,
  parseOccurrence,
  type TimelineStage,
} from './occurrences'
export type { StageOverride, TimelineInput } from './openings'

/** One occurrence in a participant's timeline (docs/timelines.md), with what staff see besides. */
export type Entry = {
  _id: string
  name: string
  description: string
  enabled: boolean
  completed: boolean
  completedAt: Instant | null
  enableAt: Instant | null
  /** Absent where the stage has no availability window; null while it is not known when the occurrence opens. */
  expiresAt?: Instant | null
  expired: boolean
  adHoc: boolean
  isPoll: boolean
  stage: Id
  /** Null for an ad hoc stage, where each submission has its own. */
  stageRecurrence: number | null
  /** Whether the participant is shown it: the stage is enabled, for one of their sites and groups, and no poll. */
  visible: boolean
  behind: boolean
}

/** Why an occurrence cannot be opened by a participant. */
export type Closed = 'disabled' | 'poll' | 'notAvailable' | 'notYet' | 'expired'

/** What a participant is told about a closed occurrence. */
export const closedText: Record<Closed, string> = {
  disabled: 'This form is switched off.',
  poll: 'This form is an anonymous poll: it is answered through its own link.',
  notAvailable: "This form is not for this participant's sites and groups.",
  notYet: 'This form is not open yet.',
  expired: 'The time in which this form could be filled in has passed.',
}

const includesOne = (allowed: readonly Id[] | null, own: readonly Id[]) =>
  allowed === null || own.some((id) => allowed.includes(id))

/** Why the whole stage is closed to the participant, whatever the time; null where it is not. */
export function hiddenBecause({ stage }: CompiledStage, { sites, groups }: TimelineInput): Closed | null {
  if (!stage.enabled) return 'disabled'
  if (stage.isPoll) return 'poll'
  const available = includesOne(stage.availableToSites, sites) && includesOne(stage.availableToGroups, groups)
  return available ? null : 'notAvailable'
}

function closedBecause(compiled: CompiledStage, now: Instant, enableAt: Instant | null): Closed | null {
  if (compiled.stage.adHoc) return null
  if (enableAt === null || enableAt > now) return 'notYet'
  const expiresAt = expiryOf(compiled, enableAt)
  return expiresAt !== null && expiresAt <= now ? 'expired' : null
}

/** Whether a participant may submit an occurrence, and if not why (`closedText` says it). */
export type Opening = { enabled: boolean; enableAt: Instant | null; expiresAt: Instant | null; closed: Closed | null }

/** One occurrence's opening, for the check at submission. Undefined where there is none such; an ad hoc stage has any n. */
export function openingOf(
  compiled: CompiledTimeline,
  input: TimelineInput,
  stageId: Id,
  n: number,
): Opening | undefined {
  const stage = compiled.byId.get(stageId)
  if (!stage || n < 0 || (!stage.stage.adHoc && n >= stage.occurrences.length)) return undefined
  const enableAt = openingsOf(stage, input, zoneOf(input.zone))(n)
  const closed = hiddenBecause(stage, input) ?? closedBecause(stage, input.now, enableAt)
  return { enabled: closed === null, enableAt, expiresAt: expiryOf(stage, enableAt), closed }
}

/** Latest submission of each ad hoc stage, by stage. */
function latestAdHoc(compiled: CompiledTimeline, input: TimelineInput): Map<Id, Instant> {
  const latest = new Map<Id, Instant>()
  if (!compiled.stages.some(({ stage }) => stage.adHoc)) return latest
  for (const [key, at] of input.completions) {
    const stageId = key.slice(0, key.lastIndexOf('::'))
    if (compiled.byId.get(stageId)?.stage.adHoc && at >= (latest.get(stageId) ?? at)) latest.set(stageId, at)
  }
  return latest
}

/** By opening; then what waits for something; ad hoc last. The sort is stable, so ties stay in the stages' order. */
function inTimelineOrder(a: Entry, b: Entry): number {
  if (a.adHoc !== b.adHoc) return a.adHoc ? 1 : -1
  return (a.enableAt ?? Infinity) < (b.enableAt ?? Infinity) ? -1 : a.enableAt === b.enableAt ? 0 : 1
}

/**
 * Every occurrence of every stage, once, in timeline order: by opening, those that wait for something after them,
 * ad hoc stages last; ties by the stages' index, then n. Participants are shown those that are `visible`.
 */
export function timelineOf(compiled: CompiledTimeline, input: TimelineInput): Entry[] {
  const zone = zoneOf(input.zone)
  const adHoc = latestAdHoc(compiled, input)
  const entries: Entry[] = []
  for (const each of compiled.stages) {
    const { stage } = each
    const hidden = hiddenBecause(each, input)
    const openings = openingsOf(each, input, zone)
    for (const { n, key, _id, name, description } of each.occurrences) {
      const enableAt = openings(n)
      const closed = closedBecause(each, input.now, enableAt)
      const completedAt = (stage.adHoc ? adHoc.get(stage._id) : input.completions.get(key)) ?? null
      const counts = hidden === null && !stage.exemptFromBehindStatus && completedAt === null && enableAt !== null
      const entry: Entry = {
        _id,
        name,
        description,
        enabled: hidden === null && closed === null,
        completed: completedAt !== null,
        completedAt,
        enableAt,
        expired: closed === 'expired',
        adHoc: stage.adHoc,
        isPoll: stage.isPoll,
        stage: stage._id,
        stageRecurrence: stage.adHoc ? null : n,
        visible: hidden === null,
        behind: counts && cutoffOf(each, enableAt, zone) <= input.now,
      }
      if (each.window !== null && !stage.adHoc) entry.expiresAt = expiryOf(each, enableAt)
      entries.push(entry)
    }
  }
  return entries.sort(inTimelineOrder)
}

/** How far a participant has come. */
export type Progress = {
  /** Completed ÷ visible timepoints, 0 to 1; 0 where there are none. */
  ratioComplete: number
  stagesBehindSchedule: number
  /** When the next cut-off passes: until then nothing changes by time alone. Null where nothing will. */
  nextChangeAt: Instant | null
}

/** A participant's progress, without building the timeline: what is stored after everything that may change it. */
export function progressOf(compiled: CompiledTimeline, input: TimelineInput): Progress {
  const zone = zoneOf(input.zone)
  const { now, completions } = input
  let [visible, completed, behind, next] = [0, 0, 0, Infinity]
  for (const each of compiled.stages) {
    if (each.stage.adHoc || hiddenBecause(each, input) !== null) continue
    visible += each.occurrences.length
    const openings = openingsOf(each, input, zone)
    for (const { n, key } of each.occurrences) {
      if (completions.has(key)) completed++
      else if (!each.stage.exemptFromBehindStatus) {
        const enableAt = openings(n)
        if (enableAt === null || enableAt >= next) continue // its cut-off comes later still
        const cutoff = cutoffOf(each, enableAt, zone)
        if (cutoff <= now) behind++
        else if (cutoff < next) next = cutoff
      }
    }
  }
  return {
    ratioComplete: visible ? completed / visible : 0,
    stagesBehindSchedule: behind,
    nextChangeAt: next === Infinity ? null : next,
  }
}
