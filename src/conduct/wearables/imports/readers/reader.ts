/** What the readers of export files share: their result, and times as the files write them. */
import { clockReading, clockReadingAt, isPossibleMoment } from '#conduct/wearables/providers/clocks'
import type { NewRecord } from '#conduct/wearables/providers/records'
import { refuse } from '#kernel/problem'
import { type Instant, MINUTE } from '#kernel/time'
import { clockOf, zoneOf } from '#kernel/zones'

/** A file that was opened. Of an archive each part is one; the name is its path there. */
export type Part = { name: string; pieces(): AsyncIterable<Uint8Array> }

/** @param zone of the wearer, for files whose times are in UTC */
export type Reader = (parts: readonly Part[], zone: string) => Promise<ReadFile>

/** `unread`: what the file has and is not kept, as sentences. */
export type ReadFile = { records: NewRecord[]; unread: string[] }

/** The largest text that is read as a whole, in bytes. */
const LARGEST_TEXT = 160 << 20

/** The whole text of a part. @throws 400 if it is too large, or not UTF-8 */
export async function textOf({ name, pieces }: Part): Promise<string> {
  const all: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces()) {
    size += piece.length
    if (size > LARGEST_TEXT) throw refuse.bad('partTooLarge', { name, limit: LARGEST_TEXT >> 20 })
    all.push(piece)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(all))
  } catch {
    throw refuse.bad('partNotUnicode', { name })
  }
}

/** The list in a part of JSON. @throws 400 if it is no list of objects */
export async function listOf(part: Part): Promise<Record<string, unknown>[]> {
  let content: unknown
  try {
    content = JSON.parse(await textOf(part))
  } catch (error) {
    throw error instanceof SyntaxError ? refuse.bad('partNotJson', { name: part.name }) : error
  }
  if (!Array.isArray(content)) throw refuse.bad('partNotList', { name: part.name })
  return content.filter((each): each is Record<string, unknown> => typeof each === 'object' && each !== null)
}

const NUMBER = /^-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/

/** A number, or the text of one, which may have commas between thousands: "5,6" is not a number. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value.replaceAll(',', '')) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The number divided by another, such as for seconds as minutes. */
export function divide(value: unknown, by: number): number | undefined {
  const number = numberOf(value)
  return number === undefined ? undefined : Math.round((number / by) * 1e6) / 1e6
}

const two = (text: string) => text.padStart(2, '0')

/** `MM/DD/YY HH:MM:SS` as a clock reading `YYYY-MM-DDTHH:MM:SS`. */
export function americanClock(value: unknown): string | undefined {
  const parts = /^(\d{1,2})\/(\d{1,2})\/(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(`${value}`)
  if (!parts) return undefined
  const [month = '', day = '', year = '', ...time] = parts.slice(1)
  return clockReading(`20${year}-${two(month)}-${two(day)}T${time.join(':')}`)?.at
}

/** The clock reading in a zone of a moment, with the offset of the zone then. */
export function clockAt(at: Instant, zone: string): { at: string; utcOffset: number } {
  const clock = clockOf(zoneOf(zone), at)
  const utcOffset = Math.round((clock - at) / MINUTE)
  return { at: clockReadingAt(at, utcOffset), utcOffset }
}

/** The moment of milliseconds since 1970; undefined if the value is not one. */
export function instantOfMs(value: unknown): Instant | undefined {
  const ms = numberOf(value)
  return ms !== undefined && isPossibleMoment(ms * 1000) ? Math.round(ms) * 1000 : undefined
}

/** Sums by day, of several fields. */
export function dailySums() {
  const days = new Map<string, Record<string, number>>()
  return {
    days,
    add(day: string, field: string, value: number): void {
      const sums = days.get(day) ?? {}
      sums[field] = (sums[field] ?? 0) + value
      days.set(day, sums)
    },
    set(day: string, field: string, value: number): void {
      days.set(day, { ...days.get(day), [field]: value })
    },
  }
}

/** The records made of the rows. Rows that cannot be read are counted in `counts.invalid`. */
export function mapValid<Row, T>(
  rows: readonly Row[],
  from: (row: Row) => T | undefined,
  counts: { invalid: number },
): T[] {
  return rows.flatMap((row) => {
    const each = from(row)
    if (each === undefined) counts.invalid++
    return each ?? []
  })
}

/** How many entries could not be read, as a list of one sentence; empty if all were read. */
export const unreadEntries = (count: number): string[] =>
  count ? [`${count} ${count === 1 ? 'entry' : 'entries'} without a possible time or value.`] : []

/** How many files were not read, as a list of one sentence; empty if all were read. */
export const unreadFiles = (count: number, what: string): string[] =>
  count ? [`${count} ${count === 1 ? 'file' : 'files'} with ${what}.`] : []
