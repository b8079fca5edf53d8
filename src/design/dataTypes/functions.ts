/** The functions of calculations. */

import { dayIn, type LocalNow } from '#kernel/calendar'
import { roundTo } from '#kernel/decimal'
import { DAY } from '#kernel/time'
import { asDay, asNumber, asTruth, compare, flatten, isEmptyOperand, type Operand } from './operands'

/** Computes a function's value from its operands; null is "no value". `at` gives the time for `today` and `now`. */
type Compute = (operands: readonly Operand[], at: LocalNow | undefined) => Operand
/** A function that takes from `least` to `most` operands. */
type CalculationFunction = { least: number; most: number; compute: Compute }

/** A function of numbers; it has no value if an operand has none. */
const ofNumbers = (least: number, most: number, compute: (...numbers: number[]) => number): CalculationFunction => ({
  least,
  most,
  compute: (operands) => {
    const numbers: number[] = []
    for (const operand of operands) {
      const number = asNumber(operand)
      if (number === null) return null
      numbers.push(number)
    }
    return compute(...numbers)
  },
})

/** A function of all numbers in its operands, such as a Likert's rows. It has no value if one is blank or there are none. */
const ofAll = (compute: (numbers: readonly number[]) => number): CalculationFunction => ({
  least: 1,
  most: 100,
  compute: (operands) => {
    const numbers: number[] = []
    for (const operand of flatten(operands)) {
      const number = asNumber(operand)
      if (number === null) return null
      numbers.push(number)
    }
    return numbers.length ? compute(numbers) : null
  },
})

/** A function of two days, or of one day and today. */
const ofDays = (compute: (from: number, to: number) => number): CalculationFunction => ({
  least: 1,
  most: 2,
  compute: ([first, second], at) => {
    const from = asDay(first ?? null)
    const to = second === undefined ? today(at) : asDay(second)
    return from === null || to === null ? null : compute(from, to)
  },
})

const today = (at: LocalNow | undefined) => (at ? dayIn(at.now, at.zone) : null)

const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

/** Whole months from one day to another, both in days since 1970-01-01; negative if `to` is earlier. */
function monthsBetween(from: number, to: number): number {
  if (to < from) return -monthsBetween(to, from)
  const [a, b] = [new Date(Math.floor(from) * 86_400_000), new Date(Math.floor(to) * 86_400_000)]
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth()
  return b.getUTCDate() < a.getUTCDate() ? months - 1 : months
}

/** How many characters a text or a number has, 0 for a blank; null for anything else. */
function lengthOf(operand: Operand): number | null {
  if (isEmptyOperand(operand)) return 0
  return typeof operand === 'string' || typeof operand === 'number' ? [...String(operand)].length : null
}

/** Every function of calculations, by its lower-case name, except `if`, which computes only one of its branches. */
export const functions: ReadonlyMap<string, CalculationFunction> = new Map(
  Object.entries({
    min: ofAll((numbers) => Math.min(...numbers)),
    max: ofAll((numbers) => Math.max(...numbers)),
    sum: ofAll(total),
    mean: ofAll((numbers) => total(numbers) / numbers.length),
    abs: ofNumbers(1, 1, Math.abs),
    round: ofNumbers(1, 2, (number, decimals = 0) =>
      roundTo(number, Math.max(-10, Math.min(10, Math.trunc(decimals)))),
    ),
    floor: ofNumbers(1, 1, Math.floor),
    ceil: ofNumbers(1, 1, Math.ceil),
    sqrt: ofNumbers(1, 1, Math.sqrt),
    pow: ofNumbers(2, 2, (base, exponent) => base ** exponent),
    exp: ofNumbers(1, 1, Math.exp),
    ln: ofNumbers(1, 1, Math.log),
    log10: ofNumbers(1, 1, Math.log10),
    years: ofDays((from, to) => Math.trunc(monthsBetween(from, to) / 12)),
    months: ofDays(monthsBetween),
    days: ofDays((from, to) => to - from),
    hours: ofDays((from, to) => (to - from) * 24),
    today: { least: 0, most: 0, compute: (_, at) => today(at) },
    now: { least: 0, most: 0, compute: (_, at) => (at ? at.now / DAY : null) },
    isblank: { least: 1, most: 1, compute: ([operand]) => isEmptyOperand(operand ?? null) },
    count: {
      least: 1,
      most: 100,
      compute: (operands) => [...flatten(operands)].filter((operand) => !isEmptyOperand(operand)).length,
    },
    coalesce: {
      least: 1,
      most: 100,
      compute: (operands) => operands.find((operand) => !isEmptyOperand(operand)) ?? null,
    },
    includes: {
      least: 2,
      most: 2,
      compute: ([list, sought]) =>
        isEmptyOperand(list!) || isEmptyOperand(sought!)
          ? null
          : [...flatten([list!])].some((each) => compare(each, sought!) === 0),
    },
    length: { least: 1, most: 1, compute: ([operand]) => lengthOf(operand ?? null) },
    not: {
      least: 1,
      most: 1,
      compute: ([operand]) => {
        const truth = asTruth(operand ?? null)
        return truth === null ? null : !truth
      },
    },
  } satisfies Record<string, CalculationFunction>),
)

/** The names of all functions, for descriptions. */
export const functionNames: readonly string[] = ['if', ...functions.keys()]
