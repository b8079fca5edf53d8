/** Fitbit's Web API, version 1 and 1.2. */

import { dayNumber, dayText } from '#kernel/calendar'
import type { JsonObject } from '#kernel/json'
import { DAY, type Instant } from '#kernel/time'
import { instantOf, zoneOf } from '#kernel/zones'
import { activityOf, inner, sleepOf, textNumber } from './fitbitValues'
import { basicAuthorization, beginOAuth2, finishOAuth2, type OAuth2, refreshOAuth2 } from './oauth2'
import {
  type Outcome,
  outcomeOf,
  type Provider,
  type ProviderContext,
  type ReadRequest,
  type ReadResult,
  rowsIn,
  type Tokens,
} from './provider'
import { type fieldsOf, type NewRecord, recordOf } from './records'

const KIND: OAuth2 = { service: 'fitbit', scope: 'activity heartrate sleep', proof: 'basic' }

/** Days that are read again each time: devices send late, and Fitbit computes anew. */
const OVERLAP = 7
/** The most days of one reading. */
const WINDOW = 30
const ACTIVITIES = 100

/** The daily series, and how much of our unit one of theirs is. */
const SERIES: readonly (readonly [resource: string, field: (typeof fieldsOf)['daily'][number], unit: number])[] = [
  ['steps', 'steps', 1],
  ['distance', 'distance', 1000],
  ['floors', 'floors', 1],
  ['calories', 'energy', 1],
  ['activityCalories', 'activeEnergy', 1],
  ['minutesSedentary', 'sedentaryMinutes', 1],
  ['minutesLightlyActive', 'lightMinutes', 1],
  ['minutesFairlyActive', 'moderateMinutes', 1],
  ['minutesVeryActive', 'vigorousMinutes', 1],
]

const ZONES: Readonly<Record<string, string>> = {
  'Out of Range': 'belowZonesMinutes',
  'Fat Burn': 'fatBurnMinutes',
  Cardio: 'cardioMinutes',
  Peak: 'peakMinutes',
}

const dayAfter = (day: string, days: number): string =>
  new Date((dayNumber(day)! + days) * 86_400_000).toISOString().slice(0, 10)
/** Of two days. */
const earlier = (a: string, b: string): string => [a, b].sort()[0]!
const later = (a: string, b: string): string => [a, b].sort()[1]!
const startOf = (day: string, zone: string): Instant => instantOf(zoneOf(zone), dayNumber(day)! * DAY)

/** Reads one address. What the participant has not allowed (403) is an empty answer. */
async function get(
  context: ProviderContext,
  { access: token }: Tokens,
  path: string,
): Promise<Outcome<JsonObject | unknown[]>> {
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await context.call({ method: 'GET', url: `${context.access.apiUrl}${path}`, headers })
  if (answer.is === 'answered' && answer.status === 403) return { is: 'done', value: {} }
  return outcomeOf(answer, context.now, false, 'fitbit-rate-limit-reset')
}

type DayValues = Map<string, Record<string, unknown>>
const addTo = (days: DayValues, day: unknown, values: Record<string, unknown>) => {
  if (typeof day === 'string' && dayNumber(day) !== undefined) days.set(day, { ...days.get(day), ...values })
}

/** The zones of the heart rate of each day, and the resting rate. */
function addHeart(row: JsonObject, daily: DayValues, summary: DayValues): void {
  const value = inner(row.value)
  const { restingHeartRate } = value
  if (restingHeartRate !== undefined) addTo(daily, row.dateTime, { restingHeartRate })
  const zones = rowsIn(value, 'heartRateZones').flatMap(({ name, minutes }) => {
    const field = ZONES[`${name}`]
    return field ? [[field, minutes] as const] : []
  })
  if (zones.length) addTo(summary, row.dateTime, Object.fromEntries(zones))
}

/** The exercises that began after a day, page by page: a page begins after the last of the one before. */
async function activitiesAfter(
  context: ProviderContext,
  tokens: Tokens,
  first: string,
  to: string,
): Promise<Outcome<NewRecord[]>> {
  const records: NewRecord[] = []
  for (let after = dayAfter(first, -1), pages = 0; pages < 20; pages++) {
    const query = new URLSearchParams({ afterDate: after, sort: 'asc', limit: `${ACTIVITIES}`, offset: '0' })
    const outcome = await get(context, tokens, `/1/user/-/activities/list.json?${query}`)
    if (outcome.is !== 'done') return outcome
    const rows = rowsIn(outcome.value, 'activities')
    const found = rows.flatMap((row) => activityOf(row) ?? [])
    records.push(...found.filter(({ day }) => day >= first && day <= to))
    const last = found.at(-1)?.measured.start
    if (rows.length < ACTIVITIES || typeof last !== 'string' || last <= after || last.slice(0, 10) > to) break
    after = last
  }
  return { is: 'done', value: records }
}

/** Reads the days that have ended: the day that runs would change with every reading. */
async function read(
  context: ProviderContext,
  { tokens, from, earliest, zone }: ReadRequest,
): Promise<Outcome<ReadResult>> {
  const start = dayText(earliest, zone)
  const since = dayAfter(dayText(from, zone), -OVERLAP)
  const first = later(since, start)
  const yesterday = dayAfter(dayText(context.now, zone), -1)
  const limit = dayAfter(first, WINDOW - 1)
  const to = earlier(limit, yesterday)
  if (to < first) return { is: 'done', value: { records: [], upTo: from, isMore: false } }
  const [daily, summary]: [DayValues, DayValues] = [new Map(), new Map()]
  const heart = await get(context, tokens, `/1/user/-/activities/heart/date/${first}/${to}.json`)
  if (heart.is !== 'done') return heart
  for (const row of rowsIn(heart.value, 'activities-heart')) addHeart(row, daily, summary)
  for (const [resource, field, unit] of SERIES) {
    const series = await get(context, tokens, `/1/user/-/activities/${resource}/date/${first}/${to}.json`)
    if (series.is !== 'done') return series
    for (const { dateTime, value } of rowsIn(series.value, `activities-${resource}`)) {
      const number = textNumber(value)
      if (number !== undefined) addTo(daily, dateTime, { [field]: Math.round(number * unit * 1000) / 1000 })
    }
  }
  const sleeps = await get(context, tokens, `/1.2/user/-/sleep/date/${first}/${to}.json`)
  if (sleeps.is !== 'done') return sleeps
  const activities = await activitiesAfter(context, tokens, first, to)
  if (activities.is !== 'done') return activities
  const of = (dataset: 'daily' | 'summary', days: DayValues) =>
    [...days].flatMap(([day, values]) => recordOf(dataset, { key: day, day }, values) ?? [])
  const slept = rowsIn(sleeps.value, 'sleep').flatMap((log) => sleepOf(log) ?? [])
  const records = [...of('daily', daily), ...of('summary', summary), ...slept, ...activities.value]
  return { is: 'done', value: { records, upTo: startOf(dayAfter(to, 1), zone), isMore: to < yesterday } }
}

export const fitbit: Provider = {
  begin: async (context) => ({ is: 'done', value: beginOAuth2(context, KIND) }),
  finish: (context, pendingSignIn, signInAnswer) => finishOAuth2(context, KIND, pendingSignIn, signInAnswer),
  refresh: (context, tokens) => refreshOAuth2(context, KIND, tokens),
  read,
  async end(context, { refresh, access }) {
    const { call, now } = context
    const answer = await call({
      method: 'POST',
      url: `${context.access.tokenUrl}/revoke`,
      headers: { Authorization: basicAuthorization(context.access) },
      form: { token: refresh ?? access },
    })
    // Tokens that it does not know any more need no end.
    if (answer.is === 'answered' && (answer.status < 300 || answer.status === 400 || answer.status === 401))
      return { is: 'done', value: null }
    const outcome = outcomeOf(answer, now, false, 'fitbit-rate-limit-reset')
    return outcome.is === 'done' ? { is: 'done', value: null } : outcome
  },
  intervalSeconds: 6 * 3600,
}
