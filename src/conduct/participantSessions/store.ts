import { eq } from 'drizzle-orm'
import type { ParticipantRow } from '#conduct/participants/store'
import { reach } from '#conduct/timeline/milestones'
import type { Db } from '#db/open'
import { participants, participantTokens, trials } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import type { Trial } from '#design/trials/store'
import { type Id, newSecret, sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Proof } from './rules'

/** The trial with that code, whatever the case (codes are stored in lower case). */
export const trialByCode = (db: Db, code: string): Trial | undefined =>
  db.select().from(trials).where(eq(trials.code, code.trim().toLowerCase())).get()

/**
 * Whether a consent record of the trial was verified with this contact and gave out this code. The service keeps no
 * consent records yet, so nothing proves a consent: the answer is no.
 */
export const consentProves = (_db: Db, _trial: Id, _proof: Proof): boolean => false

/** Signs a participant in: a token that only its holder knows, and what follows from it. */
export function admit(db: Db, trial: Trial, participant: ParticipantRow, now: Instant) {
  const token = `tbp_${newSecret()}`
  db.insert(participantTokens)
    .values({ hash: sha256(token), participant: participant._id, trial: trial._id, createdAt: now, lastUsedAt: now })
    .run()
  return { token, set: seen(db, trial, participant, now) }
}

/**
 * Keeps the time of a sign-in, and at the first of any kind what follows from joining (docs/decisions.md, "Progress"); returns what the audit
 * entry says of it.
 */
export function seen(db: Db, trial: Trial, participant: Pick<ParticipantRow, '_id' | 'joinedAt'>, now: Instant) {
  // A locked database stays as it is: who comes for the first time joins with the first sign-in after it is unlocked.
  const joins = participant.joinedAt === null && !trial.isDatabaseLocked
  const times = joins ? { joinedAt: now, lastSeenAt: now } : { lastSeenAt: now }
  db.update(participants).set(times).where(eq(participants._id, participant._id)).run()
  const milestone = { type: 'participant_login' } as const
  return joins ? reach(db, configuration(db, trial).anchors, participant._id, milestone, now) : {}
}

/** Ends a token, by its hash. */
export const endToken = (db: Db, hash: string) =>
  db.delete(participantTokens).where(eq(participantTokens.hash, hash)).run()

/** Whoever uses the device now is told on it, and nobody who used it before. It ends with the session (a trigger). */
export function savePushToken(db: Db, participant: Id, pushToken: string | null, session: string): void {
  db.$client
    .query('UPDATE participants SET pushToken = NULL, pushSession = NULL WHERE pushToken = ? AND _id <> ?')
    .run(pushToken, participant)
  db.$client
    .query('UPDATE participants SET pushToken = ?, pushSession = ? WHERE _id = ?')
    .run(pushToken, pushToken === null ? null : session, participant)
}

/** {_id, name} of a team. */
export const teamOf = (db: Db, team: Id) =>
  db.$client.query<{ _id: Id; name: string }, [Id]>('SELECT _id, name FROM teams WHERE _id = ?').get(team)!
