/** E-mails about unblindings. They never name an arm. */
import { accessOf } from '#access/identify'
import type { Db } from '#db/open'
import { writerOf } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { mailUsers } from '#outbox/messages'
import type { RandomisationRow } from './store'

type UnblindingContext = {
  db: Db
  now: Instant
  caller: { user: { name: string } }
  trial: Trial
  randomisation: RandomisationRow
}

/** The recipients, without those who have lost access to the trial since. */
const recipientsOf = ({ db, trial, randomisation }: UnblindingContext): Id[] =>
  randomisation.unblindingRecipients.filter((user) => accessOf(db, user).trials.has(trial._id))

/** Tells the people named that one participant was unblinded. @param participant by the ID in the study */
export function mailUnblinded(context: UnblindingContext, participant: string, reason: string): void {
  const { db, now, caller, trial, randomisation } = context
  mailUsers(db, now, trial._id, recipientsOf(context), (language) => {
    const { write } = writerOf(trial, language)
    const values = { trial: trial.name, user: caller.user.name, randomisation: randomisation.name, participant, reason }
    return {
      subject: write('unblinded.subject', { trial: trial.name, participant }),
      body: write('unblinded.body', values),
    }
  })
}

/** Notifies people who are no longer recipients of unblinding e-mails: otherwise arms could be unblinded without their knowledge. */
export function mailRemovedRecipients(context: UnblindingContext, people: readonly Id[]): void {
  const { db, now, caller, trial, randomisation } = context
  mailUsers(db, now, trial._id, people, (language) => {
    const { write } = writerOf(trial, language)
    return {
      subject: write('unblindingRecipients.subject', { trial: trial.name }),
      body: write('unblindingRecipients.body', {
        trial: trial.name,
        user: caller.user.name,
        randomisation: randomisation.name,
      }),
    }
  })
}

/** Tells the people named that the study was unblinded. */
export function mailStudyUnblinded(context: UnblindingContext, reason: string): void {
  const { db, now, caller, trial, randomisation } = context
  mailUsers(db, now, trial._id, recipientsOf(context), (language) => {
    const { write } = writerOf(trial, language)
    const values = { trial: trial.name, user: caller.user.name, randomisation: randomisation.name, reason }
    return {
      subject: write('studyUnblinded.subject', { trial: trial.name }),
      body: write('studyUnblinded.body', values),
    }
  })
}
