/** Two-step sign-in: the codes that an authenticator shows (RFC 6238; six figures, half a minute each). */
import { Secret, TOTP } from 'otpauth'
import { type Instant, SECOND } from '#kernel/time'
import { text } from '#wire/words'

/** The code as it is typed. */
export const code = () => text(6, 10)

const PERIOD = 30

const of = (secret: string, email: string) =>
  new TOTP({ issuer: 'Trialbox', label: email, secret: Secret.fromBase32(secret), period: PERIOD, digits: 6 })

/** What a secret is sealed as. */
export const totpOf = (user: string): string => `totp ${user}`

/** A new secret, and the address that an authenticator reads from a QR code. */
export function newTotp(email: string): { secret: string; otpauthUrl: string } {
  const secret = new Secret({ size: 20 }).base32
  return { secret, otpauthUrl: of(secret, email).toString() }
}

/**
 * The step of the clock that a code belongs to, one half minute of drift allowed; undefined where the code is wrong, or
 * not newer than the last one used: a code works once.
 */
export function stepOf(typed: string, secret: string, usedStep: number | null, now: Instant): number | undefined {
  const token = typed.replaceAll(' ', '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = of(secret, '').validate({ token, timestamp: now / 1000, window: 1 })
  if (delta === null) return undefined
  const step = Math.floor(now / SECOND / PERIOD) + delta
  return usedStep !== null && step <= usedStep ? undefined : step
}
