/** Garmin's Health API, by OAuth 1.0a: what devices uploaded, in windows of a day. */

import type { JsonObject } from '#kernel/json'
import { reason } from '#kernel/refusals/reason'
import { DAY, HOUR, type Instant, isDay, SECOND } from '#kernel/time'
import type { ServiceCall } from '#outbox/serviceCalls'
import { clockAfter, clockReadingAt, isOffset, isPossibleMoment, possibleDuration } from './clocks'
import { requestNonceAt, signedCall, tokenIn } from './oauth1'
import {
  type Outcome,
  outcomeOf,
  type Provider,
  type ProviderContext,
  type ReadRequest,
  type ReadResult,
  returnUrl,
  rowsIn,
  type Tokens,
} from './provider'
import { type NewRecord, recordOf } from './records'

/** What was uploaded longer ago is not offered any more. */
const RETENTION = 7 * DAY
const WINDOW = DAY
/** It may offer an upload some time after it came. */
const OVERLAP = HOUR

type Row = JsonObject
const numeric = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined
const minutes = (seconds: unknown): number | undefined => {
  const number = numeric(seconds)
  return possibleDuration(number === undefined ? undefined : Math.round((number / 60) * 1000) / 1000)
}

/** When it began and ended by the clock of the wearer. */
function timesOf(row: Row) {
  const [start, offset] = [row.startTimeInSeconds, row.startTimeOffsetInSeconds].map(numeric)
  const utcOffset = Math.round((offset ?? 0) / 60)
  if (start === undefined || !isPossibleMoment(start * SECOND) || !isOffset(utcOffset)) return undefined
  const clock = clockReadingAt(start * SECOND, utcOffset)
  return { start: clock, end: clockAfter(clock, minutes(row.durationInSeconds)), utcOffset }
}

function daysOf(row: Row): NewRecord[] {
  const day = `${row.calendarDate}`
  if (!isDay(day)) return []
  const key = { key: day, day }
  const energies = [row.activeKilocalories, row.bmrKilocalories].map(numeric)
  const daily = recordOf('daily', key, {
    steps: numeric(row.steps),
    distance: numeric(row.distanceInMeters),
    floors: numeric(row.floorsClimbed),
    energy: energies.some((each) => each === undefined) ? undefined : energies[0]! + energies[1]!,
    activeEnergy: energies[0],
    moderateMinutes: minutes(row.moderateIntensityDurationInSeconds),
    vigorousMinutes: minutes(row.vigorousIntensityDurationInSeconds),
    restingHeartRate: numeric(row.restingHeartRateInBeatsPerMinute),
  })
  const stress = (value: unknown) => {
    const number = numeric(value)
    return number !== undefined && number >= 0 ? number : undefined // -1: too little data
  }
  const summary = recordOf('summary', key, {
    minHeartRate: numeric(row.minHeartRateInBeatsPerMinute),
    averageHeartRate: numeric(row.averageHeartRateInBeatsPerMinute),
    maxHeartRate: numeric(row.maxHeartRateInBeatsPerMinute),
    averageStress: stress(row.averageStressLevel),
    maxStress: stress(row.maxStressLevel),
    bodyBatteryCharged: numeric(row.bodyBatteryChargedValue),
    bodyBatteryDrained: numeric(row.bodyBatteryDrainedValue),
  })
  return [daily, summary].flatMap((record) => record ?? [])
}

function sleepsOf(row: Row): NewRecord[] {
  const [day, times] = [`${row.calendarDate}`, timesOf(row)]
  if (!isDay(day) || !times) return []
  const [deep, light, rem, awake] = ['deepSleep', 'lightSleep', 'remSleep', 'awake'].map((stage) =>
    minutes(row[`${stage}${stage === 'remSleep' ? 'InSeconds' : 'DurationInSeconds'}`]),
  )
  const asleep = [deep, light, rem].flatMap((each) => each ?? [])
  const record = recordOf(
    'sleep',
    { key: day, day },
    {
      ...times,
      minutesInBed: minutes(row.durationInSeconds),
      minutesAsleep: asleep.length ? asleep.reduce((sum, each) => sum + each, 0) : undefined,
      minutesAwake: awake,
      deepMinutes: deep,
      lightMinutes: light,
      remMinutes: rem,
      isMain: true,
    },
  )
  return record ? [record] : []
}

function activitiesOf(row: Row): NewRecord[] {
  const times = timesOf(row)
  if (!times) return []
  const type = typeof row.activityType === 'string' ? row.activityType.toLowerCase() : undefined
  const record = recordOf(
    'activity',
    { key: `${row.activityId ?? row.summaryId}`, day: times.start.slice(0, 10) },
    {
      ...times,
      type,
      minutes: minutes(row.durationInSeconds),
      distance: numeric(row.distanceInMeters),
      energy: numeric(row.activeKilocalories),
      steps: numeric(row.steps),
      averageHeartRate: numeric(row.averageHeartRateInBeatsPerMinute),
      maxHeartRate: numeric(row.maxHeartRateInBeatsPerMinute),
    },
  )
  return record ? [record] : []
}

const ENDPOINTS: readonly (readonly [path: string, recordsOf: (row: Row) => NewRecord[]])[] = [
  ['dailies', daysOf],
  ['sleeps', sleepsOf],
  ['activities', activitiesOf],
]

const keysOf = (
  { access: { client, secret } }: ProviderContext,
  { access: token, secret: tokenSecret = '' }: Tokens,
) => ({
  client,
  secret,
  token,
  tokenSecret,
})

async function send(
  context: ProviderContext,
  tokens: Tokens,
  call: ServiceCall,
): Promise<Outcome<JsonObject | unknown[]>> {
  const answer = await context.call(signedCall(call, keysOf(context, tokens), requestNonceAt(context.now)))
  const outcome = outcomeOf(answer, context.now, true)
  // Its tokens do not expire: a person has taken them back.
  return outcome.is === 'expired' ? { is: 'revoked', detail: reason('signInEnded') } : outcome
}

async function read(context: ProviderContext, { tokens, from, earliest }: ReadRequest): Promise<Outcome<ReadResult>> {
  const start = Math.floor(Math.max(from - OVERLAP, earliest, context.now - RETENTION) / SECOND)
  const end = Math.min(start + WINDOW / SECOND, Math.floor(context.now / SECOND))
  if (end <= start) return { is: 'done', value: { records: [], upTo: from, isMore: false } }
  const query = `uploadStartTimeInSeconds=${start}&uploadEndTimeInSeconds=${end}`
  const records: NewRecord[] = []
  for (const [path, recordsOf] of ENDPOINTS) {
    const outcome = await send(context, tokens, { method: 'GET', url: `${context.access.apiUrl}/${path}?${query}` })
    if (outcome.is !== 'done') return outcome
    records.push(...rowsIn(outcome.value).flatMap(recordsOf))
  }
  const upTo: Instant = end * SECOND
  return { is: 'done', value: { records, upTo, isMore: context.now - upTo >= SECOND } }
}

/** A token of one of the two steps of the protocol. */
async function token(
  context: ProviderContext,
  call: ServiceCall,
): Promise<Outcome<{ token: string; tokenSecret: string }>> {
  const answer = await context.call(call)
  if (answer.is === 'failed') return { is: 'later', detail: reason('callFailed', { detail: answer.detail }) }
  const found = answer.status < 300 ? tokenIn(answer.text) : undefined
  if (found) return { is: 'done', value: found }
  if (answer.status === 400 || answer.status === 401 || answer.status === 403)
    return { is: 'revoked', detail: reason('signInNotAccepted') }
  return { is: 'later', detail: reason('providerAnswered', { status: answer.status }) }
}

export const garmin: Provider = {
  async begin(context) {
    const { access, now, origin } = context
    const back = returnUrl(origin, 'garmin')
    const call: ServiceCall = { method: 'POST', url: `${access.tokenUrl}/request_token` }
    const outcome = await token(context, signedCall(call, access, requestNonceAt(now), { oauth_callback: back }))
    if (outcome.is === 'revoked') return { is: 'later', detail: outcome.detail }
    if (outcome.is !== 'done') return outcome
    const { token: state, tokenSecret: secret } = outcome.value
    const query = new URLSearchParams({ oauth_token: state, oauth_callback: back })
    return {
      is: 'done',
      value: { url: `${access.signInUrl}?${query}`, pendingSignIn: { state, secret, returnUrl: back } },
    }
  },
  async finish(context, { state, secret = '' }, { verifier = '' }) {
    const { access, now } = context
    const call: ServiceCall = { method: 'POST', url: `${access.tokenUrl}/access_token` }
    const keys = { ...access, token: state, tokenSecret: secret }
    const outcome = await token(context, signedCall(call, keys, requestNonceAt(now), { oauth_verifier: verifier }))
    if (outcome.is !== 'done') return outcome
    const { token: granted, tokenSecret } = outcome.value
    return { is: 'done', value: { tokens: { access: granted, secret: tokenSecret }, scope: null } }
  },
  read,
  async end(context, tokens) {
    const call: ServiceCall = { method: 'DELETE', url: `${context.access.apiUrl}/user/registration` }
    const answer = await context.call(signedCall(call, keysOf(context, tokens), requestNonceAt(context.now)))
    const isOver = answer.is === 'answered' && (answer.status < 300 || [401, 403, 404].includes(answer.status))
    if (isOver) return { is: 'done', value: null }
    const outcome = outcomeOf(answer, context.now, true)
    return outcome.is === 'done' ? { is: 'done', value: null } : outcome
  },
  intervalSeconds: 6 * 3600,
}
