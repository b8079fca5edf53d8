/** Whether a form can be filled in now (pure). */
import type { StageDetail } from '#web/form/stage'

/**
 * `ending`: soon. `ended`: its time is over. `gone`: the study does not show it any more. `left`: the person has withdrawn.
 * `unconsented`: a consent is missing.
 */
export type FormStatus = 'open' | 'ending' | 'ended' | 'notYet' | 'gone' | 'left' | 'unconsented'

/** Whether nothing new can be answered. */
export const isClosedStatus = (standing: FormStatus): boolean => standing !== 'open' && standing !== 'ending'

/** How long before its end a form says so, in milliseconds. */
const SOON = 3_600_000

type FormTiming = Pick<StageDetail, 'adHoc' | 'enabled' | 'expired' | 'enableAt' | 'expiresAt' | 'consent'>

/**
 * Where a form stands. The clock of the device counts as it does on the first page: the form may be a copy from before.
 * @param status of the last answer of the server, if it was a refusal
 */
export function formStatusOf(
  { adHoc, enabled, expired, enableAt, expiresAt, consent }: FormTiming,
  { status, hasLeft, now }: { status: number | undefined; hasLeft: boolean; now: number },
): FormStatus {
  if (status === 404) return 'gone'
  if (hasLeft) return 'left'
  if (consent) return 'unconsented'
  if (adHoc) return 'open'
  const left = expiresAt ? Date.parse(expiresAt) - now : Number.POSITIVE_INFINITY
  if (expired || left <= 0) return 'ended'
  if (!enabled && (!enableAt || Date.parse(enableAt) > now)) return 'notYet'
  return left <= SOON ? 'ending' : 'open'
}
