/** How a person withdraws their consent themselves: by an address that they verified (docs/consent.md, "Withdrawal"). */

import { type ConsentRow, consentsToWithdraw } from '#conduct/consents/consentStore'
import { createSession } from '#conduct/consents/createSession'
import {
  CodeChecked,
  CodeEntered,
  CodeRequest,
  ConsentToken,
  OwnWithdrawal,
  OwnWithdrawals,
} from '#conduct/consents/model'
import { type ConsentSessionScope, formToWithdraw, withdrawalSession } from '#conduct/consents/scope'
import { sessionById } from '#conduct/consents/store'
import { checkCode, requireAddress, sendCode, verifiedIn } from '#conduct/consents/verificationCodes'
import { operation } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { applyChoice, choicesOf } from './choice'
import { withdrawAll } from './effects'

/** Requests of one address per minute. */
const LIMIT = 30

type Db = Parameters<typeof consentsToWithdraw>[0]

/** The consents that the address is verified for; none before its code was entered. */
function ownConsents(db: Db, { trial, form, session }: ConsentSessionScope): ConsentRow[] {
  const [verified] = Object.values(verifiedIn(db, session._id))
  return verified ? consentsToWithdraw(db, form._id, trial._id, verified.method, verified.address) : []
}

const startWithdrawal = operation({
  id: 'startConsentWithdrawal',
  method: 'POST',
  path: '/consent/:trialCode/:formKey/withdrawals',
  summary: 'Begin to withdraw a consent: send a code to the address that was verified',
  description:
    'The answer is the same whether somebody consented with this address or not. The token works for an hour.',
  who: 'anyone',
  scope: formToWithdraw,
  needs: 'nothing',
  limit: LIMIT,
  logs: 'startConsentWithdrawal',
  body: CodeRequest,
  secret: true,
  returns: ConsentToken,
  prepare: ({ body }) => requireAddress(body),
  run: (context) => {
    const { db, trial, form, body, prepared, record } = context
    const { _id, token, expiresAt } = createSession(context, context, 'withdrawal')
    const session = sessionById(db, _id)
    if (!session) throw refuse.linkEnded()
    const isKnown = consentsToWithdraw(db, form._id, trial._id, body.method, prepared).length > 0
    sendCode({ ...context, session }, body.method, prepared, !isKnown)
    record({ by: 'nobody', event: { session: _id, method: body.method } })
    return { token, expiresAt }
  },
})

const enterCode = operation({
  id: 'checkConsentWithdrawalCode',
  method: 'POST',
  path: '/consent-withdrawals/:token/codes',
  summary: 'Enter the code that was sent to withdraw a consent',
  who: 'anyone',
  scope: withdrawalSession,
  needs: 'nothing',
  limit: LIMIT,
  failures: LIMIT,
  logs: 'checkConsentCode',
  body: CodeEntered,
  returns: CodeChecked,
  run: (context) => {
    const { body, session, record } = context
    const checked = checkCode(context, body.method, body.code)
    record({ by: 'nobody', event: { session: session._id, method: body.method, isVerified: checked.isVerified } })
    return checked
  },
})

const readWithdrawal = operation({
  id: 'readConsentWithdrawal',
  method: 'GET',
  path: '/consent-withdrawals/:token',
  summary: 'Read which consents one can withdraw',
  who: 'anyone',
  scope: withdrawalSession,
  needs: 'nothing',
  limit: LIMIT,
  failures: LIMIT,
  returns: OwnWithdrawals,
  run: (context) => ({ consents: ownConsents(context.db, context), choices: choicesOf(context.trial) }),
})

const withdraw = operation({
  id: 'withdrawOwnConsents',
  method: 'POST',
  path: '/consent-withdrawals/:token',
  summary: 'Withdraw one’s own consents',
  description:
    'Those that are withdrawn already stay as they are. `data` is what the person chooses for their data, of the `choices` that the study offers.',
  who: 'anyone',
  scope: withdrawalSession,
  needs: 'nothing',
  limit: LIMIT,
  failures: LIMIT,
  logs: 'withdrawConsent',
  body: OwnWithdrawal,
  returns: OwnWithdrawals,
  run: (context) => {
    const { db, trial, body, record } = context
    const { consents: named, data: choice } = body
    const own = ownConsents(db, context)
    const consents = [...new Set(named)].map((_id) =>
      found(
        own.find((each) => each._id === _id),
        'consent',
      ),
    )
    const choices = choicesOf(trial)
    if (choice !== undefined && !choices.includes(choice))
      throw refuse.invalid({ data: [reason('notOffered', { choices })] }, 'json', undefined, { code: 'notOffered' })
    const open = consents.filter(({ withdrawnAt }) => withdrawnAt === null)
    withdrawAll(context, open, { user: null, reason: body.reason?.trim() || null })
    for (const { _id, participant } of open) {
      const by = participant === null ? ('nobody' as const) : { participant }
      const event = { consent: _id, by: 'person', ...(choice ? { data: choice } : {}) }
      record({ type: 'withdrawConsent', by, participant, event })
    }
    if (choice !== undefined && !applyChoice(context, choice, consents).isDone) throw refuse.bad('consentedStill')
    return { consents: ownConsents(db, context), choices }
  },
})

export const consentWithdrawalOperations = [startWithdrawal, enterCode, readWithdrawal, withdraw] as const
