import { participant } from '#conduct/participants/scope'
import { endConnections } from '#conduct/wearables/connection'
import { overwriting } from '#db/overwriting'
import { configuration } from '#design/configuration/configuration'
import { writerOf } from '#design/trials/notices'
import { operation } from '#http/operation'
import { removeFiles } from '#jobs/fileRemoval'
import { refuse } from '#kernel/problem'
import { shape } from '#wire/words'
import { erasePersonalInformation } from './erase'
import { Erased, Erasure, ReportStarted } from './model'
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
    const { db, now, trial, participant, caller, body, record } = context
    if (!participant.isWithdrawn)
      throw refuse.bad(
        'Only the personal information of participants who have withdrawn is erased. Withdraw them first.',
      )
    const who = { participant: participant._id, user: caller.user }
    endConnections(db, participant._id, now)
    const erased = writerOf(trial, null).write('erased', {}) // for all who read it: in the trial's language
    const { event, files } = overwriting(db, () =>
      erasePersonalInformation({ db, now, ...who, configuration: configuration(db, trial), erased }),
    )
    record({ event: { reason: body.reason, ...event } })
    removeFiles(context, files)
    return { erasedAt: now }
  },
})

export const personalDataOperations = [exportReport, eraseParticipant] as const
