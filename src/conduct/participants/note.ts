import { changedFields } from '#audit/changes'
import { type ParticipantRow, personalFields } from './store'

const OTHER = ['id', 'timezone', 'language', 'isUnallocated', 'allocatedReason', 'isArchived', 'isWithdrawn'] as const

const only = (row: ParticipantRow, fields: readonly (keyof ParticipantRow)[]) =>
  Object.fromEntries(fields.map((field) => [field, row[field]]))

/** The changes of an update for its audit entry, with personal information kept separately. */
export function auditNoteOf(before: ParticipantRow, after: ParticipantRow) {
  const personal = changedFields(only(before, personalFields), only(after, personalFields))
  return {
    participant: after._id,
    event: changedFields(only(before, OTHER), only(after, OTHER)),
    ...(Object.keys(personal.after).length ? { personal } : {}),
  }
}
