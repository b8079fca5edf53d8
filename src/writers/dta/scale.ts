/** The numbers of Stata: days and milliseconds since 1960. */
import { DAY } from '#kernel/time'
import type { Scale } from '#writers/cellNumber'

const DAYS_BEFORE = 3_653
const MICROSECONDS_BEFORE = DAYS_BEFORE * DAY
/** Stata shows the years 100 to 9999. */
const [FIRST_DAY, END_DAY] = [-683_003, 2_932_897]
/** Doubles from here on mean “missing”. */
const FIRST_MISSING = 2 ** 1023

export const STATA_SCALE: Scale = {
  number: (value) => (Number.isFinite(value) && value < FIRST_MISSING ? value : undefined),
  day: (days) => days + DAYS_BEFORE,
  moment(at) {
    const day = Math.floor(at / DAY)
    return day >= FIRST_DAY && day < END_DAY ? (at + MICROSECONDS_BEFORE) / 1_000 : undefined
  },
  time: (seconds) => seconds * 1_000,
  instantOf(value) {
    const milliseconds = Math.floor(value)
    return milliseconds * 1_000 + Math.round((value - milliseconds) * 1_000) - MICROSECONDS_BEFORE
  },
}

/** The types of numbers, by the range of what is not missing. */
const RANGES = [
  ['byte', -127, 100],
  ['int', -32_767, 32_740],
  ['long', -2_147_483_647, 2_147_483_620],
] as const

export type NumberType = (typeof RANGES)[number][0] | 'double'

/** The smallest type for whole numbers in a range; `double` if there is none. */
export const wholeType = (least: number, most: number): NumberType =>
  RANGES.find(([, from, to]) => least >= from && most <= to)?.[0] ?? 'double'

/** Whether a value label can belong to the number. */
export const isLabelled = (value: number): boolean => Number.isInteger(value) && wholeType(value, value) !== 'double'

/** The number of missing values with a letter, `.a` to `.z`. */
export const LETTERS = 26

/** The value that means `.` in each type of whole numbers; those of `.a` to `.z` follow it. */
export const MISSING = { byte: 101, int: 32_741, long: 2_147_483_621 } as const

/** The double that means `.` (letter 0) or `.a` to `.z`. */
export const missingDouble = (letter: number): number => FIRST_MISSING * (1 + letter * 2 ** -12)

/** `.a` for 1. */
export const letterOf = (letter: number): string => `.${String.fromCharCode(96 + letter)}`
