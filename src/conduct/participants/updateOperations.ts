/** Changes one participant; each field has its own permission (docs/participants.md, "Fields and permissions"). */

import { armsVisibleTo } from '#access/armConcealmentStore'
import { forgetFailures, participantAccount } from '#access/attempts'
import { hashPassword, lengthProblem } from '#accounts/users/passwords'
import { settingsOf } from '#design/trials/rules'
import type { SharedTrial } from '#design/trials/store'
import { operation } from '#http/operation'
import { type FieldProblems, refuse } from '#kernel/problem'
import { foldId } from '#kernel/text'
import { instantText } from '#kernel/time'
import type { ValueOf } from '#wire/schema'
import { auditNoteOf } from './auditNote'
import { phoneProblems } from './contacts'
import { Participant, ParticipantChange } from './model'
import { dobProblem, idProblem } from './rules'
import { participant } from './scope'
import { endSignIns, participantByParticipantId, participantView } from './store'
import { changeParticipant } from './updateStore'

/** The problems (422) of values that are invalid in themselves, by field. @param today `YYYY-MM-DD` */
async function problemsOf(
  trial: SharedTrial,
  body: ValueOf<typeof ParticipantChange>,
  today: string,
): Promise<FieldProblems> {
  const problems = await phoneProblems({ phone: body.phone, whatsapp: body.whatsapp })
  const id = body.id === undefined ? undefined : idProblem(body.id)
  const dob = typeof body.dob === 'string' ? dobProblem(body.dob, today) : undefined
  const least = settingsOf(trial).participantPasswordMinLength
  const password = body.password ? lengthProblem(body.password, least) : undefined
  const own = { id, dob, password }
  for (const [field, problem] of Object.entries(own)) if (problem) problems[field] = [problem]
  return problems
}

/** The permission that changing each field needs (docs/participants.md, "Fields and permissions"). */
const needsByField = {
  id: 'trial.writeParticipants',
  password: 'trial.writeParticipants',
  name: 'trial.writeParticipants',
  email: 'trial.writeParticipants',
  phone: 'trial.writeParticipants',
  whatsapp: 'trial.writeParticipants',
  dob: 'trial.writeParticipants',
  timezone: 'trial.writeParticipants',
  language: 'trial.writeParticipants',
  isUnallocated: 'trial.allocateParticipants',
  allocatedReason: 'trial.allocateParticipants',
  isArchived: 'trial.archiveParticipants',
  isWithdrawn: 'trial.withdrawParticipants',
} as const

const editParticipant = operation({
  id: 'updateParticipant',
  method: 'PUT',
  path: '/trials/:trialId/participants/:participantId',
  summary: 'Change a participant',
  description: 'Each field needs its own permission. If one permission is missing, nothing is changed.',
  scope: participant,
  needs: [...new Set(Object.values(needsByField))],
  needsByField,
  changes: 'data',
  logs: 'updateParticipant',
  body: ParticipantChange,
  returns: Participant,
  prepare: async ({ trial, body, now }) => {
    const problems = await problemsOf(trial, body, instantText(now).slice(0, 10))
    if (Object.keys(problems).length) throw refuse.invalid(problems)
    if (body.password === undefined) return {}
    return { hash: body.password ? await hashPassword(body.password) : null }
  },
  run: ({ db, trial, access, participant, places, body, prepared, now, record }) => {
    const { password, ...fields } = body
    const taken = fields.id === undefined ? undefined : participantByParticipantId(db, trial._id, fields.id)
    if (taken && taken._id !== participant._id) throw refuse.taken('participant ID', fields.id!)
    const change = password === undefined ? fields : { ...fields, passwordHash: prepared.hash }
    const after = changeParticipant(db, participant._id, change)
    if (password !== undefined || after.isArchived) endSignIns(db, participant._id)
    if (password) forgetFailures(db, participantAccount(trial.code, foldId(after.id)), now)
    const note = auditNoteOf(participant, after)
    record({ ...note, event: { ...note.event, ...(password === undefined ? {} : { passwordChanged: true }) } })
    return participantView(db, after, places, armsVisibleTo(access))
  },
})

export const participantUpdateOperations = [editParticipant] as const
