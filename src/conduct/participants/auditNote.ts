import { changedFields } from '#audit/changedFields'
import { type ParticipantRow, personalFields } from './store'

const AUDITED_FIELDS = [
  'id',
  'timezone',
  'language',
  'isUnallocated',
  'allocatedReason',
  'isArchived',
  'isWithdrawn',
] as const

const pickFields = (row: ParticipantRow, fields: readonly (keyof ParticipantRow)[]) =>
  Object.fromEntries(fields.map((field) => [field, row[field]]))

/** The changes of an update for its audit entry, with personal information kept separately. */
export function auditNoteOf(before: ParticipantRow, after: ParticipantRow) {
  const personal = changedFields(pickFields(before, personalFields), pickFields(after, personalFields))
  return {
    participant: after._id,
    event: changedFields(pickFields(before, AUDITED_FIELDS), pickFields(after, AUDITED_FIELDS)),
    ...(Object.keys(personal.after).length ? { personal } : {}),
  }
}
