import { operation } from '#http/operation'
import { editParticipants } from './bulk'
import { removeParticipant, removeParticipants } from './deletion'
import { createGrant, showGrant } from './grants'
import { listParticipants } from './list'
import { Participant } from './model'
import { registerParticipants } from './registration'
import { participant } from './scope'
import { staffView } from './store'
import { editParticipant } from './update'

const showParticipant = operation({
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId',
  summary: 'Show one participant; the view is logged',
  scope: participant,
  needs: 'trial.readParticipants',
  logs: 'viewParticipant',
  returns: Participant,
  run: ({ participant, places }) => staffView(participant, places),
})

export const participantOperations = [
  listParticipants,
  registerParticipants,
  editParticipants,
  removeParticipants,
  showParticipant,
  editParticipant,
  removeParticipant,
  showGrant,
  createGrant,
] as const
