import type { SessionCaller } from '#access/caller'
import { updateById } from '#db/rows'
import { users } from '#db/tables/index'
import { operation, type RequestContext } from '#http/operation'
import { refuse } from '#kernel/problem'
import type { ValueOf } from '#wire/schema'
import { RecoveryCodes, TotpEnabled, TotpProof, TotpSecret, TotpState } from './model'
import { mailTwoStepOff } from './notices'
import {
  acceptProof,
  ownAttempts,
  type Proof,
  proofEvent,
  proveIdentity,
  requireOwnIdentity,
  requireProof,
} from './proof'
import { makeRecoveryCodes } from './recoveryCodes'
import { ownAccount, recoveryCodesLeft, removeTwoStep } from './store'
import { newTotp, timeStepOf, totpSealContext } from './totp'

const readTotp = operation({
  id: 'readTotp',
  method: 'GET',
  path: '/users/me/totp',
  summary: 'Read whether two-step sign-in is on',
  who: 'session',
  needs: 'nothing',
  returns: TotpState,
  run: ({ db, caller }) => ({
    isOn: ownAccount(db, caller).totpSecret !== null,
    recoveryCodesLeft: recoveryCodesLeft(db, caller.user._id),
  }),
})

const beginTotp = operation({
  id: 'beginTotp',
  method: 'POST',
  path: '/users/me/totp',
  summary: 'Set up two-step sign-in',
  description: 'Enter the secret in an authenticator app. Nothing changes until you send its first code with PUT.',
  who: 'session',
  needs: 'nothing',
  logs: 'beginTotp',
  secret: true,
  returns: TotpSecret,
  run: ({ services, db, caller }) => {
    if (ownAccount(db, caller).totpSecret !== null) {
      throw refuse.bad('twoStepOnAlready')
    }
    const totp = newTotp(caller.user.email)
    const totpPending = services.seal.close(totp.secret, totpSealContext(caller.user._id))
    updateById(db, users, caller.user._id, { totpPending })
    return totp
  },
})

const enableTotp = operation({
  id: 'enableTotp',
  method: 'PUT',
  path: '/users/me/totp',
  summary: 'Switch two-step sign-in on',
  description:
    'Only this response contains the recovery codes. Each of them takes the place of a code of the authenticator once.',
  who: 'session',
  needs: 'nothing',
  logs: 'enableTotp',
  attempts: ownAttempts,
  body: TotpProof,
  sets: ['isOn', 'recoveryCodesLeft'],
  secret: true,
  returns: TotpEnabled,
  prepare: async (context) => {
    const { db, caller, body } = context
    const user = ownAccount(db, caller)
    if (user.totpSecret !== null) throw refuse.bad('twoStepOnAlready')
    if (user.totpPending === null) throw refuse.bad('twoStepNotSetUp')
    const proof = await proveIdentity(context, user, { password: body.password })
    if (!proof) throw refuse.wrongProof('wrongProof')
    return proof
  },
  run: ({ services, db, body, prepared, now }) => {
    const user = acceptProof({ db, now }, prepared)
    if (!user?.totpPending) throw refuse.wrongProof('wrongProof')
    const totpUsedStep = timeStepOf(
      body.code,
      services.seal.open(user.totpPending, totpSealContext(user._id)),
      null,
      now,
    )
    if (totpUsedStep === undefined) throw refuse.wrongProof('wrongProof')
    updateById(db, users, user._id, { totpSecret: user.totpPending, totpPending: null, totpUsedStep })
    const recoveryCodes = makeRecoveryCodes(db, services.seal, user._id, now)
    return { isOn: true, recoveryCodesLeft: recoveryCodes.length, recoveryCodes }
  },
})

const disableTotp = operation({
  id: 'disableTotp',
  method: 'DELETE',
  path: '/users/me/totp',
  summary: 'Switch two-step sign-in off',
  who: 'session',
  needs: 'nothing',
  logs: 'disableTotp',
  attempts: ownAttempts,
  body: TotpProof,
  sets: ['isOn'],
  returns: TotpState,
  prepare: requireTwoStep,
  run: ({ db, now, prepared, record }) => {
    const user = requireProof({ db, now }, prepared)
    removeTwoStep(db, user._id)
    mailTwoStepOff(db, user, now)
    record({ event: proofEvent(prepared) })
    return { isOn: false, recoveryCodesLeft: 0 }
  },
})

const createRecoveryCodes = operation({
  id: 'createRecoveryCodes',
  method: 'POST',
  path: '/users/me/recovery-codes',
  summary: 'Make new recovery codes',
  description: 'They replace the earlier ones. Only this response contains them.',
  who: 'session',
  needs: 'nothing',
  logs: 'createRecoveryCodes',
  attempts: ownAttempts,
  body: TotpProof,
  secret: true,
  returns: RecoveryCodes,
  prepare: requireTwoStep,
  run: ({ services, db, now, prepared, record }) => {
    const user = requireProof({ db, now }, prepared)
    record({ event: proofEvent(prepared) })
    return { recoveryCodes: makeRecoveryCodes(db, services.seal, user._id, now) }
  },
})

/** Proves the identity of a caller who has two-step sign-in. Refuses (400) one who has not. */
async function requireTwoStep(
  context: RequestContext<SessionCaller> & { body: ValueOf<typeof TotpProof> },
): Promise<Proof> {
  const proof = await requireOwnIdentity(context, context.body)
  if (proof.secondStep === null) throw refuse.bad('twoStepOff')
  return proof
}

export const totpOperations = [readTotp, beginTotp, enableTotp, disableTotp, createRecoveryCodes] as const
