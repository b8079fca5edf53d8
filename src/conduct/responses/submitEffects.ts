/** The effects of a submission: messages to the team and to the participant (docs/forms.md, "Scores"). */

import { trialAdmins } from '#accounts/teams/adminStore'
import { appendEntry } from '#audit/append'
import type { ParticipantRow } from '#conduct/participants/store'
import { addTask } from '#conduct/tasks/board'
import { auditView } from '#conduct/tasks/rules'
import { zoneOf } from '#conduct/timeline/progress'
import type { Form } from '#design/forms/form'
import { completionKey } from '#design/schedule/rules'
import type { SubmitAction } from '#design/stages/components'
import { submitActionsFor } from '#design/stages/scoring'
import { notificationTitle } from '#design/trials/notices'
import type { SharedTrial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { mailStaff, messageParticipant } from '#outbox/post'
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
  const { configuration, stage, existing } = occurrence
  const { submission, row, messages, answers } = submitted
  if (!submission) return
  const form = configuration.form(stage)
  const before = existing && messages.length ? submitActionsFor(form.rules, existing.score ?? undefined) : []
  for (const action of messages) if (!before.includes(action)) perform(context, occurrence, action)
  if (form.notifications.length) planNotifications(context, existing, row._id, form.notifications, answers)
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
  for (const { component, title, body, delay, shownBy } of notifications) {
    const holds = (values: SubmissionResult['answers']) => !shownBy || shownBy.holds(values[shownBy.dataType], zone)
    if (!holds(answers)) cancelNotification(db, response, component)
    else if (!before || !holds(before)) {
      insertNotification(db, { response, component, dueAt: now + delay, title, body })
    }
  }
}

function perform(context: EffectContext, occurrence: Occurrence, { type, message }: SubmitAction): void {
  const { db, now, trial, participant } = context
  if (type === 'notifyTeam') {
    notifyTeam(context, occurrence, teamText(context, occurrence, message))
  } else if (type === 'messageParticipant' && message && !participant.isWithdrawn) {
    messageParticipant(db, now, participant, { subject: notificationTitle(trial), body: message })
  }
}

/**
 * Sends an e-mail to each administrator of the trial, and creates a task that is assigned to them. The e-mail tells of the
 * task.
 */
function notifyTeam(
  context: EffectContext,
  { configuration, stage }: Occurrence,
  text: { subject: string; body: string },
) {
  const { db, now, trial, participant } = context
  const admins = trialAdmins(db, trial._id)
  for (const admin of admins) mailStaff(db, now, trial._id, admin, text)
  const { components } = configuration.stages.get(stage)!
  const scored = components.flatMap((each) => (each.scoringRules?.length && each.dataType ? [each.dataType] : []))
  const about = { title: text.subject, description: text.body, participant: participant._id, scored }
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
function teamText({ trial, participant }: EffectContext, occurrence: Occurrence, message: string | null | undefined) {
  const { configuration, stage, stageRecurrence } = occurrence
  const compiled = configuration.timeline.byId.get(stage)!
  const key = completionKey(stage, stageRecurrence)
  const name = compiled.occurrences.find((each) => each.key === key)?.name ?? compiled.stage.name
  return {
    subject: `${trial.name}: “${name}” of participant ${participant.id}`,
    body: `${message || 'A submission calls for your attention.'}\n\nStudy: ${trial.name}\nParticipant: ${participant.id}\nForm: ${name}\n`,
  }
}
