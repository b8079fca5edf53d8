/** What proves, in an envelope, who was signed in on which tablet, and when. */
import { type Id, isId } from '#kernel/id'
import type { Seal } from '#kernel/seal'
import type { Instant } from '#kernel/time'

export type Pass = { device: Id; participant: Id; began: Instant }

const ABOUT = 'session on a shared device'

export const passOf = (seal: Seal, { device, participant, began }: Pass): string =>
  seal.close(JSON.stringify([device, participant, began]), ABOUT)

/** Undefined if this server did not make it. */
export function readPass(seal: Seal, pass: string): Pass | undefined {
  try {
    const [device, participant, began] = JSON.parse(seal.open(pass, ABOUT))
    return isId(device) && isId(participant) && typeof began === 'number' ? { device, participant, began } : undefined
  } catch {
    return undefined
  }
}
