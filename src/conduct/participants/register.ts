import type { Db } from '#db/open'
import type { Note } from '#http/operation'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { addMembership } from './membershipStore'
import { insertParticipant } from './store'

type Registration = {
  _id: Id
  createdAt: Instant
  trial: Id
  participantId: string
  passwordHash: string | null
  isUnallocated?: boolean
  language?: string | null
  groups: readonly Id[]
  sites: readonly Id[]
}

/**
 * Inserts a participant with their sites and groups; the caller must check everything before. Returns the audit note.
 * @param auditFields further fields of the audit entry
 */
export function register(db: Db, registration: Registration, auditFields: Record<string, unknown> = {}): Note {
  const { _id, createdAt, trial, participantId, passwordHash, isUnallocated = false, language = null } = registration
  const { groups, sites } = registration
  insertParticipant(db, { _id, createdAt, trial, id: participantId, passwordHash, isUnallocated, language })
  for (const site of sites) addMembership(db, 'site', _id, site)
  for (const group of groups) addMembership(db, 'group', _id, group)
  const after = { _id, participantId, ...auditFields, groups, sites, passwordSet: passwordHash !== null }
  return { type: 'createParticipant', participant: _id, event: { after } }
}
