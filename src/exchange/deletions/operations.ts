/** What was deleted in a trial: its list, its restoration, and its purge before its time. */
import { mailPurge } from '#design/deletions/keepDeletion'
import { purge } from '#design/deletions/purge'
import { changeDeletion, type DeletionRow, deletionEvent, keptDeletionsOf } from '#design/deletions/store'
import { REQUEST_LIFETIME } from '#design/secondRequests/rules'
import { settingsOf } from '#design/trials/rules'
import { trial } from '#design/trials/scope'
import { type Note, operation } from '#http/operation'
import { AFTER_IDS, type Id } from '#kernel/id'
import { Deletions, DeletionsQuery, PAGE, PurgeAnswer, PurgeRequest, Restoration, Restored } from './model'
import { restore } from './restore'
import { pageOf, requireNoRequest, requireSecondPerson } from './rules'
import { deletion } from './scope'

const listDeletions = operation({
  id: 'listDeletions',
  method: 'GET',
  path: '/trials/:trialId/deletions',
  summary: 'List what was deleted in a trial and can be restored',
  description: 'Newest first.',
  scope: trial,
  needs: 'trial.admin',
  reads: ({ deletions }) => deletions.map(({ kind, subject }) => (kind === 'participant' ? subject : null)),
  query: DeletionsQuery,
  returns: Deletions,
  run: ({ db, trial, query: { before = AFTER_IDS, perPage = PAGE } }) =>
    pageOf(keptDeletionsOf(db, trial._id, before, perPage + 1), perPage),
})

const restoreDeletion = operation({
  id: 'restoreDeletion',
  method: 'POST',
  path: '/trials/:trialId/deletions/:deletionId/restoration',
  summary: 'Restore what was deleted in a trial',
  description:
    'It comes back whole, with its audit trail. A participant whose ID was taken meanwhile gets another. Sign-ins and links to sign in stay ended. Refused (400) while something that it needs is deleted, or something else is in its place.',
  scope: deletion,
  needs: 'trial.admin',
  changes: 'data',
  fresh: true,
  logs: 'restoreDeletion',
  body: Restoration,
  returns: Restored,
  run: (context) => {
    const { deletion, body, record } = context
    const { kind, subject, participant } = deletion
    const { name, event } = restore(context)
    record({ event: { ...deletionEvent(deletion), reason: body.reason, name, ...event }, participant })
    return { _id: subject, kind, name }
  },
})

/** Purges what somebody asked to purge, with an entry for each thing that goes. */
function purgeNow(
  context: Parameters<typeof purge>[0] & { record(note: Note): void },
  row: DeletionRow,
  second: { askedBy?: Id | null },
): void {
  for (const each of purge(context, row)) {
    const event = { ...deletionEvent(each), reason: each.purgeReason, ...second }
    context.record({ type: 'purgeDeletion', event, participant: each.participant })
  }
}

const purgeDeletion = operation({
  id: 'purgeDeletion',
  method: 'POST',
  path: '/trials/:trialId/deletions/:deletionId/purge',
  summary: 'Ask that what was deleted is purged before its time',
  description:
    'Another administrator must confirm it, unless it is a participant or a response and the reason is `erasure`: then it is purged at once, if `secondPerson` of the trial does not name erasures. What is purged cannot be restored, and personal information in the audit trail goes with it.',
  scope: deletion,
  needs: 'trial.admin',
  fresh: true,
  logs: 'askForPurge',
  body: PurgeRequest,
  returns: PurgeAnswer,
  run: (context) => {
    const { db, now, caller, deletion, body, record } = context
    const isErasure = body.reason === 'erasure' && deletion.participant !== null
    const needsSecond = !isErasure || settingsOf(context.trial).secondPerson.includes('erasure')
    if (needsSecond) requireNoRequest(context)
    const purgeRequest = { purgeAskedBy: caller.user._id, purgeAskedAt: now, purgeReason: body.reason }
    const row = changeDeletion(db, deletion._id, purgeRequest)
    const event = { ...deletionEvent(row), reason: body.reason }
    if (needsSecond) {
      record({ event, participant: row.participant })
      mailPurge(context, row, now + REQUEST_LIFETIME)
      return { isPurged: false }
    }
    purgeNow(context, row, {})
    return { isPurged: true }
  },
})

const confirmPurge = operation({
  id: 'confirmPurge',
  method: 'POST',
  path: '/trials/:trialId/deletions/:deletionId/purge/confirmation',
  summary: 'Confirm a purge that another administrator asked for',
  description:
    'It is purged at once, and cannot be restored. Refused if it was asked for more than 7 days ago (400), or the person who asked has lost the permission (409).',
  scope: deletion,
  needs: 'trial.admin',
  fresh: true,
  logs: 'purgeDeletion',
  returns: PurgeAnswer,
  run: (context) => {
    const { db, caller, deletion } = context
    requireSecondPerson(context)
    const row = changeDeletion(db, deletion._id, { purgeConfirmedBy: caller.user._id })
    purgeNow(context, row, { askedBy: row.purgeAskedBy })
    return { isPurged: true }
  },
})

export const deletionOperations = [listDeletions, restoreDeletion, purgeDeletion, confirmPurge] as const
