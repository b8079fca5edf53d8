/** The numbers of SPSS. */
import { DAY, SECOND } from '#kernel/time'
import type { Scale } from '#writers/cellNumber'

/** The widest variable of text, in bytes. SPSS has one more, which ReadStat, and so R and Python, leave out. */
export const TEXT_WIDTH = 32_766

/** The days from 1582-10-14, from which SPSS counts, to 1970-01-01. */
const DAYS_BEFORE = 141_428
const DAY_SECONDS = 86_400
const SECONDS_BEFORE = DAYS_BEFORE * DAY_SECONDS
const FIRST_DAY = 1 - DAYS_BEFORE
/** 10000-01-01. */
const END_DAY = 2_932_897
const isShownDay = (days: number): boolean => days >= FIRST_DAY && days < END_DAY
/** It means “system-missing”, so no answer can have it. */
const MISSING = -Number.MAX_VALUE

/** The numbers of SPSS: dates are seconds since the beginning of the Gregorian calendar. */
export const SPSS_SCALE: Scale = {
  number: (value) => (Number.isFinite(value) && value !== MISSING ? value : undefined),
  day: (days) => (isShownDay(days) ? (days + DAYS_BEFORE) * DAY_SECONDS : undefined),
  moment(at) {
    // Whole seconds and their fraction separately, so that only one rounding remains.
    const seconds = Math.floor(at / SECOND)
    return isShownDay(Math.floor(at / DAY)) ? SECONDS_BEFORE + seconds + (at - seconds * SECOND) / SECOND : undefined
  },
  time: (seconds) => seconds,
  instantOf(value) {
    const seconds = Math.floor(value)
    return (seconds - SECONDS_BEFORE) * SECOND + Math.round((value - seconds) * SECOND)
  },
}
