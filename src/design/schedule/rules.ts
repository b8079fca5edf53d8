/** A participant's timeline: what is visible, what may be submitted, and the participant's progress. */

import type { Id } from '#kernel/id'
import { type Reason, reason } from '#kernel/refusals/reason'
import { type Instant, instantText } from '#kernel/time'
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

/** One occurrence in a participant's timeline (docs/timelines.md), with the fields that only staff see. */
export type TimelineEntry = {
  _id: string
  name: string
  description: string
  enabled: boolean
  completed: boolean
  completedAt: Instant | null
  enableAt: Instant | null
  /** Absent if the stage has no availability window; null while the opening is not known. */
  expiresAt?: Instant | null
  expired: boolean
  adHoc: boolean
  isPoll: boolean
  stage: Id
  /** Null for an ad hoc stage, as each of its submissions has its own. */
  stageRecurrence: number | null
  /** Whether the participant sees it: the stage is enabled, is for one of their sites and groups, and is not a poll. */
  visible: boolean
  behind: boolean
}

/** Why an occurrence cannot be opened by a participant. */
type ClosedReason = 'disabled' | 'poll' | 'notAvailable' | 'notYet' | 'expired'

/** A moment for a sentence, in the local time of a zone: `9 March 2026 at 08:00 (Europe/Berlin)`. */
export function momentIn(zone: string, at: Instant): Reason {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: zone } as const
  const { text } = reason('moment', { at: new Date(at / 1000).toLocaleString('en-GB', options), zone })
  // Pages write the moment in their own language.
  return { code: 'moment', params: { at: instantText(at), zone }, text }
}

const includesAny = (allowed: readonly Id[] | null, own: readonly Id[]) =>
  allowed === null || own.some((id) => allowed.includes(id))

/** Why the whole stage is closed to the participant at any time; null if it is not. */
export function stageClosedReason({ stage }: CompiledStage, { sites, groups }: TimelineInput): ClosedReason | null {
  if (!stage.enabled) return 'disabled'
  if (stage.isPoll) return 'poll'
  const available = includesAny(stage.availableToSites, sites) && includesAny(stage.availableToGroups, groups)
  return available ? null : 'notAvailable'
}

function occurrenceClosedReason(compiled: CompiledStage, now: Instant, enableAt: Instant | null): ClosedReason | null {
  if (compiled.stage.adHoc) return null
  if (enableAt === null || enableAt > now) return 'notYet'
  const expiresAt = expiryOf(compiled, enableAt)
  return expiresAt !== null && expiresAt <= now ? 'expired' : null
}

/** Whether a participant may submit an occurrence, and the reason if not. */
type Opening = {
  enabled: boolean
  enableAt: Instant | null
  expiresAt: Instant | null
  closedReason: ClosedReason | null
}

/** The opening of one occurrence, for the check at submission; undefined if there is none. An ad hoc stage has every n. */
export function openingOf(
  compiled: CompiledTimeline,
  input: TimelineInput,
  stageId: Id,
  n: number,
): Opening | undefined {
  const stage = compiled.byId.get(stageId)
  if (!stage || n < 0 || (!stage.stage.adHoc && n >= stage.occurrences.length)) return undefined
  const enableAt = openingsOf(stage, input, zoneOf(input.zone))(n)
  const closed = stageClosedReason(stage, input) ?? occurrenceClosedReason(stage, input.now, enableAt)
  return { enabled: closed === null, enableAt, expiresAt: expiryOf(stage, enableAt), closedReason: closed }
}

/** The latest submission of each ad hoc stage, by stage. */
function latestAdHoc(compiled: CompiledTimeline, input: TimelineInput): Map<Id, Instant> {
  const latest = new Map<Id, Instant>()
  if (!compiled.stages.some(({ stage }) => stage.adHoc)) return latest
  for (const [key, at] of input.completions) {
    const stageId = key.slice(0, key.lastIndexOf('::'))
    if (compiled.byId.get(stageId)?.stage.adHoc && at >= (latest.get(stageId) ?? at)) latest.set(stageId, at)
  }
  return latest
}

/** Orders by opening, then occurrences that still wait, then ad hoc stages. The sort is stable: ties keep the stages' order. */
function inTimelineOrder(a: TimelineEntry, b: TimelineEntry): number {
  if (a.adHoc !== b.adHoc) return a.adHoc ? 1 : -1
  return (a.enableAt ?? Infinity) < (b.enableAt ?? Infinity) ? -1 : a.enableAt === b.enableAt ? 0 : 1
}

/**
 * Every occurrence of every stage, once, in timeline order: by opening, then those that still wait, then ad hoc stages;
 * ties by the stages' index, then n. Participants see only those that are `visible`.
 */
export function timelineOf(compiled: CompiledTimeline, input: TimelineInput): TimelineEntry[] {
  const zone = zoneOf(input.zone)
  const adHoc = latestAdHoc(compiled, input)
  const entries: TimelineEntry[] = []
  for (const each of compiled.stages) {
    const { stage } = each
    const hidden = stageClosedReason(each, input)
    const openings = openingsOf(each, input, zone)
    for (const { n, key, _id, name, description } of each.occurrences) {
      const enableAt = openings(n)
      const closed = occurrenceClosedReason(each, input.now, enableAt)
      const completedAt = (stage.adHoc ? adHoc.get(stage._id) : input.completions.get(key)) ?? null
      const counts = hidden === null && !stage.exemptFromBehindStatus && completedAt === null && enableAt !== null
      const entry: TimelineEntry = {
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

/** How many forms of a stage are behind schedule. */
export type OverdueForms = { stage: Id; forms: number }

const NO_OVERDUE: readonly OverdueForms[] = []

/** A participant's progress. */
export type Progress = {
  /** Completed ÷ visible timepoints, 0 to 1; 0 if there are none. */
  ratioComplete: number
  stagesBehindSchedule: number
  /** The same by stage: those with any. */
  overdue: readonly OverdueForms[]
  /** The time of the next cut-off: until then progress does not change without an event. Null if there is none. */
  nextChangeAt: Instant | null
}

/** A participant's progress, computed without building the timeline. It is stored after every event that may change it. */
export function progressOf(compiled: CompiledTimeline, input: TimelineInput): Progress {
  const zone = zoneOf(input.zone)
  const { now, completions } = input
  let [visible, completed, behind, next] = [0, 0, 0, Infinity]
  let overdue: OverdueForms[] | undefined
  for (const each of compiled.stages) {
    if (each.stage.adHoc || stageClosedReason(each, input) !== null) continue
    visible += each.occurrences.length
    const openings = openingsOf(each, input, zone)
    const before = behind
    for (const { n, key } of each.occurrences) {
      if (completions.has(key)) completed++
      else if (!each.stage.exemptFromBehindStatus) {
        const enableAt = openings(n)
        if (enableAt === null || enableAt >= next) continue // Its cut-off is after `next`.
        const cutoff = cutoffOf(each, enableAt, zone)
        if (cutoff <= now) behind++
        else if (cutoff < next) next = cutoff
      }
    }
    if (behind > before) (overdue ??= []).push({ stage: each.stage._id, forms: behind - before })
  }
  return {
    ratioComplete: visible ? completed / visible : 0,
    stagesBehindSchedule: behind,
    overdue: overdue ?? NO_OVERDUE,
    nextChangeAt: next === Infinity ? null : next,
  }
}
