import { User } from '#accounts/users/model'
import { enteredPassword } from '#accounts/users/passwords'
import { code } from '#accounts/users/totp'
import { email, flag, id, instant, list, maybe, orNull, shape, text, whole, withDescription } from '#wire/schema'

/** A user with two-step sign-in must also send `code` (docs/decisions.md, "Accounts"). */
export const SignIn = shape('SignIn', { email: email(), password: enteredPassword(), code: maybe(code()) })

export const Session = shape('Session', { user: User, csrfToken: text(10, 100), expiresAt: instant() })

export const ConfirmationInput = shape('ConfirmationInput', { password: enteredPassword(), code: maybe(code()) })
export const Confirmation = shape('Confirmation', { confirmedUntil: instant() })

const OwnSession = shape('OwnSession', {
  _id: id(),
  createdAt: instant(),
  lastSeenAt: instant(),
  expiresAt: instant(),
  address: withDescription('From where the person signed in.', orNull(text(1, 100))),
  device: withDescription('What the browser says of itself.', orNull(text(1, 300))),
  isCurrent: withDescription('Whether it is the session of this request.', flag()),
})

export const OwnSessions = shape('OwnSessions', { sessions: list(OwnSession, 100), count: whole(0) })
