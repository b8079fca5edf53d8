/** How staff record that somebody has withdrawn their consent (docs/consent.md, "Withdrawal"). */

import { Consent, Withdrawal } from '#conduct/consents/staffModel'
import { consent, requireReader } from '#conduct/consents/staffScope'
import { staffConsentView } from '#conduct/consents/staffViews'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { withdrawAll } from './effects'

const withdraw = operation({
  id: 'withdrawConsent',
  method: 'POST',
  path: '/trials/:trialId/consents/:consentId/withdrawal',
  summary: 'Record that a person has withdrawn their consent',
  description:
    'If it was the last one, submissions and messages of the participant end, as the trial is set up, and the study team is notified.',
  scope: consent,
  needs: 'trial.withdrawParticipants',
  feature: 'eConsent',
  logs: 'withdrawConsent',
  body: Withdrawal,
  sets: ['withdrawalReason', 'withdrawnAt', 'withdrawnBy'],
  returns: Consent,
  run: (context) => {
    const { consent, caller, body, record } = context
    requireReader(context)
    if (consent.withdrawnAt !== null) throw refuse.bad('withdrawnAlready')
    const [after = consent] = withdrawAll(context, [consent], { user: caller.user._id, reason: body.reason })
    record({ event: { consent: consent._id }, personal: { reason: body.reason } })
    return staffConsentView(context, after)
  },
})

export const staffWithdrawalOperations = [withdraw] as const
