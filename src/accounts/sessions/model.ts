import { User } from '#accounts/users/model'
import { enteredPassword } from '#accounts/users/passwords'
import { code } from '#accounts/users/totp'
import { email, instant, maybe, shape, text } from '#wire/words'

/** A user with two-step sign-in must also send `code` (docs/decisions.md, "Accounts"). */
export const SignIn = shape('SignIn', { email: email(), password: enteredPassword(), code: maybe(code()) })

export const Session = shape('Session', { user: User, csrfToken: text(10, 100), expiresAt: instant() })

export const ConfirmationInput = shape('ConfirmationInput', { password: enteredPassword(), code: maybe(code()) })
export const Confirmation = shape('Confirmation', { confirmedUntil: instant() })
