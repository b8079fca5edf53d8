/** The states of a randomisation after the draft, and its list. */
import { requestIfNeeded } from '#design/secondRequests/request'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { Randomisation, RandomisationList, Reason } from './model'
import { randomisation } from './scope'
import { revealedList, seal } from './seal'
import { updateRandomisation } from './store'
import { requireClosed, unblind, unblindingState } from './unblindStudy'
import { isListVisibleTo, viewOf } from './view'

const sealRandomisation = operation({
  id: 'sealRandomisation',
  method: 'POST',
  path: '/randomisations/:randomisationId/sealing',
  summary: 'Seal a randomisation',
  description:
    'Makes its lists, and publishes their commitment. From now on nothing of it can be changed, and participants can be allocated.',
  scope: randomisation,
  needs: 'trial.admin',
  changes: 'configuration',
  logs: 'sealRandomisation',
  sets: ['status'],
  returns: Randomisation,
  run: ({ db, now, caller, trial, access, randomisation, record }) => {
    const after = seal(db, trial, randomisation, { user: caller.user._id, now })
    record({ event: { name: after.name, commitment: after.commitment } })
    return viewOf(db, access, after)
  },
})

const closeRandomisation = operation({
  id: 'closeRandomisation',
  method: 'POST',
  path: '/randomisations/:randomisationId/closing',
  summary: 'Close a randomisation',
  description: 'No more participants can be allocated. A closed randomisation cannot be opened again.',
  scope: randomisation,
  needs: 'trial.admin',
  logs: 'closeRandomisation',
  sets: ['status'],
  returns: Randomisation,
  run: ({ db, now, access, randomisation, record }) => {
    const { _id, name, status } = randomisation
    if (status === 'draft') throw refuse.bad('randomisationIsDraft', { name })
    if (status === 'closed') throw refuse.bad('randomisationClosedAlready', { name })
    record({ event: { name } })
    return viewOf(db, access, updateRandomisation(db, _id, { status: 'closed', closedAt: now }))
  },
})

const unblindStudy = operation({
  id: 'unblindRandomisation',
  method: 'POST',
  path: '/randomisations/:randomisationId/unblinding',
  summary: 'Unblind the study: publish the list and the arms',
  description:
    'Only when the randomisation is closed. Participants become visible members of the groups of their arms. It cannot be undone. If `secondPerson` of the trial names it, it waits until another person confirms it, and the randomisation is answered as it is.',
  scope: randomisation,
  needs: 'trial.admin',
  fresh: true,
  logs: 'unblindRandomisation',
  body: Reason,
  returns: Randomisation,
  run: (context) => {
    const { db, access, randomisation, body } = context
    requireClosed(randomisation)
    const request = { subject: randomisation._id, reason: body.reason, state: unblindingState(randomisation) }
    return viewOf(
      db,
      access,
      requestIfNeeded(context, 'unblinding', request) ? randomisation : unblind(context, body.reason),
    )
  },
})

const readList = operation({
  id: 'readRandomisationList',
  method: 'GET',
  path: '/randomisations/:randomisationId/list',
  summary: 'Read the list of a randomisation',
  description:
    'With the document whose SHA-256 is the commitment. For everybody once the study is unblinded; before, only with trial.readRandomisation. Each reading is recorded.',
  scope: randomisation,
  needs: [anywhere('trial.read'), anywhere('trial.randomise'), 'trial.readRandomisation'],
  logs: 'readRandomisationList',
  returns: RandomisationList,
  run: ({ db, access, randomisation, record }) => {
    if (!isListVisibleTo(access, randomisation)) throw refuse.missingPermission(['trial.readRandomisation'])
    record({ event: { name: randomisation.name, isUnblinded: randomisation.unblindedAt !== null } })
    return revealedList(db, randomisation)
  },
})

export const randomisationStateOperations = [sealRandomisation, closeRandomisation, unblindStudy, readList] as const
