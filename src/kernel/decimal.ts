/** Decimal arithmetic on binary fractions, so that 0.1 + 0.2 is 0.3 and 1.005 rounds to 1.01. */

/** The number without the noise of binary fractions: 15 significant digits. */
export const clean = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(15)))

/** Rounded half away from zero, judged by the decimal number that is meant. */
export function roundTo(value: number, decimals: number): number {
  const size = Math.abs(clean(value))
  if (size >= 1e15 || !Number.isFinite(size)) return value
  const [digits, exponent = '0'] = String(size).split('e')
  const rounded = Number(`${Math.round(Number(`${digits}e${Number(exponent) + decimals}`))}e${-decimals}`)
  return value < 0 && rounded !== 0 ? -rounded : rounded
}

/** Whether the number is written with at most so many decimals. */
export function hasDecimals(value: number, decimals: number): boolean {
  if (Number.isInteger(value)) return true // and it may be too large to be scaled
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale === value
}

/** Whether the number is a whole count of steps from `base`. */
export function onStep(value: number, base: number, step: number): boolean {
  const steps = (value - base) / step
  // What binary fractions alone can be off by: anything more is a number off its step.
  const noise = ((Math.abs(value) + Math.abs(base)) / step + Math.abs(steps)) * 2 ** -51
  return Math.abs(steps - Math.round(steps)) <= noise
}
