/**
 * The metrics of the server, in the text format of Prometheus (docs/running.md, "Monitoring"). Labels are
 * route patterns, methods, numbers and fixed words: never an id, a name, an address or any text that a user entered.
 */
import { statSync } from 'node:fs'
import type { Sqlite } from '#db/open'
import type { HealthReport } from '#http/healthModel'
import { serviceVersion } from '#kernel/version'
import type { OutgoingResult } from '#outbox/outgoing'
import { healthFamilies } from './health'
import { outgoingFamilies, resultOf, webhookRequests } from './outgoing'
import { jobCounts } from './store'
import { family, gauge, type Labels, line } from './text'

/** Upper bounds of the histogram, in seconds. */
const DURATIONS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10]
const ACTS = [1, 2, 4, 8, 16, 32, 64]
/** Whose sign-in a route is. */
const SIGN_INS: Readonly<Record<string, 'staff' | 'participant'>> = {
  '/sessions': 'staff',
  '/participants/sessions': 'participant',
}
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

type Histogram = { bounds: readonly number[]; counts: number[]; sum: number }

export type Metrics = {
  /** @param pattern undefined if the request matched no operation */
  request(request: { method: string; pattern: string | undefined; status: number; milliseconds: number }): void
  /** Counts a message that was sent, will be tried again (`notSent`), or was given up. */
  message(message: { channel: string; status: string }): void
  /** Counts a request to a webhook. */
  webhookRequest(result: OutgoingResult): void
  /** @param acts how many requests shared the commit */
  commit(acts: number): void
  /** How many sign-ins of staff and participants failed. */
  failedSignIns(): number
  /** All metrics with their current values, as text. */
  text(health?: HealthReport): string
}

const histogram = (bounds: readonly number[]): Histogram => ({ bounds, counts: bounds.map(() => 0).concat(0), sum: 0 })

function observe(histogram: Histogram, value: number): void {
  const at = histogram.bounds.findIndex((bound) => value <= bound)
  histogram.counts[at < 0 ? histogram.bounds.length : at]!++
  histogram.sum += value
}

/** The requests with one method to one route pattern. */
type Route = { labels: Labels; statuses: Map<number, number>; durations: Histogram }

/** The route that a request is counted for; added with its first request. */
function routeFor(routes: Map<string, Route>, method: string, pattern: string): Route {
  const known = routes.get(`${method} ${pattern}`)
  if (known) return known
  // A client may send any method: an unknown one must not create a series of its own.
  if (!METHODS.includes(method) && method !== 'other') return routeFor(routes, 'other', pattern)
  const route = { labels: { method, route: pattern }, statuses: new Map(), durations: histogram(DURATIONS) }
  routes.set(`${method} ${pattern}`, route)
  return route
}

function requestFamilies(routes: readonly Route[]): string[] {
  const counts = routes.flatMap(({ labels, statuses }) =>
    [...statuses].map(([status, count]) => line('trialbox_requests_total', { ...labels, status }, count)),
  )
  const durations = routes.flatMap((route) =>
    linesOf('trialbox_request_duration_seconds', route.labels, route.durations),
  )
  const help = 'Time from the start of a request to its response.'
  return [
    family('trialbox_requests_total', 'counter', 'Requests that got a response.', counts),
    family('trialbox_request_duration_seconds', 'histogram', help, durations),
  ]
}

/**
 * Opens the metrics of a server, with all counts at 0.
 * @param sqlite the connection of the service;
 * @param database the path of its file
 */
export function openMetrics(sqlite: Sqlite, database: string): Metrics {
  const routes = new Map<string, Route>()
  const acts = histogram(ACTS)
  const messages = new Map<string, { labels: Labels; count: number }>()
  const failed = { staff: 0, participant: 0 }
  const toWebhooks = webhookRequests()

  return {
    commit: (count) => observe(acts, count),
    message({ channel, status }) {
      const key = `${channel} ${status}`
      const known = messages.get(key)
      if (known) known.count++
      else messages.set(key, { labels: { channel, status }, count: 1 })
    },
    webhookRequest(result) {
      toWebhooks[resultOf(result)]++
    },
    request({ method, pattern = 'none', status, milliseconds }) {
      const route = routeFor(routes, method, pattern)
      route.statuses.set(status, (route.statuses.get(status) ?? 0) + 1)
      observe(route.durations, milliseconds / 1000)
      const kind = status === 401 && method === 'POST' ? SIGN_INS[pattern] : undefined
      if (kind) failed[kind]++
    },
    failedSignIns: () => failed.staff + failed.participant,
    text(health) {
      return [
        family('trialbox_info', 'gauge', 'The version that runs.', [
          line('trialbox_info', { version: serviceVersion }, 1),
        ]),
        ...requestFamilies([...routes.values()]),
        family(
          'trialbox_commit_acts',
          'histogram',
          'Requests that shared one commit to the disk. The count is the number of commits.',
          linesOf('trialbox_commit_acts', {}, acts),
        ),
        family(
          'trialbox_messages_total',
          'counter',
          'Attempts to send a message, by their result; notSent is tried again.',
          [...messages.values()].map(({ labels, count }) => line('trialbox_messages_total', labels, count)),
        ),
        ...outgoingFamilies(sqlite, toWebhooks),
        family(
          'trialbox_jobs',
          'gauge',
          'Jobs by status.',
          jobCounts(sqlite).map(({ status, jobs }) => line('trialbox_jobs', { status }, jobs)),
        ),
        family(
          'trialbox_failed_sign_ins_total',
          'counter',
          'Sign-ins that failed.',
          Object.entries(failed).map(([kind, count]) => line('trialbox_failed_sign_ins_total', { kind }, count)),
        ),
        ...(health ? healthFamilies(health) : []),
        gauge('trialbox_database_bytes', 'Size of the database file.', sizeOf(database)),
        gauge('trialbox_wal_bytes', 'Size of the write-ahead log beside it.', sizeOf(`${database}-wal`)),
        gauge('trialbox_uptime_seconds', 'Time since the process started.', process.uptime()),
        gauge('process_resident_memory_bytes', 'Memory that the process uses.', process.memoryUsage.rss()),
      ].join('')
    },
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** The lines of a histogram: for every bound the number of values up to it; then their sum and their count. */
function linesOf(name: string, labels: Labels, { bounds, counts, sum }: Histogram): string[] {
  let total = 0
  const buckets = counts.map((count, at) => {
    total += count
    return line(`${name}_bucket`, { ...labels, le: bounds[at] ?? '+Inf' }, total)
  })
  return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, total)]
}
