import { armsVisibleTo } from '#access/armConcealmentStore'
import { operation } from '#http/operation'
import { Participant } from './model'
import { participant } from './scope'
import { participantView } from './store'

const showParticipant = operation({
  id: 'readParticipant',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId',
  summary: 'Read one participant; the view is logged',
  scope: participant,
  needs: 'trial.readParticipants',
  isAccessLogged: true,
  logs: 'viewParticipant',
  returns: Participant,
  run: ({ db, access, participant, places }) => participantView(db, participant, places, armsVisibleTo(access)),
})

export const participantOperations = [showParticipant] as const
