/** PINs for shared devices: staff give them, or participants choose them (docs/shared-tablets.md, "PINs"). */

import { refuseOnSharedDevice } from '#conduct/participantSessions/rules'
import { self } from '#conduct/participantSessions/scope'
import { participant } from '#conduct/participants/scope'
import { operation } from '#http/operation'
import { randomBytes } from '#kernel/cryptography'
import { found, refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { shape } from '#wire/schema'
import { OwnPinInput, OwnPinState, Pin, PinInput, PinState } from './model'
import { hashPin, setPin } from './pins'
import { pinProblem, randomPin } from './rules'
import { deletePin, hasDevice, pinOf } from './store'

function requireGood(pin: string, participantId: string): string {
  const problem = pinProblem(pin, participantId)
  if (problem) throw refuse.invalid({ pin: [problem] }, 'json', undefined, { code: 'easyPin' })
  return pin
}

const setParticipantPin = operation({
  id: 'setParticipantPin',
  method: 'PUT',
  path: '/trials/:trialId/participants/:participantId/pin',
  summary: 'Give a participant a PIN for shared tablets',
  description:
    'Without `pin`, one of six digits is made. It is shown only in this answer. It is useful on tablets of the participant’s own sites only.',
  scope: participant,
  needs: 'trial.write',
  logs: 'setPin',
  body: PinInput,
  secret: true,
  returns: Pin,
  prepare: async ({ services, participant, body }) => {
    const pin = body.pin === undefined ? randomPin(participant.id, randomBytes) : requireGood(body.pin, participant.id)
    return { pin, hash: await hashPin(services.seal, participant._id, pin) }
  },
  run: ({ db, participant, body, prepared: { pin, hash }, caller, now, record }) => {
    if (participant.isArchived) throw refuse.bad('archivedCannotSignIn')
    record({ event: { isMade: body.pin === undefined, replaces: pinOf(db, participant._id) !== undefined } })
    setPin(db, participant, hash, caller.user._id, now)
    return { pin, setAt: now }
  },
})

const readParticipantPin = operation({
  id: 'readParticipantPin',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/pin',
  summary: 'Read whether a participant has a PIN',
  scope: participant,
  needs: 'trial.write',
  returns: PinState,
  run: ({ db, participant }) => ({ setAt: pinOf(db, participant._id)?.setAt ?? null }),
})

const deleteParticipantPin = operation({
  id: 'deleteParticipantPin',
  method: 'DELETE',
  path: '/trials/:trialId/participants/:participantId/pin',
  summary: 'Take away the PIN of a participant',
  scope: participant,
  needs: 'trial.write',
  logs: 'deletePin',
  returns: shape({}),
  run: ({ db, participant, record }) => {
    const { setAt } = found(pinOf(db, participant._id), 'PIN')
    deletePin(db, participant._id)
    record({ event: { setAt: instantText(setAt) } })
    return {}
  },
})

const setOwnPin = operation({
  id: 'setOwnPin',
  method: 'PUT',
  path: '/participants/me/pin',
  summary: 'Choose one’s own PIN for shared tablets',
  description: 'Not on a shared tablet: a person who finds it signed in could choose a PIN there.',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  limit: 10,
  logs: 'setPin',
  body: OwnPinInput,
  sets: ['setAt', 'hasTablet'],
  secret: true,
  returns: OwnPinState,
  prepare: async ({ services, caller, participant, body }) => {
    refuseOnSharedDevice(caller)
    return hashPin(services.seal, participant._id, requireGood(body.pin, participant.id))
  },
  run: ({ db, participant, prepared, now, record }) => {
    record({ event: { replaces: pinOf(db, participant._id) !== undefined } })
    setPin(db, participant, prepared, null, now)
    return { setAt: now, hasTablet: hasDevice(db, participant.trial, participant._id, now) }
  },
})

const readOwnPin = operation({
  id: 'readOwnPin',
  method: 'GET',
  path: '/participants/me/pin',
  summary: 'Read whether one has a PIN for shared tablets',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  returns: OwnPinState,
  run: ({ db, participant, now }) => ({
    setAt: pinOf(db, participant._id)?.setAt ?? null,
    hasTablet: hasDevice(db, participant.trial, participant._id, now),
  }),
})

export const pinOperations = [
  setParticipantPin,
  readParticipantPin,
  deleteParticipantPin,
  setOwnPin,
  readOwnPin,
] as const
