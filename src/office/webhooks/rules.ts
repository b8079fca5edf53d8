import { type Access, holds } from '#access/caller'
import type { Key } from '#access/keys'
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '#kernel/time'
import { type EventType, eventNeeds } from './events'
import type { Inclusion } from './model'

const inclusionNeeds: Readonly<Record<Inclusion, readonly Key[]>> = {
  restrictedAnswers: ['readParticipantStudyData', 'readParticipantStudyDataRestricted'],
  personalInformation: ['readParticipantPersonalInformation', 'readParticipantStudyDataPii'],
}

type Content = { events: readonly string[]; includes: readonly string[] }

/** The permissions on the whole trial that somebody lacks who would have this content sent. */
export function missingPermissions(access: Access, { events, includes }: Content): string[] {
  const needed = [
    ...events.map((event): Key => eventNeeds[event as EventType]),
    ...includes.flatMap((each) => inclusionNeeds[each as Inclusion]),
  ]
  return [...new Set(needed)].filter((key) => !holds(access, key)).map((key) => `trial.${key}`)
}

/** The permissions that decide which answers are sent to a webhook. */
export const accessOfReceiver = ({ includes }: Pick<Content, 'includes'>): Access => ({
  trial: new Set<Key>([
    'readParticipantStudyData',
    ...(includes.includes('restrictedAnswers') ? (['readParticipantStudyDataRestricted'] as const) : []),
    ...(includes.includes('personalInformation') ? (['readParticipantStudyDataPii'] as const) : []),
  ]),
  places: new Map(),
})

/** The delays before the second, third… attempt. After one attempt more than these, in about three days, a delivery has failed. */
export const RETRY_DELAYS: readonly number[] = [
  ...[5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR],
]

/** A webhook to which nothing could be delivered for this long is disabled at the next failure. */
export const FAILING_LIMIT = 5 * DAY

/** From this many failures in a row on, the receiver seems to be down. */
export const DOWN_FAILURES = 10

/** When the next attempt is due after one that failed; undefined if there is none. @param requestedDelay how long the receiver asks to wait */
export function retryAt(tries: number, now: Instant, requestedDelay = 0): Instant | undefined {
  const delay = RETRY_DELAYS[tries - 1]
  return delay === undefined ? undefined : now + Math.max(delay, Math.min(requestedDelay, DAY))
}
