/** Reads the export of Health Connect on Android: a zip with one database. Of several apps, a day has the values of the one with the most. */
import { clockReadingAt, isOffset } from '#conduct/wearables/providers/clocks'
import { type NewRecord, recordOf } from '#conduct/wearables/providers/records'
import { refuse } from '#kernel/problem'
import { type Instant, MINUTE } from '#kernel/time'
import { type HealthDatabase, type HealthRow, type HealthTable, openHealthDatabase } from './healthConnectStore'
import { instantOfMs, mapValid, numberOf, type Part, type Reader, unreadEntries, unreadFiles } from './reader'

/** The largest database, which is in memory as a whole. */
const LARGEST = 200 << 20

const SUMS = [
  ['steps_record_table', 'count', 'steps'],
  ['distance_record_table', 'distance', 'distance'],
  ['floors_climbed_record_table', 'floors', 'floors'],
] as const satisfies readonly (readonly [HealthTable, string, string])[]

/** The types of stages of Health Connect. */
const STAGES = { awake: [1, 7], asleep: [2, 4, 5, 6], light: [4], deep: [5], rem: [6] } as const

const offsetOf = (value: unknown): number => Math.round((numberOf(value) ?? 0) / 60)

/** A moment as the wearer's clock showed it. */
function clockOf(time: unknown, offset: unknown) {
  const at = instantOfMs(time)
  const utcOffset = offsetOf(offset)
  return at === undefined || !isOffset(utcOffset)
    ? undefined
    : { instant: at, utcOffset, at: clockReadingAt(at, utcOffset) }
}

type UnreadCounts = { invalid: number }
type Totals = Map<string, Map<unknown, number>>

/** Of each day the total of the app with the most. */
function totalsOf(db: HealthDatabase, table: HealthTable, column: string, counts: UnreadCounts): Map<string, number> {
  const days: Totals = new Map()
  for (const row of db.rows(table)) {
    const [clock, value] = [clockOf(row.start_time, row.start_zone_offset), numberOf(row[column])]
    if (!clock || value === undefined) {
      counts.invalid++
      continue
    }
    const day = clock.at.slice(0, 10)
    const apps = days.get(day) ?? new Map<unknown, number>()
    apps.set(row.app_info_id, (apps.get(row.app_info_id) ?? 0) + value)
    days.set(day, apps)
  }
  return new Map([...days].map(([day, apps]) => [day, Math.round(Math.max(...apps.values()) * 1000) / 1000]))
}

function dailyOf(db: HealthDatabase, counts: UnreadCounts): NewRecord[] {
  const days = new Map<string, Record<string, number>>()
  const set = (day: string, field: string, value: number) => days.set(day, { ...days.get(day), [field]: value })
  for (const [table, column, field] of SUMS)
    for (const [day, value] of totalsOf(db, table, column, counts)) set(day, field, value)
  for (const row of db.rows('resting_heart_rate_record_table')) {
    const [clock, rate] = [clockOf(row.time, row.zone_offset), numberOf(row.beats_per_minute)]
    if (!clock || rate === undefined) counts.invalid++
    else set(clock.at.slice(0, 10), 'restingHeartRate', rate)
  }
  return [...days].flatMap(([day, values]) => recordOf('daily', { key: day, day }, values) ?? [])
}

type Stage = { from: Instant; to: Instant; type: number }

function stagesOf(db: HealthDatabase): Map<unknown, Stage[]> {
  const byParent = new Map<unknown, Stage[]>()
  for (const { parent_key, stage_start_time, stage_end_time, stage_type } of db.rows('sleep_stages_table')) {
    const [from, to] = [instantOfMs(stage_start_time), instantOfMs(stage_end_time)]
    if (from === undefined || to === undefined || to < from) continue
    const list = byParent.get(parent_key) ?? []
    list.push({ from, to, type: Number(stage_type) })
    byParent.set(parent_key, list)
  }
  return byParent
}

function minutesOf(stages: readonly Stage[] | undefined, types: readonly number[]): number | undefined {
  if (!stages?.length) return undefined
  const sum = stages.reduce((total, { from, to, type }) => total + (types.includes(type) ? to - from : 0), 0)
  return Math.round(sum / MINUTE)
}

function sleepOf(row: HealthRow, stages: readonly Stage[] | undefined): NewRecord | undefined {
  const [from, to] = [clockOf(row.start_time, row.start_zone_offset), clockOf(row.end_time, row.end_zone_offset)]
  if (!from || !to) return undefined
  return recordOf(
    'sleep',
    { key: `${row.app_info_id} ${row.start_time}`, day: to.at.slice(0, 10) },
    {
      start: from.at,
      end: to.at,
      utcOffset: from.utcOffset,
      minutesInBed: Math.round((to.instant - from.instant) / MINUTE),
      minutesAsleep: minutesOf(stages, STAGES.asleep),
      minutesAwake: minutesOf(stages, STAGES.awake),
      deepMinutes: minutesOf(stages, STAGES.deep),
      lightMinutes: minutesOf(stages, STAGES.light),
      remMinutes: minutesOf(stages, STAGES.rem),
    },
  )
}

/** An exercise. Its type is the number by which Health Connect knows it. */
function activityOf(row: HealthRow): NewRecord | undefined {
  const [from, to] = [clockOf(row.start_time, row.start_zone_offset), instantOfMs(row.end_time)]
  if (!from || to === undefined) return undefined
  return recordOf(
    'activity',
    { key: `${row.app_info_id} ${row.start_time}`, day: from.at.slice(0, 10) },
    {
      start: from.at,
      end: clockReadingAt(to, from.utcOffset),
      utcOffset: from.utcOffset,
      type: `${numberOf(row.exercise_type) ?? ''}`,
      minutes: Math.round(((to - from.instant) / MINUTE) * 1000) / 1000,
    },
  )
}

async function bytesOf({ pieces }: Part): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  let size = 0
  for await (const piece of pieces()) {
    size += piece.length
    if (size > LARGEST) throw refuse.bad('databaseTooLarge', { limit: LARGEST >> 20 })
    all.push(piece)
  }
  return Buffer.concat(all)
}

export const readHealthConnect: Reader = async (parts) => {
  const part = parts.find(({ name }) => /\.db$/i.test(name))
  if (!part) throw refuse.bad('notHealthConnect')
  const db = openHealthDatabase(await bytesOf(part))
  try {
    const stages = stagesOf(db)
    const counts = { invalid: 0 }
    const daily = dailyOf(db, counts)
    const sleeps = mapValid(
      [...db.rows('sleep_session_record_table')],
      (row) => sleepOf(row, stages.get(row.row_id)),
      counts,
    )
    const activities = mapValid([...db.rows('exercise_session_record_table')], activityOf, counts)
    const unread = db.others ? [`${db.others} tables of other kinds, such as single heart rates and weights.`] : []
    return {
      records: [...daily, ...sleeps, ...activities],
      unread: [...unread, ...unreadEntries(counts.invalid), ...unreadFiles(parts.length - 1, 'other content')],
    }
  } finally {
    db.close()
  }
}
