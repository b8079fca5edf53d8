/** Reads the archive that Garmin sends of an account: days, sleeps and exercises. Recordings of devices (FIT) are not read. */
import {
  clockAfter,
  clockReading,
  clockReadingAt,
  isOffset,
  possibleDuration,
} from '#conduct/wearables/providers/clocks'
import { type NewRecord, recordOf } from '#conduct/wearables/providers/records'
import { refuse } from '#kernel/problem'
import { type Instant, isDay, MINUTE, parseInstant } from '#kernel/time'
import {
  clockAt,
  divide,
  instantOfMs,
  listOf,
  mapValid,
  numberOf,
  type Part,
  type Reader,
  unreadEntries,
  unreadFiles,
} from './reader'

type Row = Record<string, unknown>
const objectOf = (value: unknown): Row => (typeof value === 'object' && value !== null ? (value as Row) : {})

/** Older archives write a day as an object. */
function dayOf(value: unknown): string | undefined {
  const text = `${objectOf(value).date ?? value}`.slice(0, 10)
  return isDay(text) ? text : undefined
}

const totalStress = (row: Row): Row => {
  const all: unknown = objectOf(row.allDayStress).aggregatorList
  return objectOf(Array.isArray(all) ? all.find((each) => objectOf(each).type === 'TOTAL') : undefined)
}

function daysOf(row: Row): NewRecord[] {
  const day = dayOf(row.calendarDate)
  if (day === undefined) return []
  const key = { key: day, day }
  const [stress, battery] = [totalStress(row), objectOf(row.bodyBattery)]
  const daily = recordOf('daily', key, {
    steps: numberOf(row.totalSteps),
    distance: numberOf(row.totalDistanceMeters),
    energy: numberOf(row.totalKilocalories),
    activeEnergy: numberOf(row.activeKilocalories),
    moderateMinutes: numberOf(row.moderateIntensityMinutes),
    vigorousMinutes: numberOf(row.vigorousIntensityMinutes),
    restingHeartRate: numberOf(row.restingHeartRate),
  })
  const summary = recordOf('summary', key, {
    minHeartRate: numberOf(row.minHeartRate),
    maxHeartRate: numberOf(row.maxHeartRate),
    averageStress: numberOf(stress.averageStressLevel),
    maxStress: numberOf(stress.maxStressLevel),
    bodyBatteryCharged: numberOf(battery.chargedValue),
    bodyBatteryDrained: numberOf(battery.drainedValue),
  })
  return [daily, summary].flatMap((record) => record ?? [])
}

const momentOf = (value: unknown): Instant | undefined => {
  const clock = clockReading(value)
  return clock && parseInstant(`${clock.at}Z`)
}

/** Days without a sleep are in the list too. */
const sleepsIn = async (part: Part) => (await listOf(part)).filter((row) => row.sleepStartTimestampGMT !== undefined)

/** A sleep. The archive has its times in UTC only. */
function sleepOf(row: Row, zone: string): NewRecord | undefined {
  const day = dayOf(row.calendarDate)
  const [from, to] = [momentOf(row.sleepStartTimestampGMT), momentOf(row.sleepEndTimestampGMT)]
  if (day === undefined || from === undefined || to === undefined) return undefined
  const { at: start, utcOffset } = clockAt(from, zone)
  const [deep, light, rem, awake] = [
    row.deepSleepSeconds,
    row.lightSleepSeconds,
    row.remSleepSeconds,
    row.awakeSleepSeconds,
  ].map((seconds) => divide(seconds, 60))
  const asleep = [deep, light, rem].every((minutes) => minutes === undefined)
    ? undefined
    : (deep ?? 0) + (light ?? 0) + (rem ?? 0)
  return recordOf(
    'sleep',
    { key: day, day },
    {
      start,
      end: clockReadingAt(to, utcOffset),
      utcOffset,
      minutesInBed: Math.round((to - from) / MINUTE),
      minutesAsleep: asleep,
      minutesAwake: awake,
      deepMinutes: deep,
      lightMinutes: light,
      remMinutes: rem,
      isMain: true,
    },
  )
}

/** An exercise. Durations are in milliseconds, distances in centimetres. The unit of energy differs by device: it is left out. */
function activityOf(row: Row): NewRecord | undefined {
  const [utc, local] = [instantOfMs(row.beginTimestamp ?? row.startTimeGmt), instantOfMs(row.startTimeLocal)]
  if (utc === undefined) return undefined
  const utcOffset = local === undefined ? 0 : Math.round((local - utc) / MINUTE)
  if (!isOffset(utcOffset)) return undefined
  const start = clockReadingAt(utc, utcOffset)
  const minutes = possibleDuration(divide(row.duration, 60_000))
  return recordOf(
    'activity',
    { key: `${row.activityId ?? utc}`, day: start.slice(0, 10) },
    {
      start,
      end: clockAfter(start, minutes),
      utcOffset,
      type: typeof row.activityType === 'string' ? row.activityType : undefined,
      minutes,
      distance: divide(row.distance, 100),
      steps: numberOf(row.steps),
      averageHeartRate: numberOf(row.avgHr),
      maxHeartRate: numberOf(row.maxHr),
    },
  )
}

const activitiesIn = (rows: readonly Row[]): Row[] =>
  rows.flatMap((row) => {
    const list: unknown = row.summarizedActivitiesExport
    return Array.isArray(list) ? list.map(objectOf) : []
  })

export const readGarmin: Reader = async (parts, zone) => {
  const records: NewRecord[] = []
  const counts = { recordings: 0, others: 0, invalid: 0 }
  let known = 0
  for (const part of parts) {
    const name = part.name.split('/').at(-1)!
    known++
    if (/^UDSFile.*\.json$/i.test(name)) records.push(...(await listOf(part)).flatMap(daysOf))
    else if (/sleepData\.json$/i.test(name))
      records.push(...mapValid(await sleepsIn(part), (row) => sleepOf(row, zone), counts))
    else if (/summarizedActivities\.json$/i.test(name))
      records.push(...mapValid(activitiesIn(await listOf(part)), activityOf, counts))
    else {
      known--
      counts[/\.(fit|zip)$/i.test(name) ? 'recordings' : 'others']++
    }
  }
  if (!known) throw refuse.bad('notGarmin')
  return {
    records,
    unread: [
      ...unreadEntries(counts.invalid),
      ...unreadFiles(counts.recordings, 'recordings of devices'),
      ...unreadFiles(counts.others, 'other content'),
    ],
  }
}
