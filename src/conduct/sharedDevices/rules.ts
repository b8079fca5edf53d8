/** Rules of shared devices and PINs. Pure. */
import { type Reason, reason } from '#kernel/refusals/reason'
import { type Instant, MINUTE } from '#kernel/time'

export type DeviceState = 'waiting' | 'open' | 'expired' | 'ended'

type Times = { openedAt: Instant | null; expiresAt: Instant; endedAt: Instant | null }

export function stateOf({ openedAt, expiresAt, endedAt }: Times, now: Instant): DeviceState {
  if (endedAt !== null) return 'ended'
  if (expiresAt <= now) return 'expired'
  return openedAt === null ? 'waiting' : 'open'
}

/** What is wrong with a PIN of the right length; undefined if nothing is. Those that most people choose are tried first. */
export function pinProblem(pin: string, participantId: string): Reason | undefined {
  const digits = [...pin].map(Number)
  const steps = new Set(digits.slice(1).map((digit, at) => digit - digits[at]!))
  const isSequence = steps.size === 1 && [-1, 0, 1].includes([...steps][0]!)
  const isInId = participantId.replace(/\D/g, '').padStart(pin.length, '0') === pin
  return isSequence || isInId ? reason('easyPin') : undefined
}

/** A PIN of six digits. @param random gives that many random bytes */
export function randomPin(participantId: string, random: (count: number) => Uint8Array): string {
  for (;;) {
    const number = [...random(4)].reduce((value, byte) => value * 256 + byte, 0)
    // The numbers above the largest multiple of a million would make some PINs likelier.
    if (number >= 4_294_000_000) continue
    const pin = String(number % 1_000_000).padStart(6, '0')
    if (!pinProblem(pin, participantId)) return pin
  }
}

/** How much the clock of a tablet may differ from the server's. */
const DRIFT = 10 * MINUTE

/** Whether answers with these times were given in a session that began then, and lasted at most so long. */
export const isWithinSession = (times: readonly (Instant | undefined)[], began: Instant, longest: Instant): boolean =>
  times.every((at) => at === undefined || (at >= began - DRIFT && at <= began + longest + DRIFT))
