/** The input of a worker thread that writes a study record: plain JSON. */
import { PackedAccess } from '#access/packed'
import { id, type Of, orNull, shape, text, whole } from '#wire/words'

export const StudyRecordTask = shape({
  trial: id(),
  /** What the caller may see, and so what the record may hold. */
  access: PackedAccess,
  /** When it was requested, or the database was locked, in microseconds. */
  at: whole(),
  /** The stored name of the file. */
  file: text(1, 200),
  /** Set if it belongs to a lock of the database: the worker then refuses any state other than the locked one. */
  dataset: orNull(id()),
})
export type StudyRecordTask = Of<typeof StudyRecordTask>

/** The result of writing a study record. */
export type StudyRecord = {
  bytes: number
  sha256: string
  counts: Record<keyof typeof countNames, number>
  /** Uploads that are missing on the disk or differ from what was uploaded; normally empty. */
  amiss: { name: string; problem: string }[]
}

/** The names of the counts in a text. */
export const countNames = {
  stages: 'Stages, each with a table of its own.',
  dataTypes: 'Data types in the codebook.',
  participants: 'Participants who are not archived.',
  archivedParticipants: 'Archived participants, who are left out of every export.',
  responses: 'Rows of all tables together.',
  files: 'Uploaded files that responses hold.',
  auditEntries: 'Entries of the audit trail.',
  configurationVersions: 'Versions of the configuration.',
}
