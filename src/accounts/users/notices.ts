/** E-mails to the holder of an account about what weakens or changes how one signs in, so that a theft does not stay unnoticed. */
import type { Db } from '#db/open'
import { type Instant, MINUTE } from '#kernel/time'
import { mailAccount } from '#outbox/messages'
import { writerFor } from '#texts/writer'
import { recoveryCodesLeft, type UserRow } from './store'

/** Tells a person that their password was changed. */
export function mailPasswordChanged(db: Db, user: UserRow, now: Instant): void {
  const { write } = writerFor(user.language)
  mailAccount(db, now, user, {
    subject: write('account.passwordChanged.subject', {}),
    body: write('account.passwordChanged.body', { name: user.name }),
  })
}

/** Sends the code for a new address to it. @param minutes how long it is good */
export function mailNewAddress(
  db: Db,
  user: UserRow,
  to: { email: string; code: string; minutes: number },
  now: Instant,
) {
  const { write } = writerFor(user.language)
  const { code, minutes } = to
  mailAccount(
    db,
    now,
    { _id: user._id, email: to.email },
    {
      subject: write('account.newAddress.subject', { code }),
      body: write('account.newAddress.body', { name: user.name, email: user.email, code, minutes }),
      ...{ expiresAt: now + minutes * MINUTE, isSecret: true },
    },
  )
}

/** Tells a person at their earlier address that their account has another one. @param user as before the change */
export function mailAddressChanged(db: Db, user: UserRow, email: string, now: Instant): void {
  const { write } = writerFor(user.language)
  mailAccount(db, now, user, {
    subject: write('account.addressChanged.subject', {}),
    body: write('account.addressChanged.body', { name: user.name, email }),
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
