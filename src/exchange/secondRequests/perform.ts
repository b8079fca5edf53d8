/** Performs what was asked for, once a second person has confirmed it. */
import { type Access, holds, type Places, type Staff } from '#access/caller'
import { consentById } from '#conduct/consents/consentStore'
import { participantVisibleTo } from '#conduct/participants/scope'
import * as acts from '#conduct/personalData/staffErasures'
import { requireAskerPermitted, requireSameState, unlocksDatabase } from '#design/secondRequests/rules'
import type { SecondRequestRow } from '#design/secondRequests/store'
import { applyUpdate } from '#design/trials/changes/apply'
import { refuseUpdate } from '#design/trials/changes/change'
import { requireLockRights } from '#design/trials/changes/locks'
import { lockState, settingState } from '#design/trials/changes/secondPerson'
import { updateOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import type { Note } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { randomisationById } from '#office/randomisation/store'
import { requireClosed, unblind, unblindingState } from '#office/randomisation/unblindStudy'

type Context = Pick<Parameters<typeof applyUpdate>[0], 'db' | 'services' | 'now' | 'id' | 'after'> & {
  caller: Staff
  trial: Trial
  access: Access
  places: Places
  request: SecondRequestRow
  record(note: Note): void
}

/**
 * Performs it with the checks of a request of its own. Refuses (409) if its subject has changed since, or the person who asked has lost the
 * permission; 403 if a lock forbids it now.
 */
export function performRequest(context: Context): void {
  const { db, request } = context
  requireAskerPermitted(db, request.askedBy, permissionToAsk(context), { request: request._id })
  const perform = { unlocking: update, setting: update, unblinding: unblindStudy, erasure: erase }[request.act]
  perform(context)
}

/** The permission that the person who asked must still have. */
function permissionToAsk({ trial, request, places }: Context): Parameters<typeof requireAskerPermitted>[2] {
  const key = unlocksDatabase(request) ? 'lockDatabase' : 'admin'
  return ({ trials }) => {
    const access = trials.get(trial._id)
    return access !== undefined && holds(access, key, places)
  }
}

function update(context: Context): void {
  const { db, now, caller, trial, access, request } = context
  const { act, body, askedBy } = request
  requireSameState(request, act === 'setting' ? settingState(trial) : lockState(trial))
  const change = updateOf(trial, body, undefined)
  requireLockRights({ now, caller, access, body }, change.lockChanges)
  refuseUpdate(db, trial, change)
  applyUpdate({ ...context, body }, change, undefined, { askedBy })
}

function unblindStudy(context: Context): void {
  const { db, request } = context
  const randomisation = found(randomisationById(db, request.subject), 'randomisation')
  requireSameState(request, unblindingState(randomisation))
  requireClosed(randomisation)
  unblind({ ...context, randomisation }, request.reason ?? '', { askedBy: request.askedBy })
}

function erase(context: Context): void {
  const { db, trial, request } = context
  if (trial.isDatabaseLocked) throw refuse.databaseLocked()
  const { subject, askedBy } = request
  const reason = request.reason ?? ''
  if (request.participant === null) {
    const consent = found(consentById(db, subject), 'consent')
    requireSameState(request, acts.consentState(consent))
    acts.requireErasable(consent)
    acts.eraseConsent({ ...context, consent }, reason, { askedBy })
    return
  }
  const { participant } = participantVisibleTo(context, context, subject)
  requireSameState(request, acts.participantState(participant))
  acts.requireWithdrawn(participant)
  acts.eraseParticipant({ ...context, participant }, reason, { askedBy })
}
