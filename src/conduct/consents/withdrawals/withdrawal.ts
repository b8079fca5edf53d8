/** Withdrawals of consents. */

import { type ConsentRow, changeConsent } from '#conduct/consents/consentStore'
import { type FormRow, formById } from '#conduct/consents/store'
import { formName } from '#conduct/consents/views'
import type { Db } from '#db/open'
import { writerOf } from '#design/trials/notices'
import { type Trial, trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { mailAddress } from '#outbox/messages'

type WithdrawalContext = { db: Db; now: Instant }

/** Notifies the address of a form, if it has one, that a person consented or withdrew. The message does not name the person. */
export function notifyTeam(
  { db, now }: WithdrawalContext,
  trial: Trial,
  form: FormRow,
  what: 'consentGiven' | 'consentWithdrawn',
) {
  const address = what === 'consentGiven' ? form.notificationEmail : form.withdrawalEmail
  if (!address) return
  const { write } = writerOf(trial, null)
  const about = { trial: trial.name, form: formName(form) }
  const subjects = { consentGiven: 'consentGiven.subject', consentWithdrawn: 'consentWithdrawn.subject' } as const
  const bodies = { consentGiven: 'consentGiven.body', consentWithdrawn: 'consentWithdrawn.body' } as const
  mailAddress(db, now, trial._id, address, { subject: write(subjects[what], about), body: write(bodies[what], about) })
}

/** Records a withdrawal. @param user who recorded it; null if the person withdrew the consent themselves */
export function withdrawConsent(
  context: WithdrawalContext,
  consent: ConsentRow,
  by: { user: Id | null; reason: string | null },
): ConsentRow {
  const { db, now } = context
  const trial = trialById(db, consent.trial)
  const form = formById(db, consent.form)
  if (trial && form) notifyTeam(context, trial, form, 'consentWithdrawn')
  return changeConsent(db, consent._id, { withdrawnAt: now, withdrawnBy: by.user, withdrawalReason: by.reason })
}
