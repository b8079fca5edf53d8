/** For whom a trial uses a service, and when it is read again (pure). */
import type { TrialSettings } from '#design/trials/settingsModel'
import type { Id } from '#kernel/id'
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '#kernel/time'
import type { Service } from './store'

/** Whether the trial uses the service for a participant in these groups. */
export const isUsedFor = (settings: TrialSettings, service: Service, groups: readonly Id[]): boolean => {
  const only = settings[`${service}Groups`]
  return settings[`${service}Enabled`] && (only === null || only.some((group) => groups.includes(group)))
}

const LONGEST = 12 * HOUR
/** A provider can ask for no longer pause: Garmin keeps data for days only. */
const LONGEST_ASKED = DAY

/**
 * When a reading is tried again after it failed: after a minute, then after twice as long each time, and not before the
 * provider asked for, up to a day.
 * @param failures in a row, this one included; @param wait in seconds
 */
export function retryAt(now: Instant, failures: number, wait = 0): Instant {
  const pause = Math.min(MINUTE * 2 ** Math.min(failures - 1, 20), LONGEST)
  return now + Math.max(pause, Math.min(Math.ceil(wait) * SECOND, LONGEST_ASKED))
}

/** When a service is read next; not for all participants in the same minute. @param spread from 0 to 1 */
export const nextAt = (now: Instant, every: number, spread: number): Instant =>
  now + Math.round(every * (0.9 + 0.2 * spread)) * SECOND
