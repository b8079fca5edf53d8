/** The numbers of SAS transport files: doubles of IBM mainframes, and the days and seconds that SAS counts from 1960. */
import { DAY, SECOND } from '#kernel/time'
import type { Scale } from '#writers/cellNumber'

/** The first number that is too large, and the smallest that is not zero. */
const LIMIT = 16 ** 63
const LEAST = 16 ** -65

/** The days from 1960-01-01 to 1970-01-01. */
const DAYS_BETWEEN = 3_653
const SECONDS_BETWEEN = DAYS_BETWEEN * 86_400
/** SAS has dates from 1582-01-01 to 20000-12-31. */
const FIRST_DAY = -141_716
const LAST_DAY = 6_585_790

const isDayOfSas = (days: number): boolean => days >= FIRST_DAY && days <= LAST_DAY

const isNumberOfSas = (value: number): boolean => value === 0 || (Math.abs(value) >= LEAST && Math.abs(value) < LIMIT)

/** Days since 1960, seconds since 1960, seconds since midnight. */
export const SAS_SCALE: Scale = {
  number: (value) => (isNumberOfSas(value) ? value : undefined),
  day: (days) => (isDayOfSas(days) ? days + DAYS_BETWEEN : undefined),
  moment(at) {
    const seconds = Math.floor(at / SECOND)
    return isDayOfSas(Math.floor(at / DAY)) ? SECONDS_BETWEEN + seconds + (at - seconds * SECOND) / SECOND : undefined
  },
  time: (seconds) => seconds,
  instantOf(value) {
    const seconds = Math.floor(value)
    return (seconds - SECONDS_BETWEEN) * SECOND + Math.round((value - seconds) * SECOND)
  },
}

const double = new DataView(new ArrayBuffer(8))
const FRACTION = (1n << 52n) - 1n

/**
 * Writes a number as a double of IBM: a sign, an exponent of 16 in 7 bits, and 56 bits after the point. They are more bits than ours, so
 * nothing is rounded. The number is one of the scale above.
 */
export function writeIbm(bytes: Uint8Array, at: number, value: number): void {
  if (value === 0) return void bytes.fill(0, at, at + 8)
  double.setFloat64(0, Math.abs(value))
  const bits = double.getBigUint64(0)
  // The value is fraction × 2^(power - 52); the fraction has 53 bits.
  const power = Number(bits >> 52n) - 1023
  const exponent = Math.floor(power / 4) + 1
  const fraction = ((bits & FRACTION) | (1n << 52n)) << BigInt(power + 4 - exponent * 4)
  double.setBigUint64(0, fraction)
  for (let byte = 1; byte < 8; byte++) bytes[at + byte] = double.getUint8(byte)
  bytes[at] = (value < 0 ? 0x80 : 0) | (exponent + 64)
}

/** Writes a missing value: `.`, or one of `.A` to `.Z`. @param letter 0 for `.`, 1 for `.A` */
export function writeMissing(bytes: Uint8Array, at: number, letter: number): void {
  bytes.fill(0, at, at + 8)
  bytes[at] = letter ? 0x40 + letter : 0x2e
}
