/** Finds the problems of a trial's timeline, before its stages and anchors are saved or deleted. */
import type { Id } from '#kernel/id'
import { type Reason, reason } from '#kernel/refusals/reason'
import type { TimelineAnchor } from './anchors'
import { completionKey, occurrenceName, occurrencesOf, scheduleOf, type TimelineStage } from './occurrences'

/** A problem of a stage or anchor, whose `_id` is `of`. A circle concerns every stage it names. */
type TimelineProblem = { of: Id; field: string; problem: Reason; isCircle?: true }

/** The most occurrences that a stage may have: one a day for more than thirteen years. */
export const MOST_OCCURRENCES = 5_000
/** The longest delay of an opening, in days: a century. */
export const MOST_DAYS = 36_500

type Stages = ReadonlyMap<Id, TimelineStage>
type Anchors = ReadonlyMap<Id, TimelineAnchor>
type StageOccurrence = { stage: TimelineStage; n: number }

/** All problems of the timeline; empty if there are none (docs/timelines.md, "Openings"). */
export function timelineProblems(
  stages: readonly TimelineStage[],
  anchors: readonly TimelineAnchor[],
): TimelineProblem[] {
  const stageById: Stages = new Map(stages.map((stage) => [stage._id, stage]))
  const anchorById: Anchors = new Map(anchors.map((anchor) => [anchor._id, anchor]))
  return [
    ...stages.flatMap((stage) => [
      ...recurrenceProblems(stage),
      ...waitingProblems(stage, stageById, anchorById),
      ...scheduleProblems(stage, anchorById),
    ]),
    ...anchors.flatMap(({ _id, assignmentRule: rule }) => {
      if (rule.type !== 'stage_completion') return []
      const problem = neverCompletedProblem(stageById, rule.stageId, rule.stageRecurrence)
      return problem ? [{ of: _id, field: 'assignmentRule', problem }] : []
    }),
    ...circleProblems(stages, stageById, anchorById),
  ]
}

const isDays = (value: number | null | undefined): value is number => Number.isInteger(value) && value! > 0

function recurrenceProblems(stage: TimelineStage): TimelineProblem[] {
  if (!stage.isRecurring || stage.adHoc) return []
  const problems: TimelineProblem[] = []
  for (const field of ['recurringFrequency', 'recurringDuration'] as const) {
    const days = stage[field]
    if (!isDays(days)) problems.push({ of: stage._id, field, problem: reason('recurringWithoutDays') })
    else if (days > MOST_DAYS)
      problems.push({ of: stage._id, field, problem: reason('tooManyDays', { most: MOST_DAYS }) })
  }
  if (!problems.length && occurrencesOf(stage) > MOST_OCCURRENCES) {
    const problem = reason('tooManyOccurrences', { times: occurrencesOf(stage), most: MOST_OCCURRENCES })
    problems.push({ of: stage._id, field: 'recurringDuration', problem })
  }
  return problems
}

/** Why this occurrence can never be completed; undefined if it can. */
function neverCompletedProblem(stages: Stages, stageId: Id, recurrence: number | null | undefined): Reason | undefined {
  const stage = stages.get(stageId)
  if (!stage) return reason('awaitedStageUnknown')
  const n = recurrence ?? 0
  if (Number.isInteger(n) && n >= 0 && (stage.adHoc || n < occurrencesOf(stage))) return undefined
  return reason('occurrenceUnknown', { name: stage.name, n, last: occurrencesOf(stage) - 1 })
}

const isWithinLimit = (days: number) => Number.isInteger(days) && Math.abs(days) <= MOST_DAYS

function waitingProblems(stage: TimelineStage, stages: Stages, anchors: Anchors): TimelineProblem[] {
  const after = stage.enableAfter
  if (!after) return []
  const problems: (Reason | undefined)[] = []
  if (after.type === 'anchor' && !anchors.has(after.anchor)) problems.push(reason('awaitedAnchorUnknown'))
  if (after.type === 'stage') problems.push(neverCompletedProblem(stages, after.stage, after.stageRecurrence))
  if (!isWithinLimit(after.delay ?? 0)) problems.push(reason('delayNotDays', { most: MOST_DAYS }))
  return problems.flatMap((problem) => (problem ? [{ of: stage._id, field: 'enableAfter', problem }] : []))
}

function scheduleProblems(stage: TimelineStage, anchors: Anchors): TimelineProblem[] {
  const problems: Reason[] = []
  const schedule = stage.anchorSchedule ?? []
  schedule.forEach(({ anchor, dayOffset }, n) => {
    if (!anchors.has(anchor)) problems.push(reason('scheduleAnchorUnknown', { n }))
    if (!isWithinLimit(dayOffset)) problems.push(reason('scheduleOffsetNotDays', { n, most: MOST_DAYS }))
  })
  // A schedule may be shorter: it continues after its last entry in steps of the frequency.
  const mostEntries = stage.isRecurring && !stage.adHoc && scheduleOf(stage) ? occurrencesOf(stage) : MOST_OCCURRENCES
  if (schedule.length > mostEntries)
    problems.push(reason('scheduleTooLong', { entries: schedule.length, occurrences: mostEntries }))
  return problems.map((problem) => ({ of: stage._id, field: 'anchorSchedule', problem }))
}

/** The occurrence whose completion this one waits for, directly or through an anchor; undefined if there is none. */
function occurrenceAwaitedBy(
  { stage, n }: StageOccurrence,
  stages: Stages,
  anchors: Anchors,
): StageOccurrence | undefined {
  if (stage.adHoc) return undefined
  const schedule = scheduleOf(stage)
  const after = stage.enableAfter
  let target: { stageId: Id; recurrence?: number | null | undefined } | undefined
  if (!schedule && after?.type === 'stage') target = { stageId: after.stage, recurrence: after.stageRecurrence }
  else {
    const anchorId = schedule?.[Math.min(n, schedule.length - 1)]?.anchor ?? (after?.type === 'anchor' && after.anchor)
    const rule = anchorId ? anchors.get(anchorId)?.assignmentRule : undefined
    if (rule?.type === 'stage_completion') target = { stageId: rule.stageId, recurrence: rule.stageRecurrence }
  }
  const found = target && stages.get(target.stageId)
  return found && { stage: found, n: target?.recurrence ?? 0 }
}

/**
 * Occurrences that wait for each other in a circle, each circle once. Each occurrence waits for at most one other, so the
 * function only needs to follow these.
 */
function circleProblems(stages: readonly TimelineStage[], stageById: Stages, anchors: Anchors): TimelineProblem[] {
  const problems: TimelineProblem[] = []
  const visited = new Set<string>()
  for (const stage of stages) {
    // All occurrences of a stage wait for the same occurrence, unless a schedule gives each its own anchor.
    for (let first = 0; first < (scheduleOf(stage)?.length ?? 1); first++) {
      const path: string[] = []
      const names: string[] = []
      let at: StageOccurrence | undefined = { stage, n: first }
      let key = completionKey(stage._id, first)
      while (at && !visited.has(key)) {
        visited.add(key)
        path.push(key)
        names.push(`"${occurrenceName(at.stage, at.n)}"`)
        at = occurrenceAwaitedBy(at, stageById, anchors)
        if (at) key = completionKey(at.stage._id, at.n)
      }
      const start = at ? path.indexOf(key) : -1
      if (start < 0) continue
      const problem = reason('waitingCircle', { path: [...names.slice(start), names[start]].join(' → ') })
      const field = scheduleOf(at!.stage) ? 'anchorSchedule' : 'enableAfter'
      problems.push({ of: at!.stage._id, field, problem, isCircle: true })
    }
  }
  return problems
}

/** Names of the stages and anchors that refer to this stage, anchor, site or group, and so prevent its deletion. */
export function dependantsOf(id: Id, stages: readonly TimelineStage[], anchors: readonly TimelineAnchor[]): string[] {
  const byStages = stages.filter(({ enableAfter, anchorSchedule, availableToSites, availableToGroups }) => {
    const awaitsIt = enableAfter && (enableAfter.type === 'stage' ? enableAfter.stage : enableAfter.anchor) === id
    const scheduled = anchorSchedule?.some(({ anchor }) => anchor === id)
    return awaitsIt || scheduled || availableToSites?.includes(id) || availableToGroups?.includes(id)
  })
  const byAnchors = anchors.filter(
    ({ assignmentRule: rule }) => rule.type === 'stage_completion' && rule.stageId === id,
  )
  return [...byStages, ...byAnchors].map(({ name }) => name)
}
