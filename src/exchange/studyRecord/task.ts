/** What a worker thread is told of a study record: JSON through and through. */
import { PackedAccess } from '#access/packed'
import { id, type Of, orNull, shape, text, whole } from '#wire/words'

export const StudyRecordTask = shape({
  trial: id(),
  /** What the record may hold: what who asked for it may see. */
  access: PackedAccess,
  /** When it was asked for, or the database locked, in microseconds. */
  at: whole(),
  /** The stored name to write it under. */
  file: text(1, 200),
  /** Set where it belongs to a lock of the database: then it is refused for any other state than the locked one. */
  dataset: orNull(id()),
})
export type StudyRecordTask = Of<typeof StudyRecordTask>

/** What came of it. */
export type StudyRecord = {
  bytes: number
  sha256: string
  counts: Record<keyof typeof described, number>
  /** Uploads that are not on the disk as they were uploaded; empty unless something is very wrong. */
  amiss: { name: string; problem: string }[]
}

/** What is counted. */
export const described = {
  stages: 'Stages, each with a table of its own.',
  dataTypes: 'Data types in the codebook.',
  participants: 'Participants who are not archived.',
  archivedParticipants: 'Archived participants, who are left out of every export.',
  responses: 'Rows of all tables together.',
  files: 'Uploaded files that responses hold.',
  auditEntries: 'Entries of the audit trail.',
  configurationVersions: 'Versions of the configuration.',
}
