/** What staff do with consents (docs/consent.md, "Consents"). */
import { holdsAnywhere, scopeOf } from '#access/caller'
import { countCode } from '#conduct/contactCodes/limits'
import { codesPage, codesPageQuery, PendingCodesQuery } from '#conduct/contactCodes/pages'
import { participant } from '#conduct/participants/scope'
import { trial } from '#design/trials/scope'
import { trialById } from '#design/trials/store'
import { anywhere, operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { signInCode, verificationCode } from './codes'
import { changeConsent } from './consentStore'
import { createSession } from './createSession'
import { consentPage, consentStatuses, consentTotal } from './listStore'
import { statusOf } from './ownConsents'
import { searchedAddress } from './rules'
import { isClosed } from './scope'
import { sendSignInCode } from './sendSignInCode'
import {
  Consent,
  ConsentQuery,
  Consents,
  InPersonInput,
  InPersonSession,
  NewCode,
  PAGE,
  PendingCodes,
  Statuses,
  StatusQuery,
} from './staffModel'
import { consent, requireReader } from './staffScope'
import { consentScopes, staffConsentView, unboundConsentsVisibleTo } from './staffViews'
import { formById, pendingCodes } from './store'
import { CODE_TRIES } from './verificationCodes'
import { hasCode } from './views'

const PERSONAL = 'readParticipantPersonalInformation'

/** The participants whom the consents are about. People who signed and never signed in have no `_id`. */
function idsOrFilter(consents: readonly { participant: Id | null }[]) {
  const ids = consents.map(({ participant }) => participant)
  return ids.every((each) => each !== null) ? ids : 'filter'
}

const listConsents = operation({
  id: 'listConsents',
  method: 'GET',
  path: '/trials/:trialId/consents',
  summary: 'List the consents of a trial, newest first',
  description:
    '30 a page. `query` is a part of an e-mail address or telephone number, and needs the permission to see personal information.',
  scope: trial,
  needs: anywhere('trial.readTrialConsents'),
  feature: 'eConsent',
  isAccessLogged: true,
  logs: 'listConsents',
  reads: ({ consents }) => idsOrFilter(consents),
  query: ConsentQuery,
  returns: Consents,
  run: (context) => {
    const { db, trial, access, query, record } = context
    const { page = 1, query: address, consentDocument: form } = query
    if (address !== undefined && !holdsAnywhere(access, PERSONAL)) throw refuse.missingPermission([`trial.${PERSONAL}`])
    const scopes = [...consentScopes(access), ...(address === undefined ? [] : [scopeOf(access, [PERSONAL])])]
    const search = { trial: trial._id, form, scopes, address: address && searchedAddress(address) }
    record({ event: { page, ...(form ? { consentDocument: form } : {}), isSearch: address !== undefined } })
    const rows = consentPage(db, search, PAGE, (page - 1) * PAGE)
    return { consents: rows.map((row) => staffConsentView(context, row)), total: consentTotal(db, search) }
  },
})

const readConsent = operation({
  id: 'readConsent',
  method: 'GET',
  path: '/trials/:trialId/consents/:consentId',
  summary: 'Read a consent; this is logged',
  scope: consent,
  needs: 'trial.readTrialConsents',
  feature: 'eConsent',
  logs: 'readConsent',
  reads: ({ participant }) => idsOrFilter([{ participant }]),
  returns: Consent,
  run: (context) => {
    context.record({ event: { consent: context.consent._id } })
    return staffConsentView(context, context.consent)
  },
})

const startInPerson = operation({
  id: 'startConsentInPerson',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/consent-sessions',
  summary: 'Begin a consent in person, on a device of the study team',
  description:
    'The consent belongs to this participant at once. The link works for 24 hours. It begins in the web app, with a fresh confirmation of identity; the signed PDF names the witness and who was there.',
  who: 'session',
  scope: participant,
  needs: 'trial.registerParticipants',
  feature: 'eConsent',
  fresh: true,
  logs: 'startConsentSession',
  body: InPersonInput,
  secret: true,
  returns: InPersonSession,
  run: (context) => {
    const { db, services, participant, caller, body, record } = context
    const trial = found(trialById(db, context.trial._id), 'trial')
    const form = formById(db, body.consentDocument)
    if (!form || form.trial !== trial._id) throw refuse.bad('noSuchConsentForm')
    if (trial.isArchived) throw refuse.bad('trialIsArchived')
    if (trial.settings.eConsentEnabled !== true) throw refuse.bad('trialWithoutEConsent')
    if (isClosed(trial)) throw refuse.bad('takesNoConsents', undefined, { code: 'closed' })
    if (participant.isArchived) throw refuse.bad('participantIsArchived')
    const { witness, present } = body
    const inPerson = { participant: participant._id, startedBy: caller.user._id, witness, present: present ?? [] }
    const { _id, token, expiresAt } = createSession(context, { trial, form }, 'consent', inPerson)
    record({ event: { session: _id, form: form._id } })
    return { token, expiresAt, url: `${services.publicUrl}/app/consent-session/${token}` }
  },
})

const listCodes = operation({
  id: 'listConsentCodes',
  method: 'GET',
  path: '/trials/:trialId/consent-codes',
  summary: 'List the codes that people are waiting for, to read them out; this is logged',
  description:
    'For studies without a sender of e-mail or SMS: read a code out only to the person at that address. Newest first, in pages of 100. In the web app only: an API key gets no codes.',
  who: 'session',
  scope: trial,
  needs: 'trial.readParticipantPersonalInformation',
  feature: 'eConsent',
  logs: 'listConsentCodes',
  reads: 'filter',
  query: PendingCodesQuery,
  secret: 'readable',
  returns: PendingCodes,
  run: ({ db, services, trial, access, now, query, record }) => {
    if (!unboundConsentsVisibleTo(access)) throw refuse.missingPermission(['trial.readTrialConsents'])
    const search = { trial: trial._id, now, tries: CODE_TRIES, ...codesPageQuery(query.after) }
    const { codes, next } = codesPage(pendingCodes(db, search))
    record({ event: { count: codes.length } })
    return {
      next,
      codes: codes.map((each) => ({
        ...each,
        code: verificationCode(services.seal, each._id),
        triesLeft: CODE_TRIES - each.tries,
      })),
    }
  },
})

/** New codes that one account may send per minute: each is a message to a person. */
const CODES = 10

const renewCode = operation({
  id: 'renewConsentCode',
  method: 'POST',
  path: '/trials/:trialId/consents/:consentId/codes',
  summary: 'Send a new code for the first sign-in; the one before ends',
  description:
    'It goes to the verified address. In the web app, people who may see personal information read it in the answer, too.',
  scope: consent,
  needs: 'trial.registerParticipants',
  feature: 'eConsent',
  limit: CODES,
  logs: 'renewConsentCode',
  secret: true,
  returns: NewCode,
  run: (context) => {
    const { db, services, caller, consent, record } = context
    requireReader(context)
    if (!hasCode(consent)) throw refuse.bad('consentWithoutCode')
    countCode(context)
    const codeNumber = consent.codeNumber + 1
    changeConsent(db, consent._id, {
      codeNumber,
      codeMessage: sendSignInCode({ ...context, acceptLanguage: null }, { ...consent, codeNumber }),
    })
    record({ event: { consent: consent._id, codeNumber } })
    // A person who has the code can sign in as the participant, so API keys do not get it.
    return 'apiKey' in caller.via ? {} : { signInCode: signInCode(services.seal, consent._id, codeNumber) }
  },
})

const STATUSES = 100

const listStatuses = operation({
  id: 'listConsentStatuses',
  method: 'GET',
  path: '/trials/:trialId/consent-statuses',
  summary: 'List who signed which version of a form, and who still has to',
  description:
    'Participants who are neither archived nor withdrawn, in the order of their registration, in pages of 100.',
  scope: trial,
  needs: anywhere('trial.readTrialConsents'),
  feature: 'eConsent',
  reads: ({ participants }) => participants.map(({ participant }) => participant),
  query: StatusQuery,
  returns: Statuses,
  run: ({ db, trial, access, query }) => {
    const form = formById(db, query.consentDocument)
    if (!form || form.trial !== trial._id) throw refuse.missing('consent form')
    const search = { trial: trial._id, form: form._id, scopes: consentScopes(access), after: query.after ?? '' }
    const rows = consentStatuses(db, { ...search, most: STATUSES + 1 })
    const page = rows.slice(0, STATUSES)
    const last = rows.length > STATUSES ? page.at(-1) : undefined
    return {
      participants: page.map((row) => ({ ...row, status: statusOf(row.version, form) })),
      next: last?.participant ?? null,
    }
  },
})

export const consentOperations = [listConsents, listStatuses, readConsent, renewCode, startInPerson, listCodes] as const
