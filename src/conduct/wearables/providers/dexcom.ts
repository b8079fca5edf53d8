/** Dexcom's API, version 3: glucose readings. */

import type { JsonObject } from '#kernel/json'
import { DAY, type Instant, instantText } from '#kernel/time'
import { clockReading } from './clocks'
import { beginOAuth2, finishOAuth2, type OAuth2, refreshOAuth2 } from './oauth2'
import {
  type Outcome,
  outcomeOf,
  type Provider,
  type ProviderContext,
  type ReadRequest,
  type ReadResult,
  rowsIn,
} from './provider'
import { type Reading, readingRecords } from './records'

const KIND: OAuth2 = { service: 'dexcom', scope: 'offline_access', proof: 'fields' }

/** Receivers send late, and some readings are smoothed afterwards. */
const OVERLAP = 2 * DAY
/** The longest window that it answers. */
const WINDOW = 30 * DAY

const word = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\w+/ .-]{1,50}$/.test(value) && value !== 'unknown' ? value : undefined
const numeric = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** A reading. Records of receivers do not say how far their clock was from UTC. */
function readingOf(row: JsonObject): Reading | undefined {
  const clock = clockReading(row.displayTime)
  if (!clock) return undefined
  const value = numeric(row.value)
  const [status, trend, rate] = [word(row.status), word(row.trend), numeric(row.trendRate)]
  const inUnit = row.unit === 'mmol/L' ? 'mmolPerL' : 'mgPerDl'
  if (value === undefined && status === undefined) return undefined
  return {
    ...clock,
    ...(value === undefined ? {} : { [inUnit]: value }),
    ...(status === undefined || status === 'ok' ? {} : { status }),
    ...(trend === undefined || trend === 'none' ? {} : { trend }),
    ...(rate === undefined ? {} : { rate }),
  }
}

const dexcomTime = (at: Instant): string => instantText(at).slice(0, 19)

async function read(
  { access, call, now }: ProviderContext,
  { tokens, from, earliest }: ReadRequest,
): Promise<Outcome<ReadResult>> {
  const start = Math.max(from - OVERLAP, earliest)
  const end = Math.min(start + WINDOW, now)
  if (end <= start) return { is: 'done', value: { records: [], upTo: from, isMore: false } }
  const query = new URLSearchParams({ startDate: dexcomTime(start), endDate: dexcomTime(end) })
  const headers = { Authorization: `Bearer ${tokens.access}` }
  const answer = await call({ method: 'GET', url: `${access.apiUrl}/users/self/egvs?${query}`, headers })
  const outcome = outcomeOf(answer, now, true)
  if (outcome.is !== 'done') return outcome
  const records = readingRecords(rowsIn(outcome.value, 'records').flatMap((row) => readingOf(row) ?? []))
  return { is: 'done', value: { records, upTo: end, isMore: end < now } }
}

export const dexcom: Provider = {
  begin: async (context) => ({ is: 'done', value: beginOAuth2(context, KIND) }),
  finish: (context, pendingSignIn, signInAnswer) => finishOAuth2(context, KIND, pendingSignIn, signInAnswer),
  refresh: (context, tokens) => refreshOAuth2(context, KIND, tokens),
  read,
  // It offers no way to end tokens: the participant can do so at Dexcom.
  end: async () => ({ is: 'done', value: null }),
  intervalSeconds: 3 * 3600,
}
