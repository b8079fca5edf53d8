/** How sessions begin. */
import type { RequestContext } from '#http/operation'
import { type Id, newSecret, sha256 } from '#kernel/id'
import { DAY, HOUR } from '#kernel/time'
import type { ConsentFormScope } from './scope'
import { addEvent, insertSession, type SessionRow } from './store'

/** How long a session lasts, by what it is for. */
const LIFETIME = { consent: DAY, withdrawal: HOUR }

/**
 * Who signs, if that is known from the beginning: a participant who is signed in, or one for whom staff start the session in person,
 * with the names of the witness and of others who are there.
 */
type Signer = { participant: Id; startedBy?: Id; witness?: string; present?: string[] }

/** Starts a session. Its token is stored as a hash only. */
export function createSession(
  { db, id, now }: Pick<RequestContext, 'db' | 'id' | 'now'>,
  { trial, form }: Pick<ConsentFormScope, 'trial' | 'form'>,
  kind: SessionRow['kind'],
  signer?: Signer,
) {
  const token = newSecret()
  const expiresAt = now + LIFETIME[kind]
  const key = { _id: id(), createdAt: now, trial: trial._id, form: form._id, version: form.version }
  insertSession(db, { ...key, kind, hash: sha256(token), expiresAt, removeAt: expiresAt + DAY, ...signer })
  addEvent(db, key._id, now, 'started')
  return { _id: key._id, token, expiresAt }
}
