import { staffAccount } from '#access/attempts'
import { CONFIRMATION_LIFETIME } from '#access/freshConfirmation'
import { mailRecoveryCodeUsed } from '#accounts/users/notices'
import {
  acceptProof,
  ownAttempts,
  proofEvent,
  proveIdentity,
  requireOwnIdentity,
  requireProof,
} from '#accounts/users/proof'
import { ownAccount, userByEmail, userResponse } from '#accounts/users/store'
import { deleteById, rowById } from '#db/rows'
import { sessions } from '#db/tables/index'
import { operation } from '#http/operation'
import { newSecret, sha256 } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { HOUR, SECOND } from '#kernel/time'
import { shape } from '#wire/schema'
import { Confirmation, ConfirmationInput, Session, SignIn } from './model'
import { confirmSession, insertSession } from './store'

/** A session ends this long after its sign-in, whether it is used or not: a working day. */
const LIFETIME = 12 * HOUR

/** The session cookie. Scripts cannot read it, and browsers send it neither over plain HTTP nor from other sites. */
const cookie = (secret: string, seconds: number) =>
  `trialbox_session=${secret}; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=${seconds}`

const signIn = operation({
  id: 'signIn',
  method: 'POST',
  path: '/sessions',
  summary: 'Sign in to the web app',
  description:
    'Sets the session cookie, which is valid for 12 hours. A request with it that changes something must have the header ' +
    '`X-CSRF-Token` with the `csrfToken` of this response.',
  who: 'anyone',
  needs: 'nothing',
  logs: 'signIn',
  attempts: ({ body }) => staffAccount(body.email),
  body: SignIn,
  secret: true,
  returns: Session,
  prepare: async (context) => {
    const { db, body, request } = context
    // A page of another site must not sign a visitor in to an account that the page chose.
    if (request.headers.get('sec-fetch-site') === 'cross-site') throw refuse.forbidden('signInElsewhere')
    const proof = await proveIdentity(context, userByEmail(db, body.email), body)
    if (!proof) throw refuse.signIn('signInFailed')
    return proof
  },
  run: ({ db, prepared, now, id, client, headers, record }) => {
    const user = acceptProof({ db, now }, prepared)
    if (!user) throw refuse.signIn('signInFailed')
    const secret = newSecret()
    const session = insertSession(db, {
      _id: id(),
      createdAt: now,
      user: user._id,
      hash: sha256(secret),
      csrfToken: newSecret(),
      expiresAt: now + LIFETIME,
      lastSeenAt: now,
      ...client,
    })
    headers['Set-Cookie'] = cookie(secret, LIFETIME / SECOND)
    const { recoveryCode } = proofEvent(prepared)
    if (recoveryCode) mailRecoveryCodeUsed(db, user, now)
    record({ by: { user }, event: { session: session._id, recoveryCode } })
    return { user: userResponse(db, user), csrfToken: session.csrfToken, expiresAt: session.expiresAt }
  },
})

const readSession = operation({
  id: 'readSession',
  method: 'GET',
  path: '/sessions',
  summary: 'Read the current session',
  description: 'For the web app, after a page was loaded again.',
  who: 'session',
  needs: 'nothing',
  returns: Session,
  run: ({ db, caller }) => {
    const session = found(rowById(db, sessions, caller.via.session), 'session')
    const user = userResponse(db, ownAccount(db, caller))
    return { user, csrfToken: session.csrfToken, expiresAt: session.expiresAt }
  },
})

const signOut = operation({
  id: 'signOut',
  method: 'DELETE',
  path: '/sessions',
  summary: 'Sign out of the web app',
  who: 'session',
  needs: 'nothing',
  logs: 'signOut',
  returns: shape({}),
  run: ({ db, caller, headers, record }) => {
    deleteById(db, sessions, caller.via.session)
    headers['Set-Cookie'] = cookie('', 0)
    record({ event: { session: caller.via.session } })
    return {}
  },
})

const confirmIdentity = operation({
  id: 'confirmIdentity',
  method: 'POST',
  path: '/sessions/confirmations',
  summary: 'Confirm your identity',
  description: 'For five minutes afterwards, you can lock, unlock and sign. A wrong password does not end the session.',
  who: 'session',
  needs: 'nothing',
  logs: 'confirmIdentity',
  attempts: ownAttempts,
  body: ConfirmationInput,
  returns: Confirmation,
  prepare: (context) => requireOwnIdentity(context, context.body),
  run: ({ db, caller, prepared, now, record }) => {
    requireProof({ db, now }, prepared)
    record({ event: proofEvent(prepared) })
    confirmSession(db, caller.via.session, now)
    return { confirmedUntil: now + CONFIRMATION_LIFETIME }
  },
})

export const sessionOperations = [signIn, readSession, signOut, confirmIdentity] as const
