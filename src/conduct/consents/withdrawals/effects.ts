/** What a withdrawal of a consent does (docs/consent.md, "After a withdrawal"). */
import { holds, isInScope, visibleScopeOf } from '#access/caller'
import { accessOf } from '#access/identify'
import { trialAdmins } from '#accounts/teams/adminStore'
import { appendEntry } from '#audit/append'
import type { ConsentRow } from '#conduct/consents/consentStore'
import { consentWithdrawnAt } from '#conduct/participants/consentStateStore'
import { placesOf } from '#conduct/participants/memberships'
import type { ParticipantRow } from '#conduct/participants/store'
import { addTask } from '#conduct/tasks/board'
import { auditView } from '#conduct/tasks/rules'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { holdersOf } from '#design/roles/peopleStore'
import { writerOf } from '#design/trials/notices'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { mailUsers } from '#outbox/messages'
import { joinTexts, type SendableText, type Writer } from '#texts/writer'
import { withdrawConsent } from './withdrawal'

type Context = Pick<RequestContext, 'db' | 'now' | 'id'> & { trial: Trial }

/** Withdraws consents. If a participant has no consent left, their forms and messages stop as the trial is set up, and the study team is notified. */
export function withdrawAll(
  context: Context,
  given: readonly ConsentRow[],
  by: { user: Id | null; reason: string | null },
): ConsentRow[] {
  const { db } = context
  const people = [...new Set(given.flatMap(({ participant }) => participant ?? []))]
  const taking = people.filter((_id) => consentWithdrawnAt(db, _id) === null)
  const after = given.map((consent) => withdrawConsent(context, consent, by))
  for (const _id of taking) {
    const participant = rowById(db, participants, _id)
    if (participant && consentWithdrawnAt(db, _id) !== null) notifyStudyTeam(context, participant)
  }
  return after
}

/** What the study team reads. It names the participant by their ID; the reason is stored with the consent. */
function textFor(
  { trial }: Context,
  { id }: ParticipantRow,
  { write }: Writer,
): { subject: SendableText; body: SendableText } {
  const about = { trial: trial.name, participant: id }
  const { stopForms, stopMessages } = settingsOf(trial).onConsentWithdrawal
  return {
    subject: write('participantWithdrew.subject', about),
    body: joinTexts(
      write('participantWithdrew.body', about),
      write(stopForms === false ? 'participantWithdrew.formsGoOn' : 'participantWithdrew.formsStop', {}),
      write(stopMessages === false ? 'participantWithdrew.messagesGoOn' : 'participantWithdrew.messagesStop', {}),
    ),
  }
}

/** The people who may withdraw this participant from the study. */
function recipientsFor(db: Db, trial: Id, participant: Id): Id[] {
  const places = placesOf(db, participant)
  return holdersOf(db, trial).filter((user) => {
    const access = accessOf(db, user).trials.get(trial)
    return access && isInScope(visibleScopeOf(access), places) && holds(access, 'withdrawParticipants', places)
  })
}

/** Sends an e-mail, and makes a task for the administrators if the trial has it so. */
function notifyStudyTeam(context: Context, participant: ParticipantRow): void {
  const { db, now, trial } = context
  mailUsers(db, now, trial._id, recipientsFor(db, trial._id, participant._id), (language) =>
    textFor(context, participant, writerOf(trial, language)),
  )
  if (settingsOf(trial).onConsentWithdrawal.task === false) return
  const { subject, body } = textFor(context, participant, writerOf(trial, null))
  const about = { title: subject, description: body, participant: participant._id, scored: [] }
  const assignees = trialAdmins(db, trial._id).map(({ _id }) => _id)
  const after = addTask(context, trial._id, { ...about, assignees })
  appendEntry(db, {
    ...{ chain: trial._id, createdAt: now, type: 'createTask', userType: 'system' },
    ...{ participant: participant._id, event: { after: auditView(after) } },
  })
}
