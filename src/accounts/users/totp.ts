/** Two-step sign-in: the codes that an authenticator shows (RFC 6238; six digits, 30 seconds each). */
import { Secret, TOTP } from 'otpauth'
import { normalizeCode } from '#kernel/digits'
import { type Instant, SECOND } from '#kernel/time'
import { text } from '#wire/schema'

/** The model of a code as a person types it, possibly with spaces: of an authenticator, or a recovery code. */
export const code = () => text(6, 20)

const PERIOD = 30

const totpOf = (secret: string, email: string) =>
  new TOTP({ issuer: 'Trialbox', label: email, secret: Secret.fromBase32(secret), period: PERIOD, digits: 6 })

/** The context under which `seal` encrypts a user's TOTP secret. @param user `_id` */
export const totpSealContext = (user: string): string => `totp ${user}`

/** A new secret in base32, and the `otpauth:` URL that an authenticator reads from a QR code. */
export function newTotp(email: string): { secret: string; otpauthUrl: string } {
  const secret = new Secret({ size: 20 }).base32
  return { secret, otpauthUrl: totpOf(secret, email).toString() }
}

/**
 * The time step of a code, in periods of 30 seconds since 1970; the clock may be off by one period. Undefined if the code is
 * wrong, or not newer than the last one used, since a code works once.
 * @param secret in base32
 * @param usedStep the step of the last code used; null if there is none
 */
export function timeStepOf(input: string, secret: string, usedStep: number | null, now: Instant): number | undefined {
  const token = normalizeCode(input)
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = totpOf(secret, '').validate({ token, timestamp: now / 1000, window: 1 })
  if (delta === null) return undefined
  const step = Math.floor(now / SECOND / PERIOD) + delta
  return usedStep !== null && step <= usedStep ? undefined : step
}
