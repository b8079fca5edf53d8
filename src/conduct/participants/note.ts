import { changedFields } from '#audit/changes'
import type { ParticipantRow } from './store'

const PERSONAL = ['name', 'dob', 'email', 'phone', 'whatsapp'] as const
const NOTED = ['id', 'timezone', 'isUnallocated', 'allocatedReason', 'isArchived', 'isWithdrawn'] as const

const only = (row: ParticipantRow, fields: readonly (keyof ParticipantRow)[]) =>
  Object.fromEntries(fields.map((field) => [field, row[field]]))

/** The changes of an update for its audit entry, with personal information kept separately. */
export function auditNoteOf(before: ParticipantRow, after: ParticipantRow) {
  const personal = changedFields(only(before, PERSONAL), only(after, PERSONAL))
  return {
    participant: after._id,
    event: changedFields(only(before, NOTED), only(after, NOTED)),
    ...(Object.keys(personal.after).length ? { personal } : {}),
  }
}
