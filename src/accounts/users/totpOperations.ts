import { updateById } from '#db/rows'
import { users } from '#db/tables/index'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { TotpProof, TotpSecret, TotpState } from './model'
import { acceptProof, ownAttempts, proveIdentity, requireOwnIdentity, requireProof, WRONG } from './proof'
import { ownAccount } from './store'
import { newTotp, timeStepOf, totpSealContext } from './totp'

const readTotp = operation({
  id: 'readTotp',
  method: 'GET',
  path: '/users/me/totp',
  summary: 'Read whether two-step sign-in is on',
  who: 'session',
  needs: 'nothing',
  returns: TotpState,
  run: ({ db, caller }) => ({ isOn: ownAccount(db, caller).totpSecret !== null }),
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
      throw refuse.bad('Two-step sign-in is on already. Switch it off first.')
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
  who: 'session',
  needs: 'nothing',
  logs: 'enableTotp',
  attempts: ownAttempts,
  body: TotpProof,
  returns: TotpState,
  prepare: async (context) => {
    const { db, caller, body } = context
    const user = ownAccount(db, caller)
    if (user.totpSecret !== null) throw refuse.bad('Two-step sign-in is on already.')
    if (user.totpPending === null) throw refuse.bad('Two-step sign-in has not been set up yet.')
    const proof = await proveIdentity(context, user, { password: body.password })
    if (!proof) throw refuse.wrongProof(WRONG)
    return proof
  },
  run: ({ services, db, body, prepared, now }) => {
    const user = acceptProof({ db }, prepared)
    if (!user?.totpPending) throw refuse.wrongProof(WRONG)
    const totpUsedStep = timeStepOf(
      body.code,
      services.seal.open(user.totpPending, totpSealContext(user._id)),
      null,
      now,
    )
    if (totpUsedStep === undefined) throw refuse.wrongProof(WRONG)
    updateById(db, users, user._id, { totpSecret: user.totpPending, totpPending: null, totpUsedStep })
    return { isOn: true }
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
  returns: TotpState,
  prepare: async (context) => {
    const proof = await requireOwnIdentity(context, context.body)
    if (proof.step === null) throw refuse.bad('Two-step sign-in is not on.')
    return proof
  },
  run: ({ db, prepared }) => {
    const user = requireProof({ db }, prepared)
    updateById(db, users, user._id, { totpSecret: null, totpPending: null, totpUsedStep: null })
    return { isOn: false }
  },
})

export const totpOperations = [readTotp, beginTotp, enableTotp, disableTotp] as const
