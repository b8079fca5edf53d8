import { acceptProof, countGuess, proveIdentity } from '#accounts/users/proof'
import { userByEmail, userResponse } from '#accounts/users/store'
import { deleteById, rowById } from '#db/rows'
import { sessions, users } from '#db/tables/index'
import { operation } from '#http/operation'
import { newSecret, sha256 } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { HOUR, MINUTE, SECOND } from '#kernel/time'
import { shape } from '#wire/words'
import { Confirmation, ConfirmationInput, Session, SignIn } from './model'
import { confirmSession, insertSession } from './store'

/** A session ends this long after its sign-in, whether it is used or not: a working day. */
const LIFETIME = 12 * HOUR
const CONFIRMED_FOR = 5 * MINUTE

const WRONG = 'The e-mail address, password or code is not right, or the account is disabled.'

/** The session cookie. Scripts cannot read it, and browsers send it neither over plain HTTP nor from other sites. */
const cookie = (secret: string, seconds: number) =>
  `trialbox_session=${secret}; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=${seconds}`

const signIn = operation({
  method: 'POST',
  path: '/sessions',
  summary: 'Sign in to the web app',
  description: 'Sets the session cookie, for 12 hours. Unsafe requests with it carry `csrfToken` as `X-CSRF-Token`.',
  who: 'anyone',
  needs: 'nothing',
  limit: 10,
  logs: 'signIn',
  body: SignIn,
  secret: true,
  returns: Session,
  prepare: async (asked) => {
    const { db, body, request } = asked
    // A page of another site must not sign a visitor in to an account that the page chose.
    if (request.headers.get('sec-fetch-site') === 'cross-site') throw refuse.forbidden('Sign in on the site itself.')
    countGuess(asked, body.email)
    const proof = await proveIdentity(asked, userByEmail(db, body.email), body)
    if (!proof) throw refuse.signIn(WRONG)
    return proof
  },
  run: ({ db, prepared, now, id, headers, record }) => {
    const user = acceptProof({ db }, prepared)
    if (!user) throw refuse.signIn(WRONG)
    const secret = newSecret()
    const session = insertSession(db, {
      _id: id(),
      createdAt: now,
      user: user._id,
      hash: sha256(secret),
      csrfToken: newSecret(),
      expiresAt: now + LIFETIME,
      lastSeenAt: now,
    })
    headers['Set-Cookie'] = cookie(secret, LIFETIME / SECOND)
    record({ by: { user }, event: { session: session._id } })
    return { user: userResponse(db, user), csrfToken: session.csrfToken, expiresAt: session.expiresAt }
  },
})

const readSession = operation({
  method: 'GET',
  path: '/sessions',
  summary: 'The running session',
  description: 'What the web app needs after a page was loaded anew.',
  who: 'session',
  needs: 'nothing',
  returns: Session,
  run: ({ db, caller }) => {
    const session = rowById(db, sessions, sessionOf(caller))!
    const user = userResponse(db, rowById(db, users, caller.user._id)!)
    return { user, csrfToken: session.csrfToken, expiresAt: session.expiresAt }
  },
})

const signOut = operation({
  method: 'DELETE',
  path: '/sessions',
  summary: 'Sign out of the web app',
  who: 'session',
  needs: 'nothing',
  logs: 'signOut',
  returns: shape({}),
  run: ({ db, caller, headers, record }) => {
    deleteById(db, sessions, sessionOf(caller))
    headers['Set-Cookie'] = cookie('', 0)
    record({ event: { session: sessionOf(caller) } })
    return {}
  },
})

const confirm = operation({
  method: 'POST',
  path: '/sessions/confirmations',
  summary: 'Confirm your identity',
  description: 'Locking, unlocking and signing are possible for five minutes after it. A wrong password ends nothing.',
  who: 'session',
  needs: 'nothing',
  logs: 'confirmIdentity',
  body: ConfirmationInput,
  secret: true,
  returns: Confirmation,
  prepare: async (asked) => {
    const { db, caller, body } = asked
    countGuess(asked, caller.user.email)
    const proof = await proveIdentity(asked, rowById(db, users, caller.user._id), body)
    if (!proof) throw refuse.bad('The password or code is not right.')
    return proof
  },
  run: ({ db, caller, prepared, now }) => {
    if (!acceptProof({ db }, prepared)) throw refuse.bad('The password or code is not right.')
    confirmSession(db, sessionOf(caller), now)
    return { confirmedUntil: now + CONFIRMED_FOR }
  },
})

/** The `_id` of the caller's session. Refuses (403) a caller who uses an API key. */
function sessionOf({ via }: { via: { apiKey: string } | { session: string } }): string {
  if (!('session' in via)) throw refuse.forbidden('This can be done in the web app only, not with an API key.')
  return via.session
}

export const sessionOperations = [signIn, readSession, signOut, confirm] as const
