/** Deletes participants with all their data, which is kept hidden for a time; only the audit entry of the deletion remains. */
import { type Access, holds } from '#access/caller'
import type { Db } from '#db/open'
import { type DeletionContext, mailDeletion, recordDeletion } from '#design/deletions/keepDeletion'
import { trial } from '#design/trials/scope'
import { anywhere, type Client, operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { shape } from '#wire/schema'
import { deleteAccepted, finishDeletions } from './deletionSteps'
import { isAllocated, packsDispensedTo } from './deletionStore'
import { BulkDeletion, Deletion } from './model'
import { type ParticipantScope, participant, participantVisibleTo } from './scope'

/** Refuses (400) a participant whom a randomisation allocated: all allocated participants belong to the analysis. */
function requireNotAllocated(db: Db, { _id, id }: ParticipantScope['participant']): void {
  if (isAllocated(db, _id)) throw refuse.bad('allocatedStays', { participant: id })
}

/** Refuses (400) a participant to whom packs were dispensed: the accountability of these packs needs them. */
function requireNoPacks(db: Db, { _id, id }: ParticipantScope['participant']): void {
  const count = packsDispensedTo(db, _id)
  if (count) throw refuse.bad('hasPacks', { count, participant: id }, { packs: count })
}

/** Records that a participant is deleted, which `deletionSteps.ts` does. @param request the `_id` of the request, if it deletes several */
function acceptDeletion(
  context: DeletionContext & { client: Client },
  { participant }: ParticipantScope,
  reason: string,
  request?: Id,
) {
  const { db, client } = context
  const { _id, id: name } = participant
  requireNotAllocated(db, participant)
  requireNoPacks(db, participant)
  const about = { kind: 'participant', subject: _id, participant: _id, name, reason, request } as const
  return recordDeletion(context, about, { status: 'deleting', ...client })
}

const removeParticipant = operation({
  id: 'deleteParticipant',
  method: 'DELETE',
  path: '/trials/:trialId/participants/:participantId',
  summary: 'Delete a participant and all data',
  description:
    'The participant ID can be used again. What was deleted is kept hidden for a time, and an admin can restore it. Refused (400) if a pack was ever dispensed to the participant, or a randomisation allocated them.',
  scope: participant,
  needs: 'trial.deleteParticipants',
  changes: 'data',
  logs: 'deleteParticipant',
  body: Deletion,
  returns: shape({}),
  run: (context) => {
    const row = acceptDeletion(context, context, context.body.reason)
    mailDeletion(context, [row])
    context.record({ event: deleteAccepted(context, row) })
    return {}
  },
})

const mayDelete = (access: Access, { places }: ParticipantScope) => holds(access, 'deleteParticipants', places)

const removeParticipants = operation({
  id: 'deleteParticipants',
  method: 'DELETE',
  path: '/trials/:trialId/participants',
  summary: 'Delete many participants and all their data',
  description:
    'All of them or none. They cannot be found any more from then on. The response comes when all their data are deleted; this happens in steps, so that other requests do not wait. If the server stops before, the deletion continues at the next start.',
  scope: trial,
  needs: anywhere('trial.deleteParticipants'),
  changes: 'data',
  logs: 'deleteParticipants',
  body: BulkDeletion,
  returns: shape({}),
  finish: ({ services, params }) => finishDeletions(services, params.trialId),
  run: (context) => {
    const { db, trial, access, body, record } = context
    const ids: Id[] = [...new Set(body.participants)]
    const known = ids.map((each) => participantVisibleTo({ db }, { trial, access }, each))
    if (!known.every((each) => mayDelete(access, each))) throw refuse.missingPermission(['trial.deleteParticipants'])
    const request = context.id()
    mailDeletion(
      context,
      known.map((each) => acceptDeletion(context, each, body.reason, request)),
    )
    record({ event: { request, reason: body.reason, participants: known.length } })
    return {}
  },
})

export const deletionOperations = [removeParticipant, removeParticipants] as const
