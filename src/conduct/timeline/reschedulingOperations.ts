/** Changes when stages open for one participant: by an override, or by the date of an anchor. */
import { changedFields } from '#audit/changedFields'
import { type ParticipantScope, participant } from '#conduct/participants/scope'
import { configuration } from '#design/configuration/configuration'
import { type StageOverride as Override, openingOf, type TimelineEntry, timelineOf } from '#design/schedule/rules'
import { operation, type RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { type Instant, instantText, parseInstant } from '#kernel/time'
import { shape } from '#wire/schema'
import { setAnchorDateManually } from './milestones'
import { AnchorDate, AnchorDateInput, RestoredStage, StaffTimelineEntry, StageOverride } from './model'
import { timelineInput } from './progress'
import { anchorsOfParticipant, clearAnchor, clearOverride, overridesOf, setOverride } from './store'

type ReschedulingContext = Pick<RequestContext, 'db' | 'now'> & Pick<ParticipantScope, 'trial' | 'participant'>

/**
 * Refuses an occurrence that cannot be moved.
 * @throws 404 for a stage of another trial, 400 for an ad hoc stage or a wrong number
 */
function requireOccurrence({ db, trial }: ReschedulingContext, stageId: Id, n: number): void {
  const { stage, occurrences } = found(configuration(db, trial).timeline.byId.get(stageId), 'stage')
  if (stage.adHoc) throw refuse.bad('alwaysOpen', { stage: stage.name })
  if (n >= occurrences.length)
    throw refuse.bad('noSuchOccurrence', { stage: stage.name, n, last: occurrences.length - 1 })
}

const EARLIEST = parseInstant('1900-01-01T00:00:00Z')!
const LATEST = parseInstant('2200-01-01T00:00:00Z')!

/** Refuses (400) dates so far away that a date computed from them, up to centuries later, could not be written. */
function requirePlausible(at: Instant): void {
  if (at < EARLIEST || at > LATEST) throw refuse.bad('impossibleDate')
}

/** When the occurrence opens now, and its own override, for the audit entry of a move. */
function currentOpening({ db, trial, participant, now }: ReschedulingContext, stage: Id, n: number) {
  const input = timelineInput(db, participant, trial, now)
  const opens = openingOf(configuration(db, trial).timeline, input, stage, n)!.enableAt
  const own = input.overrides.find((each) => each.stage === stage && each.stageRecurrence === n)
  return { opensAt: instantOrNull(opens), override: own ? overrideFields(own) : null }
}

const instantOrNull = (at: Instant | null | undefined) => (at == null ? null : instantText(at))
const overrideFields = ({ enableAt, applyToAllRecurrences }: Override) => ({
  enableAt: instantOrNull(enableAt),
  applyToAllRecurrences,
})

function entryOf({ db, trial, participant, now }: ReschedulingContext, stage: Id, n: number): TimelineEntry {
  const entries = timelineOf(configuration(db, trial).timeline, timelineInput(db, participant, trial, now))
  return entries.find((entry) => entry.stage === stage && entry.stageRecurrence === n)!
}

const moveStage = operation({
  id: 'moveStageOpening',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/stageOverrides',
  summary: 'Move when a stage opens for a participant',
  description: 'Returns the occurrence after the move. A later occurrence with an override of its own keeps its time.',
  scope: participant,
  needs: 'trial.rescheduleParticipants',
  changes: 'data',
  logs: 'createStageOverride',
  body: StageOverride,
  returns: StaffTimelineEntry,
  run: (context) => {
    const { db, participant, body, record } = context
    const { stage, enableAt, applyToAllRecurrences = false } = body
    const n = body.stageRecurrence ?? 0
    requireOccurrence(context, stage, n)
    requirePlausible(enableAt)
    const before = currentOpening(context, stage, n)
    setOverride(db, participant._id, { stage, stageRecurrence: n, enableAt, applyToAllRecurrences })
    const event = { stage, stageRecurrence: n, ...changedFields(before, currentOpening(context, stage, n)) }
    record({ event })
    return entryOf(context, stage, n)
  },
})

const restoreStage = operation({
  id: 'restoreStageOpening',
  method: 'DELETE',
  path: '/trials/:trialId/participants/:participantId/stageOverrides',
  summary: 'Delete the override of when a stage opens for a participant',
  description:
    'The stage then opens by its schedule. Returns the occurrence after the change; 404 if it has no override.',
  scope: participant,
  needs: 'trial.rescheduleParticipants',
  changes: 'data',
  logs: 'deleteStageOverride',
  query: RestoredStage,
  returns: StaffTimelineEntry,
  run: (context) => {
    const { db, participant, query, record } = context
    const { stage, applyToAllRecurrences = false } = query
    const n = query.stageRecurrence ?? 0
    requireOccurrence(context, stage, n)
    const moved = overridesOf(db, participant._id).filter(
      (each) =>
        each.stage === stage && (applyToAllRecurrences ? each.stageRecurrence >= n : each.stageRecurrence === n),
    )
    if (!moved.length) throw refuse.missing('override')
    const before = currentOpening(context, stage, n)
    for (const each of moved) clearOverride(db, participant._id, stage, each.stageRecurrence)
    const later = moved.filter(({ stageRecurrence }) => stageRecurrence !== n)
    const removed = later.map((each) => ({ stageRecurrence: each.stageRecurrence, ...overrideFields(each) }))
    const event = { stage, stageRecurrence: n, ...changedFields(before, currentOpening(context, stage, n)) }
    record({ event: { ...event, ...(removed.length ? { removed } : {}) } })
    return entryOf(context, stage, n)
  },
})

/** The anchor of the trial that `:anchorId` names. */
function anchorIn({ db, trial }: ReschedulingContext, anchorId: Id) {
  return found(
    configuration(db, trial).anchors.find(({ _id }) => _id === anchorId),
    'anchor',
  )
}

const setAnchorDate = operation({
  id: 'setAnchorDate',
  method: 'PUT',
  path: '/trials/:trialId/participants/:participantId/anchors/:anchorId',
  summary: 'Set the date of an anchor for a participant',
  scope: participant,
  needs: 'trial.rescheduleParticipants',
  changes: 'data',
  logs: 'setAnchorDate',
  body: AnchorDateInput,
  returns: AnchorDate,
  run: (context) => {
    const { db, participant, params, body, record } = context
    const anchor = anchorIn(context, params.anchorId)
    requirePlausible(body.datetime)
    record({ event: setAnchorDateManually(db, participant._id, anchor, body.datetime) })
    return { anchor: anchor._id, datetime: body.datetime }
  },
})

const clearAnchorDate = operation({
  id: 'clearAnchorDate',
  method: 'DELETE',
  path: '/trials/:trialId/participants/:participantId/anchors/:anchorId',
  summary: 'Clear the date of an anchor for a participant',
  description: 'Stages that wait for the anchor wait again. 404 if the anchor has no date.',
  scope: participant,
  needs: 'trial.rescheduleParticipants',
  changes: 'data',
  logs: 'clearAnchorDate',
  returns: shape({}),
  run: (context) => {
    const { db, participant, params, record } = context
    const { _id, name } = anchorIn(context, params.anchorId)
    const before = anchorsOfParticipant(db, participant._id).get(_id)
    if (!clearAnchor(db, participant._id, _id)) throw refuse.missing('date of the anchor')
    record({ event: { name, ...changedFields({ datetime: instantOrNull(before) }, {}) } })
    return {}
  },
})

export const reschedulingOperations = [moveStage, restoreStage, setAnchorDate, clearAnchorDate] as const
