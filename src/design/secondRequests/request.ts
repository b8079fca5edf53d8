/** Acts that wait for the confirmation of a second person (docs/permissions.md, "A second person"). */
import type { Staff } from '#access/caller'
import { trialAdmins } from '#accounts/teams/adminStore'
import type { Db } from '#db/open'
import { writerOf } from '#design/trials/notices'
import { settingsOf } from '#design/trials/rules'
import type { SharedTrial } from '#design/trials/store'
import type { Note } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { type Instant, instantText } from '#kernel/time'
import { mailStaff } from '#outbox/messages'
import { REQUEST_LIFETIME, requestEvent } from './rules'
import { insertSecondRequest, openRequestFor, type SecondRequestRow } from './store'

type SecondRequestContext = {
  db: Db
  now: Instant
  id(): Id
  caller: Staff
  trial: Pick<SharedTrial, '_id' | 'name' | 'settings' | 'timezone'>
  record(note: Note): void
}

type Act = SecondRequestRow['act']

/** What is asked for. `state`: of the subject, as far as the act depends on it. */
export type RequestDetails = Pick<SecondRequestRow, 'subject' | 'reason' | 'state'> &
  Partial<Pick<SecondRequestRow, 'participant' | 'body'>>

/**
 * Asks for a second person, if the trial's `secondPerson` names the act: with a row, an audit entry, and an e-mail to the other
 * administrators. Refuses (409) what is asked for already. Returns whether the act waits; else the caller performs it.
 */
export function requestIfNeeded(
  context: SecondRequestContext,
  act: Exclude<Act, 'setting'>,
  details: RequestDetails,
): boolean {
  if (!settingsOf(context.trial).secondPerson.includes(act)) return false
  requestSecondPerson(context, act, details)
  return true
}

/** The same for an act that always needs a second person. */
export function requestSecondPerson(context: SecondRequestContext, act: Act, details: RequestDetails): void {
  const { db, now, id, caller, trial, record } = context
  const earlier = openRequestFor(db, { act, subject: details.subject, now })
  if (earlier)
    throw refuse.conflict('askedForAlready', undefined, {
      request: earlier._id,
      expiresAt: instantText(earlier.expiresAt),
    })
  const row = insertSecondRequest(db, {
    ...{ _id: id(), createdAt: now, trial: trial._id, act, body: {}, participant: null, ...details },
    askedBy: caller.user._id,
    askedByEmail: caller.user.email,
    apiKey: 'apiKey' in caller.via ? caller.via.apiKey : null,
    expiresAt: now + REQUEST_LIFETIME,
    status: 'open',
  })
  const event = { ...requestEvent(row), expiresAt: instantText(row.expiresAt) }
  record({ type: 'askForSecondPerson', event, participant: row.participant })
  mailOtherAdmins(context, row)
}

function mailOtherAdmins({ db, now, trial, caller }: SecondRequestContext, { act, expiresAt }: SecondRequestRow): void {
  for (const admin of trialAdmins(db, trial._id)) {
    if (admin._id === caller.user._id) continue
    const { write, moment } = writerOf(trial, admin.language)
    const until = moment(expiresAt, trial.timezone ?? 'UTC')
    const values = { trial: trial.name, email: caller.user.email, what: write(`second.${act}`, {}), until }
    const subject = write('second.subject', { trial: trial.name })
    mailStaff(db, now, trial._id, admin, { subject, body: write('second.body', values) })
  }
}
