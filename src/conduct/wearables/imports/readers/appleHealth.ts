/**
 * Reads the export of Apple Health: `export.xml`, of hundreds of MB, line by line. Phone and watch count the same steps, so the
 * value of a day is that of the source with the most.
 */
import { clockReading, possibleDuration } from '#conduct/wearables/providers/clocks'
import { type NewRecord, type Reading, readingRecords, recordOf } from '#conduct/wearables/providers/records'
import { refuse } from '#kernel/problem'
import { isDay } from '#kernel/time'
import { appleSleeps, type Segment, type TimedSegment, timedSegment } from './appleSleep'
import { elementsOf } from './appleXml'
import { mapValid, numberOf, type Part, type Reader, unreadEntries, unreadFiles } from './reader'

/** What is summed over a day, and how much one unit of it is. */
const SUMS: Readonly<Record<string, readonly [field: string, units: Readonly<Record<string, number>>]>> = {
  HKQuantityTypeIdentifierStepCount: ['steps', { count: 1 }],
  HKQuantityTypeIdentifierDistanceWalkingRunning: [
    'distance',
    { m: 1, km: 1000, mi: 1609.344, ft: 0.3048, yd: 0.9144 },
  ],
  HKQuantityTypeIdentifierFlightsClimbed: ['floors', { count: 1 }],
  HKQuantityTypeIdentifierActiveEnergyBurned: ['activeEnergy', { kcal: 1, Cal: 1, kJ: 1 / 4.184, cal: 0.001 }],
}
const RESTING = 'HKQuantityTypeIdentifierRestingHeartRate'
const GLUCOSE = 'HKQuantityTypeIdentifierBloodGlucose'
const SLEEP = 'HKCategoryTypeIdentifierSleepAnalysis'

/** By day, field and source. */
type Totals = Map<string, Map<string, Map<string, number>>>

function add(totals: Totals, day: string, field: string, source: string, value: number): void {
  const fields = totals.get(day) ?? new Map<string, Map<string, number>>()
  const sources = fields.get(field) ?? new Map<string, number>()
  sources.set(source, (sources.get(source) ?? 0) + value)
  fields.set(field, sources)
  totals.set(day, fields)
}

type Attributes = (name: string) => string | undefined

function readingOf(attribute: Attributes): Reading | undefined {
  const clock = clockReading(attribute('startDate'))
  const [value, unit] = [numberOf(attribute('value')), attribute('unit') ?? '']
  if (!clock || value === undefined) return undefined
  if (unit === 'mg/dL') return { ...clock, mgPerDl: value }
  return unit.startsWith('mmol<') ? { ...clock, mmolPerL: value } : undefined
}

const MINUTES: Readonly<Record<string, number>> = { min: 1, s: 1 / 60, hr: 60 }

function workoutOf(attribute: Attributes): NewRecord | undefined {
  const [start, end] = [clockReading(attribute('startDate')), clockReading(attribute('endDate'))]
  if (!start) return undefined
  const [duration, unit] = [numberOf(attribute('duration')), MINUTES[attribute('durationUnit') ?? '']]
  return recordOf(
    'activity',
    { key: attribute('startDate')!, day: start.at.slice(0, 10) },
    {
      start: start.at,
      end: end?.at,
      utcOffset: start.utcOffset,
      type: attribute('workoutActivityType')?.replace(/^HKWorkoutActivityType/, ''),
      minutes: possibleDuration(
        duration === undefined || unit === undefined ? undefined : Math.round(duration * unit * 1000) / 1000,
      ),
    },
  )
}

/** Of each field the total of the source with the most. */
const dayOf = (day: string, fields: ReadonlyMap<string, ReadonlyMap<string, number>>, resting: number | undefined) => {
  const values = [...fields].map(([field, sources]) => [field, Math.round(Math.max(...sources.values()) * 1000) / 1000])
  return recordOf('daily', { key: day, day }, { ...Object.fromEntries(values), restingHeartRate: resting })
}

/** The day on which an entry began, by the clock of the wearer. */
function dayIn(attribute: Attributes): string | undefined {
  const day = attribute('startDate')?.slice(0, 10) ?? ''
  return isDay(day) ? day : undefined
}

type ExportContent = { records: NewRecord[]; others: number; invalid: number }

async function readExport(part: Part): Promise<ExportContent> {
  const totals: Totals = new Map()
  const resting = new Map<string, number>()
  const readings: Reading[] = []
  const sleeps: TimedSegment[] = []
  const records: NewRecord[] = []
  const counts = { others: 0, invalid: 0 }
  for await (const { name, type, attribute } of elementsOf(part)) {
    if (name === 'Workout') records.push(...mapValid([attribute], workoutOf, counts))
    else if (type in SUMS) {
      const [field, units] = SUMS[type]!
      const [value, unit] = [numberOf(attribute('value')), units[attribute('unit') ?? '']]
      const day = dayIn(attribute)
      if (day === undefined || value === undefined || unit === undefined) counts.invalid++
      else add(totals, day, field, attribute('sourceName') ?? '', value * unit)
    } else if (type === SLEEP) sleeps.push(...mapValid([segmentOf(attribute)], timedSegment, counts))
    else if (type === RESTING) {
      const [day, value] = [dayIn(attribute), numberOf(attribute('value'))]
      if (day === undefined || value === undefined) counts.invalid++
      else resting.set(day, value)
    } else if (type === GLUCOSE) readings.push(...mapValid([attribute], readingOf, counts))
    else counts.others++
  }
  const days = new Set([...totals.keys(), ...resting.keys()])
  const daily = [...days].flatMap((day) => dayOf(day, totals.get(day) ?? new Map(), resting.get(day)) ?? [])
  return { records: [...daily, ...appleSleeps(sleeps), ...records, ...readingRecords(readings)], ...counts }
}

const segmentOf = (attribute: Attributes): Segment => ({
  source: attribute('sourceName') ?? '',
  from: attribute('startDate') ?? '',
  to: attribute('endDate') ?? '',
  value: (attribute('value') ?? '').replace(/^HKCategoryValueSleepAnalysis/, ''),
})

export const readAppleHealth: Reader = async (parts) => {
  const part = parts.find(({ name }) => /(^|\/)export\.xml$/i.test(name)) ?? (parts.length === 1 ? parts[0] : undefined)
  if (!part || !/\.xml$/i.test(part.name)) throw refuse.bad('notAppleHealth')
  const { records, others, invalid } = await readExport(part)
  return {
    records,
    unread: [
      ...(others ? [`${others} entries of other kinds, such as single heart rates.`] : []),
      ...unreadEntries(invalid),
      ...unreadFiles(parts.length - 1, 'other content'),
    ],
  }
}
