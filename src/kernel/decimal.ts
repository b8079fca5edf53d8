/** Decimal arithmetic on binary fractions, so that 0.1 + 0.2 is 0.3 and 1.005 rounds to 1.01. */

/** The number without the rounding error of binary fractions: 15 significant digits. */
export const withoutRoundingError = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(15))

/** Rounds half away from zero, as the decimal number that a person sees, not as its binary fraction: 1.005 becomes 1.01. */
export function roundTo(value: number, decimals: number): number {
  const size = Math.abs(withoutRoundingError(value))
  if (size >= 1e15 || !Number.isFinite(size)) return value
  const [digits, exponent = '0'] = String(size).split('e')
  const rounded = Number(`${Math.round(Number(`${digits}e${Number(exponent) + decimals}`))}e${-decimals}`)
  return value < 0 && rounded !== 0 ? -rounded : rounded
}

/** Whether the number has at most this many decimals. */
export function hasDecimals(value: number, decimals: number): boolean {
  if (Number.isInteger(value)) return true // it may be too large to be scaled
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale === value
}

/** Whether the number is a whole count of steps from `base`. */
export function isOnStep(value: number, base: number, step: number): boolean {
  const steps = (value - base) / step
  // The largest error that binary fractions alone can cause: a number that is further off is not on a step.
  const tolerance = ((Math.abs(value) + Math.abs(base)) / step + Math.abs(steps)) * 2 ** -51
  return Math.abs(steps - Math.round(steps)) <= tolerance
}
