/** Places in lists. A page begins after the place where the one before ended, so that the last is as fast as the first. */

import { reason } from '#kernel/refusals/reason'
import { refuse } from './problem'

/** Writes the place where a page ends, for `next`. */
export const pagePositionText = (place: readonly string[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

/** Reads a place that `placeText` wrote. @param length of it @throws 422 for any other text */
export function readPagePosition(text: string | undefined, length: number): string[] | undefined {
  if (text === undefined) return undefined
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString())
    if (Array.isArray(parts) && parts.length === length && parts.every((part) => typeof part === 'string')) return parts
  } catch {
    // not JSON
  }
  throw refuse.invalid({ after: [reason('notPlace')] }, 'query')
}
