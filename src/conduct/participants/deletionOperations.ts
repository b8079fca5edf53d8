/** Deletes participants with all their data; only the audit entry of the deletion remains. */
import { type Access, holds } from '#access/caller'
import { erasePersonal } from '#audit/store'
import { overwriting } from '#db/overwriting'
import { trial } from '#design/trials/scope'
import { anywhere, type Note, operation } from '#http/operation'
import { removeFiles } from '#jobs/fileRemoval'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { shape } from '#wire/words'
import { eraseParticipant } from './deletionStore'
import { BulkDeletion, Deletion } from './model'
import { type OfParticipant, participant, participantVisibleTo } from './scope'

type DeletionContext = Parameters<typeof removeFiles>[0] & { record(note: Note): void }

function erase(context: DeletionContext, { participant }: OfParticipant, reason: string): void {
  const { db, record } = context
  const { files, ...counts } = overwriting(db, () => {
    erasePersonal(db, participant._id)
    return eraseParticipant(db, participant._id)
  })
  record({
    type: 'deleteParticipant',
    participant: participant._id,
    event: { _id: participant._id, id: participant.id, reason, deleted: { ...counts, files: files.length } },
  })
  removeFiles(context, files)
}

const removeParticipant = operation({
  id: 'deleteParticipant',
  method: 'DELETE',
  path: '/trials/:trialId/participants/:participantId',
  summary: 'Delete a participant and all data',
  description: 'The participant ID can be used again. Personal information in the audit trail is erased.',
  scope: participant,
  needs: 'trial.deleteParticipants',
  changes: 'data',
  logs: 'deleteParticipant',
  body: Deletion,
  returns: shape({}),
  run: (context) => {
    erase(context, context, context.body.reason)
    return {}
  },
})

const mayDelete = (access: Access, { places }: OfParticipant) => holds(access, 'deleteParticipants', places)

const removeParticipants = operation({
  id: 'deleteParticipants',
  method: 'DELETE',
  path: '/trials/:trialId/participants',
  summary: 'Delete many participants and all their data',
  scope: trial,
  needs: anywhere('trial.deleteParticipants'),
  changes: 'data',
  logs: 'deleteParticipant',
  body: BulkDeletion,
  returns: shape({}),
  run: (context) => {
    const { db, trial, access, body } = context
    const ids: Id[] = [...new Set(body.participants)]
    const known = ids.map((each) => participantVisibleTo({ db }, { trial, access }, each))
    if (!known.every((each) => mayDelete(access, each))) throw refuse.lacking(['trial.deleteParticipants'])
    for (const each of known) erase(context, each, body.reason)
    return {}
  },
})

export const deletionOperations = [removeParticipant, removeParticipants] as const
