import { refuse } from '#kernel/problem'
import { type Instant, MINUTE } from '#kernel/time'
import type { Staff } from './caller'

/** How long a confirmation of identity is valid. */
export const CONFIRMATION_LIFETIME = 5 * MINUTE

/**
 * Fresh confirmation of identity: a session that confirmed its password within five minutes (docs/review.md, "Fresh
 * confirmation"); else 403.
 */
export function requireFreshConfirmation(caller: Staff, now: Instant): void {
  if ('apiKey' in caller.via) throw refuse.reauth()
  if (caller.via.confirmedAt === null || caller.via.confirmedAt + CONFIRMATION_LIFETIME <= now) throw refuse.reauth()
}
