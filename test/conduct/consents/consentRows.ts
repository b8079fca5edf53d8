/** Consents in the tables, without what leads to them: for tests that need rows and no PDF. */
import type { Db } from '#db/open'
import { insert } from '#db/rows'
import { consentEvents, consentSessions, consents, consentVerifications } from '#db/tables/index'
import { newId, sha256 } from '#kernel/id'

type ConsentFields = {
  trial: string
  form: string
  participant?: string
  at: number
  fullName?: string
  email?: string
  /** Of the form; 1 if left out. */
  version?: number
}

/** A consent with its session, course and a verified address. Returns their `_id`s, and the token of the session. */
export function addConsent(
  db: Db,
  { trial, form, participant, at, fullName = 'Ann Lee', email = 'ann@example.org', version = 1 }: ConsentFields,
) {
  const [session, consent, message] = [newId(at), newId(at), newId(at)]
  const token = session.padEnd(43, '_')
  const key = { createdAt: at, trial, form, version }
  const expiresAt = at + 1_000_000_000_000
  insert(db, consentSessions, { _id: session, ...key, kind: 'consent', hash: sha256(token), expiresAt, participant })
  insert(db, consentEvents, { session, number: 1, createdAt: at, type: 'started', content: {} })
  const verified = { _id: message, createdAt: at, trial, session, method: 'email', address: email } as const
  insert(db, consentVerifications, { ...verified, expiresAt, isSilent: false, verifiedAt: at })
  const file = `${consent}-${'0'.repeat(32)}.pdf`
  const signed = { signatureMethod: 'typed', signature: fullName, file, fileHash: sha256(file) } as const
  const content = { confirmations: {}, initials: {}, ...signed }
  insert(db, consents, { _id: consent, ...key, session, salt: 'salt', participant, fullName, email, ...content })
  return { session, consent, token }
}
