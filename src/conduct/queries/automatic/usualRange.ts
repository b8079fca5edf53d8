/** The usual range of numbers, by quartiles, so that single outliers do not widen it (pure). */
import type { TextKey } from '#texts/catalogue'

/** The keys of the texts that name a mistake. */
export type UnitMistakeKey = Extract<TextKey, `automaticQuery.slip.${string}`>

/** The range outside which a number is unusual; `middle` is the median. */
export type UsualRange = { middle: number; from: number; to: number }

/** The quantile of a sorted list, interpolated. @param share from 0 to 1 */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const below = Math.floor(place)
  const [low, high] = [sorted[below]!, sorted[Math.min(below + 1, sorted.length - 1)]!]
  return low + (high - low) * (place - below)
}

/**
 * A number is usual up to so many times the distance from the median to the quartile. For a normal distribution, six times are
 * four standard deviations.
 */
const FAR = 6

/**
 * The usual range of numbers. Each side depends on its own quartile, so that skewed data are not reported.
 * @param share of the median that is always usual, even if all numbers are alike
 */
export function usualRangeOf(numbers: readonly number[], share: number, far = FAR): UsualRange {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = quantile(sorted, 0.5)
  const [down, up] = [middle - quantile(sorted, 0.25), quantile(sorted, 0.75) - middle]
  const least = share * Math.abs(middle)
  return {
    middle,
    from: middle - Math.max(far * Math.max(down, up / 4), least),
    to: middle + Math.max(far * Math.max(up, down / 4), least),
  }
}

export const isUsual = ({ from, to }: UsualRange, value: number): boolean => value >= from && value <= to

/** The factor for few numbers, whose quartiles are less certain, is larger. */
const farAmong = (count: number): number => FAR * (1 + 5 / count)

/**
 * Whether a number is far from others. Zeros among the others are left out: where something happens on some days only, the
 * other days say nothing about its amount. If there are any, zero itself is usual. Small whole numbers may vary as counts do.
 * A value that grows by factors, as many laboratory values do, is far only if its logarithm is far too.
 * @param least how many other numbers are needed
 */
export function isFar(others: readonly number[], share: number, least: number, value: number): boolean {
  const numbers = others.filter((number) => number !== 0)
  if (numbers.length < least || (value === 0 && numbers.length < others.length)) return false
  const far = farAmong(numbers.length)
  const usual = usualRangeOf(numbers, share, far)
  if (isUsual(usual, value)) return false
  const isCount = [value, ...numbers].every(Number.isInteger)
  if (isCount && Math.abs(value - usual.middle) <= 3 * Math.sqrt(Math.abs(usual.middle)) + 3) return false
  if (value <= 0 || numbers.some((number) => number < 0)) return true
  return !isUsual(usualRangeOf(numbers.map(Math.log), 0, far), Math.log(value))
}

/** Whether numbers vary so little that one in another unit, or with a misplaced decimal point, would stand out. */
export const areSteady = (numbers: readonly number[]): boolean =>
  numbers.every((number) => number > 0) && Math.max(...numbers) <= 2 * Math.min(...numbers)

/** Whether a value, converted to the right unit, is near the median. */
const isNear = ({ middle, from, to }: UsualRange, value: number): boolean =>
  value >= middle - (middle - from) / 2 && value <= middle + (to - middle) / 2

/** `text`: the key of its words in the catalogue. */
type UnitMistake = { units?: RegExp; names?: RegExp; undo: (value: number) => number; text: UnitMistakeKey }

const scaleMistake = (factor: number, text: UnitMistakeKey): UnitMistake => ({ undo: (value) => value * factor, text })

const unitMistakes: readonly UnitMistake[] = [
  { units: /^(kg|kilograms?)$/i, undo: (value) => value / 2.20462, text: 'automaticQuery.slip.pounds' },
  { units: /^(lbs?|pounds?)$/i, undo: (value) => value * 2.20462, text: 'automaticQuery.slip.kilograms' },
  { units: /^(cm|centimet(re|er)s?)$/i, undo: (value) => value * 2.54, text: 'automaticQuery.slip.inches' },
  { units: /^(in|inch(es)?)$/i, undo: (value) => value / 2.54, text: 'automaticQuery.slip.centimetres' },
  { units: /^(°\s?c|celsius)$/i, undo: (value) => ((value - 32) * 5) / 9, text: 'automaticQuery.slip.fahrenheit' },
  { units: /^(°\s?f|fahrenheit)$/i, undo: (value) => (value * 9) / 5 + 32, text: 'automaticQuery.slip.celsius' },
  {
    units: /^mmol\/l$/i,
    names: /gluc|sugar/i,
    undo: (value) => value / 18.016,
    text: 'automaticQuery.slip.milligrams',
  },
  { units: /^mg\/dl$/i, names: /gluc|sugar/i, undo: (value) => value * 18.016, text: 'automaticQuery.slip.millimoles' },
  scaleMistake(0.1, 'automaticQuery.slip.tenLarge'),
  scaleMistake(10, 'automaticQuery.slip.tenSmall'),
  scaleMistake(0.01, 'automaticQuery.slip.hundredLarge'),
  scaleMistake(100, 'automaticQuery.slip.hundredSmall'),
  scaleMistake(0.001, 'automaticQuery.slip.thousandLarge'),
  scaleMistake(1000, 'automaticQuery.slip.thousandSmall'),
]

/** The probable mistake behind an unusual number; undefined if no known mistake explains it. */
export function unitMistakeOf(
  usual: UsualRange,
  value: number,
  { unit, name }: { unit: string | null; name: string },
  scales = true,
): UnitMistakeKey | undefined {
  if (isUsual(usual, value)) return undefined
  return unitMistakes.find(
    ({ units, names, undo }) =>
      (units || scales) &&
      (!units || units.test(unit?.trim() ?? '')) &&
      (!names || names.test(name)) &&
      isNear(usual, undo(value)),
  )?.text
}
