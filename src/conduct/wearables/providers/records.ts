/** What wearables measure, in the same terms for all manufacturers, and how new measurements join what is stored (pure). */
import type { hardwareRecords, Measurement, ReplacedMeasurement } from '#db/tables/wearables'
import { isSame } from '#kernel/json'
import { type Instant, isDay } from '#kernel/time'

export type HardwareRow = typeof hardwareRecords.$inferSelect
export type Dataset = HardwareRow['dataset']
export type HardwareService = HardwareRow['service']
export type Source = HardwareRow['source']

/**
 * The fields of each dataset but `egv`, in the order of tables. Distances are in metres, energy in kcal, heart rates per minute.
 * `start` and `end` are clock readings of the wearer, `utcOffset` the minutes by which their clock was ahead of UTC.
 */
export const fieldsOf = {
  daily: [
    ...['steps', 'distance', 'floors', 'energy', 'activeEnergy', 'sedentaryMinutes', 'lightMinutes'],
    ...['moderateMinutes', 'vigorousMinutes', 'restingHeartRate'],
  ],
  sleep: [
    ...['start', 'end', 'utcOffset', 'minutesInBed', 'minutesAsleep', 'minutesAwake', 'deepMinutes', 'lightMinutes'],
    ...['remMinutes', 'efficiency', 'isMain'],
  ],
  activity: [
    ...['start', 'end', 'utcOffset', 'type', 'minutes', 'distance', 'energy', 'steps', 'averageHeartRate'],
    'maxHeartRate',
  ],
  summary: [
    ...['minHeartRate', 'averageHeartRate', 'maxHeartRate', 'belowZonesMinutes', 'fatBurnMinutes', 'cardioMinutes'],
    ...['peakMinutes', 'averageStress', 'maxStress', 'bodyBatteryCharged', 'bodyBatteryDrained'],
  ],
} as const satisfies Record<Exclude<Dataset, 'egv'>, readonly string[]>

/** A glucose reading. `at` is the clock of the wearer, `YYYY-MM-DDTHH:MM:SS`; `status` says why there is no value, or that it is out of range. */
export type Reading = {
  at: string
  utcOffset?: number
  mgPerDl?: number
  mmolPerL?: number
  status?: string
  trend?: string
  rate?: number
}

/** A record as a provider sent it. */
export type NewRecord = { dataset: Dataset; key: string; day: string; measured: Measurement }

/** The longest key and the longest word that a record keeps. */
const LONGEST = 100
const shorten = (text: string): string => text.slice(0, LONGEST).toWellFormed()

/** The record without fields that have no value; undefined if no field has a value, or if its day is not a date. */
export function recordOf(
  dataset: Exclude<Dataset, 'egv'>,
  { key, day }: { key: string; day: string },
  values: Readonly<Record<string, unknown>>,
): NewRecord | undefined {
  const known: readonly string[] = fieldsOf[dataset]
  const entries = known.flatMap((field) => {
    const value = values[field]
    return isStorable(value) ? [[field, typeof value === 'string' ? shorten(value) : value] as const] : []
  })
  if (!entries.length || !isDay(day)) return undefined
  return { dataset, key: shorten(key), day, measured: Object.fromEntries(entries) }
}

const isStorable = (value: unknown): boolean =>
  (typeof value === 'number' && Number.isFinite(value)) ||
  typeof value === 'boolean' ||
  (typeof value === 'string' && value !== '')

/** The most glucose readings of a day: sensors have one every minute or every five. */
export const MOST_READINGS = 3000

/** The readings of each day as one record, in the order of their time. */
export function readingRecords(readings: readonly Reading[]): NewRecord[] {
  const byDay = Map.groupBy(readings, ({ at }) => at.slice(0, 10))
  return [...byDay].map(([day, all]) => ({
    dataset: 'egv',
    key: day,
    day,
    measured: { readings: mergeReadings([], all).readings },
  }))
}

/** Whether both are of the same moment. A file may not say how far the clock was from UTC: then the clock reading decides. */
const isSameMoment = (a: Reading, b: Reading) =>
  a.at === b.at && (a.utcOffset === undefined || b.utcOffset === undefined || a.utcOffset === b.utcOffset)

const compareTimes = (a: Reading, b: Reading) =>
  a.at < b.at ? -1 : a.at > b.at ? 1 : (b.utcOffset ?? 0) - (a.utcOffset ?? 0)

/** What differs between two readings of one moment, but for what only one of them says. */
const isCorrected = (known: Reading, sent: Reading): boolean =>
  (['mgPerDl', 'mmolPerL', 'status'] as const).some((field) => known[field] !== sent[field])

/** The readings with new ones, and those that new ones replaced. What a new one does not say, such as a trend, stays. */
function mergeReadings(
  known: readonly Reading[],
  sent: readonly Reading[],
): { readings: Reading[]; replaced: Reading[] } {
  const readings = known.map((reading) => ({ ...reading }))
  const at = Map.groupBy(readings, (reading) => reading.at)
  const replaced: Reading[] = []
  for (const reading of sent) {
    const same = at.get(reading.at)?.find((each) => isSameMoment(each, reading))
    if (!same) {
      const added = { ...reading }
      readings.push(added)
      at.set(reading.at, [...(at.get(reading.at) ?? []), added])
    } else if (isCorrected(same, reading)) {
      replaced.push({ ...same })
      for (const field of ['mgPerDl', 'mmolPerL', 'status', 'trend', 'rate'] as const) delete same[field]
      Object.assign(same, reading)
    } else Object.assign(same, { ...reading, ...same })
  }
  return { readings: readings.sort(compareTimes), replaced }
}

/** The glucose readings of a day; none of another dataset. */
export const readingsOf = ({ readings }: Measurement): Reading[] => (Array.isArray(readings) ? readings : [])

/** What a stored record becomes when the provider sends it again; undefined if nothing is new. */
export function mergeRecord(
  row: Pick<HardwareRow, 'dataset' | 'measured' | 'replaced' | 'source'>,
  sent: NewRecord,
  { at, source }: { at: Instant; source: Source },
): { measured: Measurement; replaced: ReplacedMeasurement[]; isCorrection: boolean } | undefined {
  const before = (measured: Measurement): ReplacedMeasurement => ({ at, source: row.source, measured })
  if (row.dataset === 'egv') {
    const { readings, replaced } = mergeReadings(readingsOf(row.measured), readingsOf(sent.measured))
    if (isSame(readings, row.measured.readings)) return undefined
    const isCorrection = replaced.length > 0
    const history = isCorrection ? [...row.replaced, before({ readings: replaced })] : row.replaced
    return { measured: { readings }, replaced: history, isCorrection }
  }
  // What is sent of a day may be a part of it, such as one of several files: only what is sent can correct.
  const isPart = source !== row.source || row.dataset === 'daily' || row.dataset === 'summary'
  const values = isPart ? { ...row.measured, ...sent.measured } : sent.measured
  if (isSame(values, row.measured)) return undefined
  return { measured: values, replaced: [...row.replaced, before(row.measured)], isCorrection: true }
}

/** One record for each key: of several in one answer, the last. Readings of one day are joined. */
export function distinctRecords(records: readonly NewRecord[]): NewRecord[] {
  const byKey = new Map<string, NewRecord>()
  for (const record of records) {
    const name = `${record.dataset} ${record.key}`
    const other = byKey.get(name)
    if (!other || record.dataset !== 'egv') byKey.set(name, record)
    else {
      const { readings } = mergeReadings(readingsOf(other.measured), readingsOf(record.measured))
      byKey.set(name, { ...record, measured: { readings } })
    }
  }
  return [...byKey.values()]
}
