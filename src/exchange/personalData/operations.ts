import { consent } from '#conduct/consents/staffScope'
import { participant } from '#conduct/participants/scope'
import { byUser } from '#conduct/responses/events'
import { endConnections } from '#conduct/wearables/connection'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { shape } from '#wire/words'
import { erasePersonalInformation } from './erase'
import { eraseConsentOfNobody } from './eraseConsent'
import { Erased, Erasure, ReportStarted } from './model'
import { performErasure } from './perform'
import { startReport } from './start'

// trial.admin includes the right to see everything about the participant (docs/permissions.md, "Keys").
const needs = 'trial.admin'

const exportReport = operation({
  id: 'exportPersonalData',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/report',
  summary: 'Write everything that is held about a participant',
  description:
    'A job, for a person who asks what is held about them. Its result holds `request`, a link to a zip for one day: report.pdf in the language of the participant, report.json, and the uploaded files.',
  scope: participant,
  needs,
  logs: 'exportPersonalData',
  reads: 'participant',
  body: shape({}),
  returns: ReportStarted,
  run: (context) => {
    const started = startReport(context)
    context.record({ event: { format: 'zip', ...started } })
    return started
  },
})

const eraseParticipant = operation({
  id: 'erasePersonalInformation',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/erasure',
  summary: 'Erase the personal information of a participant who has withdrawn',
  description:
    'Contact details, sign-ins, devices, drafts, texts of messages, answers to personal data types and their files are erased for ever, in the history and the audit trail too. All other study data stays. The audit entry holds the proof.',
  scope: participant,
  needs,
  changes: 'data',
  logs: 'erasePersonalInformation',
  body: Erasure,
  returns: Erased,
  run: (context) => {
    const { db, now, caller, participant, body, record } = context
    if (!participant.isWithdrawn)
      throw refuse.bad(
        'Only the personal information of participants who have withdrawn is erased. Withdraw them first.',
      )
    endConnections(db, participant._id, now)
    const by = byUser(caller.user)
    const event = performErasure(context, by, (erasure) =>
      erasePersonalInformation({ ...erasure, participant: participant._id }),
    )
    record({ event: { reason: body.reason, ...event } })
    return { erasedAt: now }
  },
})

const eraseConsent = operation({
  id: 'eraseConsent',
  method: 'POST',
  path: '/trials/:trialId/consents/:consentId/erasure',
  summary: 'Erase a withdrawn consent of somebody who never became a participant',
  description:
    'Name, addresses, signature, initials, photo, signed documents, messages, and personal answers to the form that followed are erased for ever. That somebody consented to this version and withdrew, with the times and the SHA-256 of the documents, stays. The audit entry holds the proof.',
  scope: consent,
  needs,
  changes: 'data',
  logs: 'eraseConsent',
  body: Erasure,
  returns: Erased,
  run: (context) => {
    const { now, caller, consent, body, record } = context
    if (consent.participant !== null)
      throw refuse.bad('This consent belongs to a participant. Erase the personal information of the participant.')
    if (consent.withdrawnAt === null)
      throw refuse.bad('Only consents that were withdrawn are erased. Record the withdrawal first.')
    if (consent.erasedAt !== null) throw refuse.bad('This consent was erased already.')
    const event = performErasure(context, byUser(caller.user), (erasure) => eraseConsentOfNobody(erasure, consent))
    record({ event: { consent: consent._id, fileHash: consent.fileHash, reason: body.reason, ...event } })
    return { erasedAt: now }
  },
})

export const personalDataOperations = [exportReport, eraseParticipant, eraseConsent] as const
