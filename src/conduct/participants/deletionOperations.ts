/** Deletes participants with all their data; only the audit entry of the deletion remains. */
import { type Access, holds } from '#access/caller'
import { erasePersonal } from '#audit/store'
import type { Db } from '#db/open'
import { overwriting } from '#db/overwriting'
import { trial } from '#design/trials/scope'
import { anywhere, type Note, operation } from '#http/operation'
import { removeFiles } from '#jobs/fileRemoval'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { shape } from '#wire/words'
import { eraseParticipant, isAllocated, packsDispensedTo } from './deletionStore'
import { BulkDeletion, Deletion } from './model'
import { type OfParticipant, participant, participantVisibleTo } from './scope'

type DeletionContext = Parameters<typeof removeFiles>[0] & { record(note: Note): void }

/** Refuses (400) a participant whom a randomisation allocated: whoever was allocated belongs to the analysis. */
function requireNotAllocated(db: Db, { _id, id }: OfParticipant['participant']): void {
  if (!isAllocated(db, _id)) return
  throw refuse.bad(
    `A randomisation allocated “${id}”, and whoever was allocated stays in the record. Withdraw them and erase their personal information instead.`,
  )
}

/** Refuses (400) a participant to whom packs were dispensed: the accountability of these packs needs them. */
function requireNoPacks(db: Db, { _id, id }: OfParticipant['participant']): void {
  const count = packsDispensedTo(db, _id)
  if (!count) return
  const packs = count === 1 ? '1 pack was' : `${count} packs were`
  throw refuse.bad(
    `${packs} dispensed to “${id}”, so the participant cannot be deleted. Withdraw them and erase their personal information instead.`,
    { packs: count },
  )
}

function erase(context: DeletionContext, { participant }: OfParticipant, reason: string): void {
  const { db, record } = context
  requireNotAllocated(db, participant)
  requireNoPacks(db, participant)
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
  description:
    'The participant ID can be used again. Personal information in the audit trail is erased. Refused (400) if a pack was ever dispensed to the participant, or a randomisation allocated them.',
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
