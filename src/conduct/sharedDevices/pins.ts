/** The short numbers with which participants sign in on shared devices. */
import { forgetFailures } from '#access/attempts'
import { OF_PIN, OF_PINS } from '#access/lockout'
import { hashPassword, passwordMatches } from '#accounts/users/passwords'
import type { ParticipantRow } from '#conduct/participants/store'
import type { Db } from '#db/open'
import type { AttemptPolicy } from '#http/operation'
import type { Id } from '#kernel/id'
import { markOf, versionOf, withoutMark } from '#kernel/keyring'
import type { Hasher, Seal } from '#kernel/seal'
import { foldId } from '#kernel/text'
import type { Instant } from '#kernel/time'
import { devicesWithAttempts, savePin } from './store'

/**
 * What is hashed of a PIN. Somebody with a copy of the database could try all PINs against a hash: without the key of the server,
 * which is not in it, they cannot.
 */
const pinText = (key: Hasher, participant: Id, pin: string): string => key.hash(`pin ${participant} ${pin}`)

/** The hash as it is stored, which names the key. */
export async function hashPin(key: Hasher, participant: Id, pin: string): Promise<string> {
  const text = pinText(key, participant, pin)
  return markOf({ version: versionOf(text) }) + (await hashPassword(text))
}

/** Whether it is the PIN of the participant. It takes as long if there is no hash, or its key was forgotten. */
export function pinMatches(seal: Seal, participant: Id, pin: string, stored: string | null): Promise<boolean> {
  const key = stored === null ? undefined : seal.keyOf(stored)
  return passwordMatches(pinText(key ?? seal, participant, pin), key && stored !== null ? withoutMark(stored) : null)
}

/** The hash with the current key of a PIN that was just entered; undefined if the stored one is. */
export const renewedPin = async (seal: Seal, participant: Id, pin: string, stored: string) =>
  seal.keyOf(stored) === seal.keys[0] ? undefined : hashPin(seal, participant, pin)

/**
 * The account of attempts at the PIN of a participant on one device, and their counter on all devices of the trial: many tablets are no
 * way to try more. @param trial undefined if the device is unknown; @param id as it was entered
 */
export const pinAttempts = (device: string, trial: Id | undefined, id: string): AttemptPolicy => ({
  account: `pin ${device}\n${foldId(id.trim())}`,
  policy: OF_PIN,
  ...(trial === undefined ? {} : { sharedCounter: pinsOf(trial, id) }),
})

const pinsOf = (trial: Id, id: string) => ({ name: `pins ${trial}\n${foldId(id.trim())}`, policy: OF_PINS })

/** Saves a new PIN, and forgets the wrong ones that were tried. @param setBy null for the participant themselves */
export function setPin(db: Db, participant: ParticipantRow, hash: string, setBy: Id | null, now: Instant): void {
  savePin(db, { participant: participant._id, hash, setAt: now, setBy })
  forgetFailures(db, pinsOf(participant.trial, participant.id).name, now)
  for (const { _id } of devicesWithAttempts(db, participant.trial))
    forgetFailures(db, pinAttempts(_id, participant.trial, participant.id).account, now)
}
