/** Giving a consent (docs/consent.md, "The public flow"). */

import { consentOfSession } from '#conduct/consents/consentStore'
import { ConsentInput, ConsentReceipt } from '#conduct/consents/model'
import { consentSession } from '#conduct/consents/scope'
import { WRONG_LINKS } from '#conduct/consents/verificationCodes'
import { receiptOf } from '#conduct/consents/views'
import { notifyTeam } from '#conduct/consents/withdrawals/withdrawal'
import { operation, type RequestContext } from '#http/operation'
import { refuse } from '#kernel/problem'
import { offeredStage } from './stageLink'
import { prepareConsent, removeTemporaryPdf, storeConsent } from './storeConsent'

/** Refuses (403) a program of the study team: a consent is signed by the person, on a page. */
function refuseKey({ caller }: Pick<RequestContext, 'caller'>): void {
  if (caller.kind === 'staff' && 'apiKey' in caller.via) throw refuse.forbidden('consentByKey')
}

const giveConsent = operation({
  id: 'giveConsent',
  method: 'POST',
  path: '/consent-sessions/:token/consent',
  summary: 'Sign the form',
  description:
    'Stores the consent with a signed PDF, once for a session: sent again, the answer is the same consent. `details.steps` of a 400 says what is still to do.',
  who: 'anyone',
  scope: consentSession,
  needs: 'nothing',
  limit: 60,
  failures: WRONG_LINKS,
  logs: 'giveConsent',
  body: ConsentInput,
  secret: true,
  returns: ConsentReceipt,
  prepare: (context) => {
    refuseKey(context)
    return prepareConsent(context)
  },
  run: (context) => {
    const { db, now, trial, form, session, prepared, record } = context
    const given = consentOfSession(db, session._id)
    const by = session.participant === null ? ('nobody' as const) : { participant: session.participant }
    if (prepared) removeTemporaryPdf(context, prepared)
    if (given) {
      record({ by, event: { consent: given._id, isRepeated: true } })
      return receiptOf(context, context, given, offeredStage(context, given, now))
    }
    if (!prepared) throw refuse.linkEnded()
    const { consent, contactDetails } = storeConsent(context, prepared)
    notifyTeam(context, trial, form, 'consentGiven')
    const { _id, version, fileHash, signatureMethod } = consent
    const event = { consent: _id, form: form._id, version, fileHash, signatureMethod, session: session._id }
    const copied = contactDetails.length ? { contactDetails } : {}
    record({ by, participant: session.participant, event: { ...event, ...copied } })
    return receiptOf(context, context, consent, offeredStage(context, consent, now))
  },
})

export const giveConsentOperations = [giveConsent] as const
