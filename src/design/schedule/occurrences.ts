/** The occurrences of stages: their number, their names, and everything that is computed once per configuration. */
import type { Id } from '#kernel/id'
import { HOUR, MINUTE, SECOND } from '#kernel/time'

/** The stage or anchor that a stage waits for, and the delay after it in calendar days (docs/timelines.md, "Openings"). */
export type EnableAfter =
  | { type: 'stage'; stage: Id; stageRecurrence?: number | null; delay?: number | null }
  | { type: 'anchor'; anchor: Id; delay?: number | null }

/** The fields of a stage that its timeline uses. Times of day are `HH:MM` or `HH:MM:SS`. */
export type TimelineStage = {
  _id: Id
  name: string
  description: string | null
  index: number
  enabled: boolean
  adHoc: boolean
  isPoll: boolean
  isRecurring: boolean
  recurringFrequency: number | null
  recurringDuration: number | null
  recurrenceNames: string[] | null
  enableAfter: EnableAfter | null
  enableAtTime: string | null
  availabilityWindowHours: number | null
  exemptFromBehindStatus: boolean
  behindCutoffTime: string | null
  isAnchored: boolean
  anchorSchedule: { anchor: Id; dayOffset: number }[] | null
  availableToSites: Id[] | null
  availableToGroups: Id[] | null
  /** `hour` is the number of hours after the opening. Absent or null: no reminders. */
  reminders?: readonly { hour: number }[] | null
}

/** The anchor of each occurrence of a stage; undefined if the stage is not anchored or has no schedule yet. */
export const scheduleOf = (stage: TimelineStage) =>
  stage.isAnchored && stage.anchorSchedule?.length ? stage.anchorSchedule : undefined

/** Whether ids of occurrences are written `<stageId>::<n>`: the stage recurs, or its schedule has several anchors. */
export const isRepeated = (stage: TimelineStage) =>
  !stage.adHoc && (stage.isRecurring || (scheduleOf(stage)?.length ?? 0) > 1)

/**
 * The number of occurrences of a stage (docs/timelines.md, "Occurrences"); 1 for an ad hoc stage, however often participants
 * submit it.
 */
export function occurrencesOf(stage: TimelineStage): number {
  if (stage.adHoc) return 1
  const { recurringDuration: duration, recurringFrequency: frequency } = stage
  if (stage.isRecurring && duration && frequency) return Math.max(1, Math.ceil(duration / frequency))
  return scheduleOf(stage)?.length ?? 1
}

/** A text of a stage for occurrence n. If the stage is repeated, replaces `%n` by the number of the occurrence, from 1. */
export const occurrenceText = (stage: TimelineStage, n: number, text: string): string =>
  isRepeated(stage) ? text.replaceAll('%n', String(n + 1)) : text

/** The name of occurrence n. */
export const occurrenceName = (stage: TimelineStage, n: number): string =>
  occurrenceText(stage, n, (isRepeated(stage) && stage.recurrenceNames?.[n]) || stage.name)

/** The description of occurrence n. */
export const occurrenceDescription = (stage: TimelineStage, n: number): string =>
  occurrenceText(stage, n, stage.description ?? '')

/** The `_id` of occurrence n in a timeline: `<stageId>::<n>` if the stage is repeated, else the stage's `_id`. */
export const occurrenceId = (stage: TimelineStage, n: number): string =>
  isRepeated(stage) ? completionKey(stage._id, n) : stage._id

/** The key of a completion, whether the stage is repeated or not. */
export const completionKey = (stageId: Id, n: number): `${Id}::${number}` => `${stageId}::${n}`

const OCCURRENCE = /^([0-9a-f]{24})(?:::(0|[1-9]\d{0,8}))?$/

/** Parses `<stageId>` or `<stageId>::<n>`; undefined if the text is neither. */
export function parseOccurrence(text: string): { stageId: Id; n: number | undefined } | undefined {
  const parts = OCCURRENCE.exec(text)
  if (!parts) return undefined
  return { stageId: parts[1]!, n: parts[2] === undefined ? undefined : Number(parts[2]) }
}

/** An occurrence with its key, `_id` and texts. */
export type Occurrence = { n: number; key: string; _id: string; name: string; description: string }

/** A stage with everything that does not depend on the participant. Durations and times of day are in microseconds. */
export type CompiledStage = {
  stage: TimelineStage
  occurrences: Occurrence[]
  schedule: { anchor: Id; dayOffset: number }[] | undefined
  /** The number of days from one occurrence to the next. */
  frequency: number
  /** The key of the completion that `enableAfter` waits for. */
  awaitedKey: string | undefined
  opensAt: number | null
  cutoffAt: number | null
  window: number | null
  /** Hours after the opening at which reminders are sent, ascending, each once. */
  reminderHours: number[]
}

/** The compiled timeline of a trial, in the order of the stages. */
export type CompiledTimeline = {
  stages: CompiledStage[]
  byId: Map<Id, CompiledStage>
  /** Whether any stage opens after the completion of another. */
  awaitsCompletions: boolean
}

function timeOfDay(text: string | null): number | null {
  if (text === null) return null
  const [hours, minutes, seconds = 0] = text.split(':').map(Number)
  return hours! * HOUR + minutes! * MINUTE + seconds * SECOND
}

function compileStage(stage: TimelineStage): CompiledStage {
  const after = stage.enableAfter
  return {
    stage,
    occurrences: Array.from({ length: occurrencesOf(stage) }, (_, n) => ({
      n,
      key: completionKey(stage._id, n),
      _id: occurrenceId(stage, n),
      name: occurrenceName(stage, n),
      description: occurrenceDescription(stage, n),
    })),
    schedule: scheduleOf(stage),
    frequency: stage.isRecurring ? (stage.recurringFrequency ?? 0) : 0,
    awaitedKey: after?.type === 'stage' ? completionKey(after.stage, after.stageRecurrence ?? 0) : undefined,
    opensAt: timeOfDay(stage.enableAtTime),
    cutoffAt: timeOfDay(stage.behindCutoffTime),
    window: stage.availabilityWindowHours === null ? null : stage.availabilityWindowHours * HOUR,
    reminderHours: [...new Set(stage.reminders?.map(({ hour }) => hour))].sort((a, b) => a - b),
  }
}

/** Compiles the stages of a trial once per configuration, for all participants. */
export function compileTimeline(stages: readonly TimelineStage[]): CompiledTimeline {
  const ordered = stages.toSorted((a, b) => a.index - b.index || (a._id < b._id ? -1 : 1)).map(compileStage)
  return {
    stages: ordered,
    byId: new Map(ordered.map((compiled) => [compiled.stage._id, compiled])),
    awaitsCompletions: ordered.some(({ awaitedKey }) => awaitedKey !== undefined),
  }
}
