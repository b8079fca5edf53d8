import type { ParticipantRow } from '#conduct/participants/store'
import { setAnchorDates } from '#conduct/timeline/milestones'
import type { Db } from '#db/open'
import { deleteWhere, insert, updateWhere } from '#db/rows'
import { participants, participantTokens } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import type { SharedTrial } from '#design/trials/store'
import { storeLastUse } from '#http/lastSeenStore'
import { type Id, newSecret, sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'

/**
 * Signs a participant in. Returns the new token, which is stored only as a hash, and the anchors that the sign-in set.
 * @param device the shared device with which the session ends
 */
export function startSession(db: Db, trial: SharedTrial, participant: ParticipantRow, now: Instant, device?: Id) {
  const token = `tbp_${newSecret()}`
  const row = { hash: sha256(token), participant: participant._id, trial: trial._id }
  insert(db, participantTokens, { ...row, createdAt: now, lastUsedAt: now, device: device ?? null })
  return { token, set: recordSignIn(db, trial, participant, now) }
}

/**
 * Saves the time of a sign-in. A first sign-in also sets `joinedAt` and the anchors that depend on it (docs/decisions.md,
 * "Progress"). Returns what the audit entry keeps of it.
 */
export function recordSignIn(
  db: Db,
  trial: SharedTrial,
  participant: Pick<ParticipantRow, '_id' | 'joinedAt'>,
  now: Instant,
) {
  // A locked database is not changed: the participant then joins with the first sign-in after it is unlocked.
  const joins = participant.joinedAt === null && !trial.isDatabaseLocked
  if (joins) updateWhere(db, participants, { _id: participant._id }, { joinedAt: now })
  storeLastUse(db, 'participants', participant._id, now)
  const milestone = { type: 'participant_login' } as const
  return joins ? setAnchorDates(db, configuration(db, trial).anchors, participant._id, milestone, now) : {}
}

/** Deletes a token. @param hash of the token */
export const endToken = (db: Db, hash: string) => deleteWhere(db, participantTokens, { hash })

/**
 * Saves the device of a participant. It is removed from participants who used it before, so that they do not get another
 * person's notifications. A trigger deletes it when the session ends.
 * @param session the hash of the session's token
 */
export function savePushToken(db: Db, participant: Id, pushToken: string | null, session: string): void {
  if (pushToken !== null) updateWhere(db, participants, { pushToken }, { pushToken: null, pushSession: null })
  const pushSession = pushToken === null ? null : session
  updateWhere(db, participants, { _id: participant }, { pushToken, pushSession })
}

/** `_id` and name of a team. */
export const teamOf = (db: Db, team: Id) =>
  db.$client
    .query<{ _id: Id; name: string }, [{ team: Id }]>('SELECT _id, name FROM teams WHERE _id = $team')
    .get({ team })!
