/** Trials that were deleted: their list, their restoration, and their purge before its time. */
import { trialAdmins } from '#accounts/teams/adminStore'
import { team } from '#accounts/teams/scope'
import { remainingPlaces } from '#conduct/participants/store'
import { mailPurge } from '#design/deletions/keepDeletion'
import {
  changeDeletion,
  type DeletionRow,
  deletionById,
  deletionEvent,
  keptTrial,
  keptTrialsOf,
} from '#design/deletions/store'
import { REQUEST_LIFETIME } from '#design/secondRequests/rules'
import { showTrial } from '#design/trials/hideTrial'
import { type Trial, trialById } from '#design/trials/store'
import { operation, type Scope } from '#http/operation'
import { AFTER_IDS } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { Deletions, DeletionsQuery, PAGE, PurgeAnswer, PurgeRequest, Restoration, Restored } from './model'
import { pageOf, requireNoRequest, requireSecondPerson } from './rules'

type DeletedTrialScope = { team: { _id: string }; deleted: Trial; deletion: DeletionRow }

/** A trial that was deleted and is kept, for those who administered it; else 404. */
const deletedTrial: Scope<DeletedTrialScope, 'trialId'> = ({ db, caller, params }) => {
  const deletion = found(keptTrial(db, params.trialId), 'trial')
  const isAdmin = trialAdmins(db, deletion.subject).some(({ _id }) => _id === caller.user._id)
  if (!isAdmin) throw refuse.missing('trial')
  return { team: { _id: deletion.team }, deletion, deleted: found(trialById(db, deletion.subject), 'trial') }
}

/** The deletion of a trial of the team that is kept. */
const deletedTrialOfTeam: Scope<DeletedTrialScope, 'teamId' | 'deletionId'> = (context) => {
  const inTeam = team(context)
  const deletion = found(deletionById(context.db, context.params.deletionId), 'deletion')
  const isKept = deletion.kind === 'trial' && deletion.status === 'kept' && deletion.team === inTeam.team._id
  if (!isKept) throw refuse.missing('deletion')
  return { ...inTeam, deletion, deleted: found(trialById(context.db, deletion.subject), 'deletion') }
}

const listTrials = operation({
  id: 'listDeletedTrials',
  method: 'GET',
  path: '/teams/:teamId/deletions',
  summary: 'List the trials of a team that were deleted and can be restored',
  description: 'Newest first.',
  scope: team,
  needs: ['team.admin', 'trials.manage'],
  query: DeletionsQuery,
  returns: Deletions,
  run: ({ db, team, query: { before = AFTER_IDS, perPage = PAGE } }) =>
    pageOf(keptTrialsOf(db, team._id, before, perPage + 1), perPage),
})

const restoreTrial = operation({
  id: 'restoreTrial',
  method: 'POST',
  path: '/trials/:trialId/restoration',
  summary: 'Restore a trial that was deleted',
  description:
    'For those who administered it. It comes back whole, with its audit trail, its people and its links. If its code was taken meanwhile, it gets another. Refused (400) if the team may not have so many participants.',
  scope: deletedTrial,
  needs: 'nothing',
  fresh: true,
  logs: 'restoreTrial',
  body: Restoration,
  returns: Restored,
  run: ({ db, now, deletion, deleted, body, record }) => {
    const { code, wasArchived, subject: _id } = deletion
    const room = remainingPlaces(db, deleted.team)
    if (room !== null && room < deleted.participantCount)
      throw refuse.bad('teamFull', undefined, { room: Math.max(0, room) })
    const after = showTrial(db, deleted, { code: code ?? deleted.code, wasArchived: wasArchived ?? false })
    changeDeletion(db, deletion._id, { status: 'restored', endedAt: now })
    const event = { ...deletionEvent(deletion), trialId: _id, reason: body.reason, name: after.name, code: after.code }
    record({ event })
    record({ type: 'restoreTrial', chain: _id, event })
    return { _id, kind: 'trial' as const, name: after.name }
  },
})

const purgeTrial = operation({
  id: 'purgeDeletedTrial',
  method: 'POST',
  path: '/teams/:teamId/deletions/:deletionId/purge',
  summary: 'Ask that a trial that was deleted is purged before its time',
  description: 'Another administrator of the team must confirm it.',
  scope: deletedTrialOfTeam,
  needs: ['team.admin', 'trials.manage'],
  fresh: true,
  logs: 'askForPurge',
  body: PurgeRequest,
  returns: PurgeAnswer,
  run: (context) => {
    const { db, now, caller, deletion, deleted, body, record } = context
    requireNoRequest(context)
    const purgeRequest = { purgeAskedBy: caller.user._id, purgeAskedAt: now, purgeReason: body.reason }
    const row = changeDeletion(db, deletion._id, purgeRequest)
    record({ event: { ...deletionEvent(row), trialId: row.subject, reason: body.reason } })
    mailPurge({ ...context, trial: deleted }, row, now + REQUEST_LIFETIME)
    return { isPurged: false }
  },
})

const confirmTrialPurge = operation({
  id: 'confirmTrialPurge',
  method: 'POST',
  path: '/teams/:teamId/deletions/:deletionId/purge/confirmation',
  summary: 'Confirm the purge of a trial that another administrator asked for',
  description:
    'It begins within seconds, and cannot be stopped. Of a trial with a signature, a consent or an allocation, a study record is kept first.',
  scope: deletedTrialOfTeam,
  needs: ['team.admin', 'trials.manage'],
  fresh: true,
  logs: 'confirmPurge',
  returns: PurgeAnswer,
  run: (context) => {
    const { db, caller, deletion, record } = context
    requireSecondPerson(context)
    const row = changeDeletion(db, deletion._id, { purgeConfirmedBy: caller.user._id })
    const { purgeAskedBy: askedBy, purgeReason: reason, subject: trialId } = row
    record({ event: { ...deletionEvent(row), trialId, askedBy, reason } })
    return { isPurged: true }
  },
})

export const trialDeletionOperations = [listTrials, restoreTrial, purgeTrial, confirmTrialPurge] as const
