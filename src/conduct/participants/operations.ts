import { operation } from '#http/operation'
import { Participant } from './model'
import { participant } from './scope'
import { staffView } from './store'

const showParticipant = operation({
  id: 'readParticipant',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId',
  summary: 'Read one participant; the view is logged',
  scope: participant,
  needs: 'trial.readParticipants',
  logs: 'viewParticipant',
  returns: Participant,
  run: ({ participant, places }) => staffView(participant, places),
})

export const participantOperations = [showParticipant] as const
