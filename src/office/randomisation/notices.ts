/** E-mails about unblindings. They never name an arm. */
import { accessOf } from '#access/identify'
import type { Db } from '#db/open'
import { writerOf } from '#design/trials/notices'
import type { Trial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { mailEach } from '#outbox/post'
import type { RandomisationRow } from './store'

type Unblinding = {
  db: Db
  now: Instant
  caller: { user: { name: string } }
  trial: Trial
  randomisation: RandomisationRow
}

/** The people named, but those who have lost access to the trial since. */
const recipientsOf = ({ db, trial, randomisation }: Unblinding): Id[] =>
  randomisation.unblindingRecipients.filter((user) => accessOf(db, user).trials.has(trial._id))

/** Tells the people named that one participant was unblinded. @param participant by the ID in the study */
export function mailUnblinded(unblinding: Unblinding, participant: string, reason: string): void {
  const { db, now, caller, trial, randomisation } = unblinding
  mailEach(db, now, trial._id, recipientsOf(unblinding), (language) => {
    const { write } = writerOf(trial, language)
    const values = { trial: trial.name, user: caller.user.name, randomisation: randomisation.name, participant, reason }
    return {
      subject: write('unblinded.subject', { trial: trial.name, participant }),
      body: write('unblinded.body', values),
    }
  })
}

/** Tells people that they are no longer told of unblindings: else somebody could see arms without anybody knowing. */
export function mailNoLongerTold(unblinding: Unblinding, people: readonly Id[]): void {
  const { db, now, caller, trial, randomisation } = unblinding
  mailEach(db, now, trial._id, people, (language) => {
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
export function mailStudyUnblinded(unblinding: Unblinding, reason: string): void {
  const { db, now, caller, trial, randomisation } = unblinding
  mailEach(db, now, trial._id, recipientsOf(unblinding), (language) => {
    const { write } = writerOf(trial, language)
    const values = { trial: trial.name, user: caller.user.name, randomisation: randomisation.name, reason }
    return {
      subject: write('studyUnblinded.subject', { trial: trial.name }),
      body: write('studyUnblinded.body', values),
    }
  })
}
