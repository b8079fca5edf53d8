import { consent } from '#conduct/consents/staffScope'
import { participant } from '#conduct/participants/scope'
import { requestIfNeeded } from '#design/secondRequests/request'
import { operation } from '#http/operation'
import { shape } from '#wire/schema'
import { Erased, Erasure, ReportStarted } from './model'
import {
  consentState,
  eraseConsent,
  eraseParticipant,
  participantState,
  requireErasable,
  requireWithdrawn,
} from './staffErasures'
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

const eraseOne = operation({
  id: 'erasePersonalInformation',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/erasure',
  summary: 'Erase the personal information of a participant who has withdrawn',
  description:
    'Contact details, sign-ins, devices, drafts, texts of messages, answers to personal data types and their files are erased for ever, in the history and the audit trail too. All other study data stays. The audit entry holds the proof. If `secondPerson` of the trial names erasures, it waits until another person confirms it.',
  scope: participant,
  needs,
  changes: 'data',
  logs: 'erasePersonalInformation',
  body: Erasure,
  returns: Erased,
  run: (context) => {
    const { now, participant, body } = context
    requireWithdrawn(participant)
    const state = participantState(participant)
    const request = { subject: participant._id, participant: participant._id, reason: body.reason, state }
    if (requestIfNeeded(context, 'erasure', request)) return { erasedAt: null }
    eraseParticipant(context, body.reason)
    return { erasedAt: now }
  },
})

const eraseOneConsent = operation({
  id: 'eraseConsent',
  method: 'POST',
  path: '/trials/:trialId/consents/:consentId/erasure',
  summary: 'Erase a withdrawn consent of somebody who never became a participant',
  description:
    'Name, addresses, signature, initials, photo, signed documents, messages, and personal answers to the form that followed are erased for ever. That somebody consented to this version and withdrew, with the times and the SHA-256 of the documents, stays. The audit entry holds the proof. If `secondPerson` of the trial names erasures, it waits until another person confirms it.',
  scope: consent,
  needs,
  changes: 'data',
  logs: 'eraseConsent',
  body: Erasure,
  returns: Erased,
  run: (context) => {
    const { now, consent, body } = context
    requireErasable(consent)
    const request = { subject: consent._id, reason: body.reason, state: consentState(consent) }
    if (requestIfNeeded(context, 'erasure', request)) return { erasedAt: null }
    eraseConsent(context, body.reason)
    return { erasedAt: now }
  },
})

export const personalDataOperations = [exportReport, eraseOne, eraseOneConsent] as const
