import { changes } from '#audit/changes'
import type { ParticipantRow } from './store'

const PERSONAL = ['name', 'dob', 'email', 'phone', 'whatsapp'] as const
const NOTED = ['id', 'timezone', 'isUnallocated', 'allocatedReason', 'isArchived', 'isWithdrawn'] as const

const only = (row: ParticipantRow, fields: readonly (keyof ParticipantRow)[]) =>
  Object.fromEntries(fields.map((field) => [field, row[field]]))

/** What an update changed, for its audit entry: personal information apart. */
export function noteOf(before: ParticipantRow, after: ParticipantRow) {
  const personal = changes(only(before, PERSONAL), only(after, PERSONAL))
  return {
    participant: after._id,
    event: changes(only(before, NOTED), only(after, NOTED)),
    ...(Object.keys(personal.after).length ? { personal } : {}),
  }
}
