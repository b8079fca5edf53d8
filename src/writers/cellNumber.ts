/** Cells as the numbers and texts that programs for statistics store. */
import { dayNumber, secondsOf } from '#kernel/calendar'
import { type Instant, isTimeOfDay } from '#kernel/time'
import { type Cell, momentText } from './cell'
import type { Kind } from './dataset'

/** A cell that is not blank. */
export type FilledCell = Exclude<Cell, null | undefined>

/** The numbers of a program: seconds since 1582 in SPSS, days since 1960 in Stata. Undefined is what the program cannot hold. */
export type Scale = {
  number(value: number): number | undefined
  /** @param days since 1970-01-01 */
  day(days: number): number | undefined
  moment(at: Instant): number | undefined
  /** @param seconds since midnight */
  time(seconds: number): number | undefined
  /** The moment that a number of `moment` means: not always the same one, since a double has 53 bits only. */
  instantOf(value: number): Instant
}

/** The most days whose numbers are kept: the rows of a study have the same few. */
const KEPT_DAYS = 1_000

/** `dayNumber` with a cache of its results. */
function cachedDays(): (day: string) => number | undefined {
  const days = new Map<string, number | undefined>()
  return (day) => {
    if (days.has(day)) return days.get(day)
    const number = dayNumber(day)
    if (days.size >= KEPT_DAYS) days.clear()
    days.set(day, number)
    return number
  }
}

/**
 * Returns a function that returns the number of a cell before the program's scale: days since 1970, microseconds since 1970, seconds
 * since midnight. Undefined if the cell is nothing of this kind.
 */
export function numberIn(kind: Exclude<Kind, 'text'>): (cell: FilledCell) => number | undefined {
  if (kind === 'number') return plainNumber
  const days = cachedDays()
  if (kind === 'day') return (cell) => (typeof cell === 'object' && 'day' in cell ? days(cell.day) : undefined)
  if (kind === 'moment') return (cell) => (typeof cell === 'object' && 'at' in cell ? cell.at : undefined)
  return (cell) =>
    typeof cell === 'object' && 'time' in cell && isTimeOfDay(cell.time) ? secondsOf(cell.time) : undefined
}

function plainNumber(cell: FilledCell): number | undefined {
  if (typeof cell === 'number') return cell
  if (typeof cell === 'boolean') return cell ? 1 : 0
  return typeof cell === 'bigint' && Number.isSafeInteger(Number(cell)) ? Number(cell) : undefined
}

/** What stands for the character NUL, which ends a text in many programs. */
const NUL_SIGN = '\u2400'

/** A cell as text, as csv has it. NUL is the sign for it, and a half of a surrogate pair U+FFFD. */
export function textOf(cell: FilledCell): string {
  if (typeof cell === 'string') return cell.includes('\0') ? cell.replaceAll('\0', NUL_SIGN) : cell
  if (typeof cell !== 'object') return String(cell)
  if ('at' in cell) return momentText(cell.at)
  return textOf('day' in cell ? cell.day : cell.time)
}
