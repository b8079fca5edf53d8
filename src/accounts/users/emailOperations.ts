/** How people change the e-mail address of their account (docs/accounts.md, "The e-mail address"). */
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { confirmAddress, requestAddress } from './emailChange'
import { EmailChange, EmailChangeAsked, EmailChangeChecked, EmailCode } from './model'
import { ownAttempts, proofEvent, requireOwnIdentity, requireProof } from './proof'
import { ownAccount } from './store'

const requestEmailChange = operation({
  id: 'requestEmailChange',
  method: 'POST',
  path: '/users/me/email',
  summary: 'Ask for another e-mail address of your account',
  description:
    'Sends a code of six digits to the new address, good for 10 minutes and 5 tries; a new one at most once a minute and 10 times a day. ' +
    'The response is the same if another account has this address.',
  who: 'session',
  needs: 'nothing',
  logs: 'requestEmailChange',
  attempts: ownAttempts,
  body: EmailChange,
  returns: EmailChangeAsked,
  prepare: (context) => requireOwnIdentity(context, context.body),
  run: (context) => {
    const { db, now, body, prepared, record } = context
    const user = requireProof({ db, now }, prepared)
    const email = body.email.trim()
    if (email.toLowerCase() === user.email.toLowerCase()) throw refuse.invalid({ email: [reason('ownAddress')] })
    const expiresAt = requestAddress(context, user, email)
    record({ event: { email, ...proofEvent(prepared) } })
    return { email, expiresAt, sendsEmail: context.services.sendsEmail }
  },
})

const confirmEmailChange = operation({
  id: 'confirmEmailChange',
  method: 'POST',
  path: '/users/me/email/confirmations',
  summary: 'Enter the code that was sent to the new address',
  description:
    'A wrong code answers `isChanged: false`, and how many tries are left. With the right one the account has the new address, the earlier address gets an e-mail, ' +
    'and your other sessions end, as do links that could set the password. API keys stay valid.',
  who: 'session',
  needs: 'nothing',
  logs: 'changeEmail',
  body: EmailCode,
  returns: EmailChangeChecked,
  run: (context) => {
    const { db, caller, body, record } = context
    const before = ownAccount(db, caller)
    const checked = confirmAddress(context, before, body.code, caller.via.session)
    const { email } = ownAccount(db, caller)
    const { isChanged } = checked
    record({ event: { isChanged, ...(isChanged ? { email: { before: before.email, after: email } } : {}) } })
    return { ...checked, email }
  },
})

export const emailOperations = [requestEmailChange, confirmEmailChange] as const
