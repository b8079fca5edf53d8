import { seesArms } from '#access/concealedStore'
import { operation } from '#http/operation'
import { Participant } from './model'
import { participant } from './scope'
import { viewOf } from './store'

const showParticipant = operation({
  id: 'readParticipant',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId',
  summary: 'Read one participant; the view is logged',
  scope: participant,
  needs: 'trial.readParticipants',
  isLook: true,
  logs: 'viewParticipant',
  returns: Participant,
  run: ({ db, access, participant, places }) => viewOf(db, participant, places, seesArms(access)),
})

export const participantOperations = [showParticipant] as const
