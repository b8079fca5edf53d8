/** E-mails to the holder of an account about what weakens or changes how one signs in, so that a theft does not stay unnoticed. */
import type { Db } from '#db/open'
import type { Instant } from '#kernel/time'
import { mailAccount } from '#outbox/post'
import { writerFor } from '#texts/write'
import { recoveryCodesLeft, type UserRow } from './store'

/** Tells a person that their password was changed. */
export function mailPasswordChanged(db: Db, user: UserRow, now: Instant): void {
  const { write } = writerFor(user.language)
  mailAccount(db, now, user, {
    subject: write('account.passwordChanged.subject', {}),
    body: write('account.passwordChanged.body', { name: user.name }),
  })
}

/** Tells a person that two-step sign-in was switched off. */
export function mailTwoStepOff(db: Db, user: UserRow, now: Instant): void {
  const { write } = writerFor(user.language)
  mailAccount(db, now, user, {
    subject: write('account.twoStepOff.subject', {}),
    body: write('account.twoStepOff.body', { name: user.name }),
  })
}

/** Tells a person that somebody signed in with a recovery code. */
export function mailRecoveryCodeUsed(db: Db, user: UserRow, now: Instant): void {
  const { write } = writerFor(user.language)
  mailAccount(db, now, user, {
    subject: write('account.recoveryCode.subject', {}),
    body: write('account.recoveryCode.body', { name: user.name, left: recoveryCodesLeft(db, user._id) }),
  })
}
