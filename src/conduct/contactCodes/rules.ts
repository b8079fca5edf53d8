/** How long a code is good, how often it may be entered, and how often one is sent. Pure. */
import { refuse } from '#kernel/problem'
import { DAY, type Instant, MINUTE } from '#kernel/time'

/** For how many minutes a code is good, and how often it may be entered. */
export const CODE_MINUTES = 10
export const CODE_TRIES = 5
/** The most codes for one address of a trial within a day. */
export const MAX_CODES_PER_DAY = 20
/** The time over which these are counted. */
export const COUNTING_PERIOD = DAY

/**
 * Refuses (400) a code that is asked for too soon, or too often.
 * @param last when the last one was asked for by the same person or for the same address; 0 if none was
 * @param isOver whether no more are sent
 */
export function requirePause(last: Instant, isOver: boolean, now: Instant): void {
  if (isOver) throw refuse.bad('tooManyCodes')
  if (last > now - MINUTE) throw refuse.bad('tooSoon')
}

type SentCode = { expiresAt: Instant; tries: number; verifiedAt: Instant | null }

/**
 * Checks a try. A wrong one is no refusal: a refusal would undo its count.
 * @param isRight compares what was entered
 * @throws 400 if no code is good any more
 */
export function tryCode<C extends SentCode>(
  sent: C | undefined,
  isRight: (sent: C) => boolean,
  now: Instant,
): { isVerified: boolean; triesLeft: number; change: { verifiedAt: Instant } | { tries: number } | null } {
  if (!sent) throw refuse.bad('noCode')
  if (sent.verifiedAt !== null) return { isVerified: true, triesLeft: CODE_TRIES - sent.tries, change: null }
  if (sent.expiresAt <= now || sent.tries >= CODE_TRIES) throw refuse.bad('codeEnded')
  if (isRight(sent)) return { isVerified: true, triesLeft: CODE_TRIES - sent.tries, change: { verifiedAt: now } }
  const tries = sent.tries + 1
  return { isVerified: false, triesLeft: CODE_TRIES - tries, change: { tries } }
}
