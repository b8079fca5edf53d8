/** The effects of a submission: messages to the team and to the participant (docs/forms.md, "Scores"). */

import { trialAdmins } from '#accounts/teams/adminStore'
import { appendEntry } from '#audit/append'
import { addAutomaticMessage, sendAutomaticMessage } from '#conduct/messages/automaticMessages'
import { isMessagingStopped } from '#conduct/participants/consentStateStore'
import { ownConfiguration } from '#conduct/participants/language'
import type { ParticipantRow } from '#conduct/participants/store'
import { addTask } from '#conduct/tasks/board'
import { auditView } from '#conduct/tasks/rules'
import { zoneOf } from '#conduct/timeline/progress'
import type { Form } from '#design/forms/form'
import { completionKey } from '#design/schedule/rules'
import type { OnSubmitRule, RuleMessage, SubmitAction } from '#design/stages/components'
import { submitActionsFor } from '#design/stages/scoring'
import { notificationTitle, writerOf } from '#design/trials/notices'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { mailStaff } from '#outbox/messages'
import { authoredText, joinTexts, type SendableText, type Writer } from '#texts/writer'
import { byDataType } from './layout'
import { cancelNotification, insertNotification } from './notificationStore'
import type { Submission } from './refusals'
import { layoutById, valuesOf } from './store'
import type { SubmissionResult } from './submit'

type EffectContext = Pick<RequestContext, 'db' | 'now' | 'id'> & { trial: SharedTrial; participant: ParticipantRow }
type Occurrence = Pick<Submission, 'configuration' | 'stage' | 'stageRecurrence' | 'existing'>

/**
 * Performs the submit actions that the rules of the stage call for. An amendment performs only those that the earlier answers
 * did not call for, so that nobody gets the same message twice.
 */
export function performEffects(context: EffectContext, occurrence: Occurrence, submitted: SubmissionResult): void {
  const { stage, existing } = occurrence
  const { submission, row, answers } = submitted
  if (!submission) return
  // In the language of the participant, also if staff submit.
  const form = ownConfiguration(context.db, context.trial, context.participant).form(stage)
  const messages = submitActionsFor(form.rules, row.score ?? undefined)
  const before = existing && messages.length ? submitActionsFor(form.rules, existing.score ?? undefined) : []
  for (const action of messages) if (!before.includes(action)) performAction(context, occurrence, action)
  if (form.notifications.length) planNotifications(context, existing, row._id, form.notifications, answers)
}

/**
 * Delivers messages that the person did not see on the screen: adds them to the thread, and notifies the team of the
 * urgent ones. By no other channel: the study chose to show them to the person only.
 * @param of those of the rules of the form, in the language of the participant
 */
export function deliverUnseenMessages(
  context: EffectContext,
  occurrence: Occurrence,
  of: (rules: readonly OnSubmitRule[]) => readonly RuleMessage[],
): void {
  const { db, now, trial, participant } = context
  if (participant.isWithdrawn || isMessagingStopped(db, participant)) return
  const { rules } = ownConfiguration(db, trial, participant).form(occurrence.stage)
  const about = { type: 'onSubmit', reveals: scoredFields(occurrence) } as const
  for (const { severity, message } of of(rules)) {
    const text = { subject: notificationTitle(trial, participant), body: authoredText(message) }
    addAutomaticMessage(db, now, participant._id, about, text)
    if (severity === 'urgent')
      notifyTeam(context, occurrence, (writer) =>
        teamText(context, occurrence, writer, joinTexts(authoredText(message), writer.write('submission.unseen', {}))),
      )
  }
}

/**
 * Plans the notifications that are sent later, each once for a response. The delay counts from the submission that makes the
 * condition true, or from the first submission if there is no condition. A submission that makes it false cancels the
 * notification.
 */
function planNotifications(
  { db, now, participant, trial }: EffectContext,
  existing: Occurrence['existing'],
  response: Id,
  notifications: Form['notifications'],
  answers: SubmissionResult['answers'],
): void {
  const zone = zoneOf(participant, trial)
  const before = existing && byDataType(layoutById(db, existing.layout), valuesOf(existing))
  for (const { component, title, body, delay, displayCondition } of notifications) {
    const holds = (values: SubmissionResult['answers']) =>
      !displayCondition || displayCondition.holds(values[displayCondition.dataType], zone)
    if (!holds(answers)) cancelNotification(db, response, component)
    else if (!before || !holds(before)) {
      const reveals = displayCondition ? [displayCondition.dataType] : []
      insertNotification(db, { response, component, dueAt: now + delay, title, body, reveals })
    }
  }
}

function performAction(context: EffectContext, occurrence: Occurrence, { type, message }: SubmitAction): void {
  const { db, now, trial, participant } = context
  if (type === 'notifyTeam') {
    notifyTeam(context, occurrence, (writer) =>
      teamText(context, occurrence, writer, message ? authoredText(message) : writer.write('submission.attention', {})),
    )
  } else if (
    type === 'messageParticipant' &&
    message &&
    !participant.isWithdrawn &&
    !isMessagingStopped(db, participant)
  ) {
    const about = { type: 'onSubmit', reveals: scoredFields(occurrence) } as const
    sendAutomaticMessage(db, now, participant, about, {
      subject: notificationTitle(trial, participant),
      body: authoredText(message),
    })
  }
}

/** The data types of the stage whose answers count for the score. */
function scoredFields({ configuration, stage }: Occurrence): Id[] {
  const { components } = configuration.stages.get(stage)!
  return components.flatMap((each) => (each.scoringRules?.length && each.dataType ? [each.dataType] : []))
}

/**
 * Sends an e-mail to each administrator of the trial, and creates a task that is assigned to them. The e-mail tells of the
 * task.
 */
function notifyTeam(
  context: EffectContext,
  occurrence: Occurrence,
  text: (writer: Writer) => { subject: SendableText; body: SendableText },
) {
  const { db, now, trial, participant } = context
  const admins = trialAdmins(db, trial._id)
  for (const admin of admins) mailStaff(db, now, trial._id, admin, text(writerOf(trial, admin.language)))
  const scored = scoredFields(occurrence)
  const { subject, body } = text(writerOf(trial, null)) // the board is for all: in the trial's language
  const about = { title: subject, description: body, participant: participant._id, scored }
  const after = addTask(context, trial._id, { ...about, assignees: admins.map(({ _id }) => _id) })
  appendEntry(db, {
    chain: trial._id,
    createdAt: now,
    type: 'createTask',
    userType: 'system',
    participant: participant._id,
    event: { after: auditView(after) },
  })
}

/** The text of the e-mail and the task. It names the form and the participant's ID; answers and names never leave the service. */
function teamText(
  { trial, participant }: EffectContext,
  { configuration, stage, stageRecurrence }: Occurrence,
  { write }: Writer,
  reason: SendableText,
) {
  const compiled = configuration.source.timeline.byId.get(stage)!
  const key = completionKey(stage, stageRecurrence)
  const form = compiled.occurrences.find((each) => each.key === key)?.name ?? compiled.stage.name
  const about = { trial: trial.name, form, participant: participant.id }
  return { subject: write('submission.subject', about), body: joinTexts(reason, write('submission.about', about)) }
}
