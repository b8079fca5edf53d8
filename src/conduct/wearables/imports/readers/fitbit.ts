/** Reads what Fitbit exports: the archive of an account (Google Takeout, or Fitbit's own), and the csv of its pages. */

import { clockAfter, possibleDuration } from '#conduct/wearables/providers/clocks'
import { sleepOf } from '#conduct/wearables/providers/fitbitValues'
import { type NewRecord, recordOf } from '#conduct/wearables/providers/records'
import { refuse } from '#kernel/problem'
import { parseInstant } from '#kernel/time'
import { readFitbitCsv } from './fitbitCsv'
import {
  americanClock,
  clockAt,
  dailySums,
  divide,
  listOf,
  mapValid,
  numberOf,
  type Part,
  type Reader,
  unreadEntries,
  unreadFiles,
} from './reader'

/** Files with a value a minute, whose times are in UTC, and how much one unit of them is. */
const MINUTES = {
  steps: ['steps', 1],
  distance: ['distance', 100], // centimetres
  calories: ['energy', 1],
} as const

/** Files with a value a day. */
const DAYS = {
  sedentary_minutes: 'sedentaryMinutes',
  lightly_active_minutes: 'lightMinutes',
  moderately_active_minutes: 'moderateMinutes',
  very_active_minutes: 'vigorousMinutes',
} as const

type UnreadCounts = { invalid: number }
type Sums = ReturnType<typeof dailySums>
type Minutes = (typeof MINUTES)[keyof typeof MINUTES]

async function addMinutes(part: Part, [field, unit]: Minutes, zone: string, sums: Sums, counts: UnreadCounts) {
  for (const { dateTime, value } of await listOf(part)) {
    const clock = americanClock(dateTime)
    const number = numberOf(value)
    if (clock === undefined || number === undefined) counts.invalid++
    else sums.add(clockAt(parseInstant(`${clock}Z`)!, zone).at.slice(0, 10), field, number / unit)
  }
}

async function addDays(part: Part, field: string, sums: Sums, counts: UnreadCounts) {
  for (const { dateTime, value } of await listOf(part)) {
    const [day, number] = [americanClock(dateTime)?.slice(0, 10), numberOf(value)]
    if (day === undefined || number === undefined) counts.invalid++
    else sums.set(day, field, number)
  }
}

async function addRestingRates(part: Part, sums: Sums) {
  for (const { dateTime, value } of await listOf(part)) {
    const day = americanClock(dateTime)?.slice(0, 10)
    const rate = numberOf((value as { value?: unknown } | null)?.value)
    // 0 means that the day has none.
    if (day !== undefined && rate) sums.set(day, 'restingHeartRate', rate)
  }
}

const METRES: Readonly<Record<string, number>> = { kilometer: 1000, mile: 1609.344, meter: 1 }

/** An exercise of the archive, whose times are in UTC. */
function exerciseOf(log: Record<string, unknown>, zone: string): NewRecord | undefined {
  const utc = americanClock(log.startTime)
  if (utc === undefined) return undefined
  const { at: start, utcOffset } = clockAt(parseInstant(`${utc}Z`)!, zone)
  const minutes = possibleDuration(divide(log.duration, 60_000))
  const [distance, unit] = [numberOf(log.distance), METRES[`${log.distanceUnit}`.toLowerCase()]]
  return recordOf(
    'activity',
    { key: `${log.logId ?? start}`, day: start.slice(0, 10) },
    {
      start,
      end: clockAfter(start, minutes),
      utcOffset,
      type: typeof log.activityTypeId === 'number' ? `${log.activityTypeId}` : undefined,
      minutes,
      distance: distance === undefined || unit === undefined ? undefined : Math.round(distance * unit * 1000) / 1000,
      energy: numberOf(log.calories),
      steps: numberOf(log.steps),
      averageHeartRate: numberOf(log.averageHeartRate),
    },
  )
}

const roundSums = (sums: Record<string, number>) =>
  Object.fromEntries(Object.entries(sums).map(([field, value]) => [field, Math.round(value * 1000) / 1000]))

const nameIn = (name: string) => name.split('/').at(-1)!.toLowerCase()

export const readFitbit: Reader = async (parts, zone) => {
  const [only] = parts
  if (parts.length === 1 && only && /\.csv$/i.test(only.name)) return readFitbitCsv(only)
  const sums = dailySums()
  const records: NewRecord[] = []
  const counts = { heart: 0, others: 0, invalid: 0 }
  let known = 0
  for (const part of parts) {
    const [, kind = ''] = /^([a-z_]+)-\d[\d-]*\.json$/.exec(nameIn(part.name)) ?? []
    known++
    if (kind in MINUTES) await addMinutes(part, MINUTES[kind as keyof typeof MINUTES], zone, sums, counts)
    else if (kind in DAYS) await addDays(part, DAYS[kind as keyof typeof DAYS], sums, counts)
    else if (kind === 'resting_heart_rate') await addRestingRates(part, sums)
    else if (kind === 'sleep') records.push(...mapValid(await listOf(part), sleepOf, counts))
    else if (kind === 'exercise') records.push(...mapValid(await listOf(part), (log) => exerciseOf(log, zone), counts))
    else {
      known--
      counts[kind === 'heart_rate' ? 'heart' : 'others']++
    }
  }
  if (!known) throw refuse.bad('notFitbit')
  const days = [...sums.days].flatMap(([day, each]) => recordOf('daily', { key: day, day }, roundSums(each)) ?? [])
  return {
    records: [...days, ...records],
    unread: [
      ...unreadEntries(counts.invalid),
      ...unreadFiles(counts.heart, 'the heart rate of every few seconds'),
      ...unreadFiles(counts.others, 'other content'),
    ],
  }
}
