/** The values of Fitbit's Web API, and of its exports, which have the same logs (pure). */

import { isDay } from '#kernel/time'
import { clockAfter, clockReading, possibleDuration } from './clocks'
import { type NewRecord, recordOf } from './records'

type Row = Record<string, unknown>
export const inner = (value: unknown): Row => (typeof value === 'object' && value !== null ? (value as Row) : {})
const numeric = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** A sleep log. Its times are by the clock of the wearer, and do not say how far that was from UTC. */
export function sleepOf(log: Row): NewRecord | undefined {
  const day = `${log.dateOfSleep}`
  const start = clockReading(log.startTime)?.at
  if (!isDay(day) || start === undefined) return undefined
  const stages = inner(inner(log.levels).summary)
  const minutes = (stage: string) => numeric(inner(stages[stage]).minutes)
  return recordOf(
    'sleep',
    { key: `${log.logId ?? start}`, day },
    {
      start,
      end: clockReading(log.endTime)?.at,
      minutesInBed: numeric(log.timeInBed),
      minutesAsleep: numeric(log.minutesAsleep),
      minutesAwake: numeric(log.minutesAwake),
      deepMinutes: minutes('deep'),
      lightMinutes: minutes('light'),
      remMinutes: minutes('rem'),
      efficiency: numeric(log.efficiency),
      isMain: [log.isMainSleep, log.mainSleep].find((each) => typeof each === 'boolean'),
    },
  )
}

/** A number of a series, which Fitbit writes as text. */
export const textNumber = (value: unknown): number | undefined =>
  numeric(value) ?? (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : undefined)

const METRES: Readonly<Record<string, number>> = { kilometer: 1000, mile: 1609.344 }

/** An exercise of the list of logs. Its name is not kept: the person may have written it. */
export function activityOf(log: Row): NewRecord | undefined {
  const clock = clockReading(log.startTime)
  if (!clock) return undefined
  const { at: start, utcOffset } = clock
  const [duration, distance] = [numeric(log.duration), numeric(log.distance)]
  const minutes = possibleDuration(duration === undefined ? undefined : Math.round(duration / 60) / 1000)
  const metres = METRES[`${log.distanceUnit}`.toLowerCase()]
  return recordOf(
    'activity',
    { key: `${log.logId ?? start}`, day: start.slice(0, 10) },
    {
      start,
      end: clockAfter(start, minutes),
      utcOffset,
      type: numeric(log.activityTypeId) === undefined ? undefined : `${log.activityTypeId}`,
      minutes,
      distance:
        distance === undefined || metres === undefined ? undefined : Math.round(distance * metres * 1000) / 1000,
      energy: numeric(log.calories),
      steps: numeric(log.steps),
      averageHeartRate: numeric(log.averageHeartRate),
    },
  )
}
