/** The input of a worker thread that writes a study record: plain JSON. */

import { PackedAccess } from '#access/packedAccess'
import type { TaskKind } from '#jobs/kind'
import { id, maybe, orNull, shape, text, type ValueOf, whole } from '#wire/schema'

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
  /** Who asked for it, for the casebooks. */
  email: maybe(text(0, 200)),
})
export type StudyRecordTask = ValueOf<typeof StudyRecordTask>

/** The result of writing a study record. */
export type StudyRecord = {
  bytes: number
  sha256: string
  counts: {
    /** Each stage has a table of its own. */
    stages: number
    /** The data types in the codebook. */
    dataTypes: number
    /** Participants who are not archived. */
    participants: number
    /** Archived participants, who are left out of every export. */
    archivedParticipants: number
    /** The rows of the tables of all stages together. */
    responses: number
    /** A PDF for each participant. */
    casebooks: number
    /** What wearables measured: records of all datasets together. */
    hardwareRecords: number
    /** What the participants, the team and the service wrote in threads. */
    messages: number
    /** Messages on the boards of sites. */
    siteMessages: number
    /** Uploaded files that responses, messages and versions of the master file refer to. */
    files: number
    auditEntries: number
    /** The entries about accounts that have to do with the trial. */
    accountEntries: number
    configurationVersions: number
  }
  /** Uploads that are missing on the disk or differ from what was uploaded, and participants who were deleted meanwhile; normally empty. */
  amiss: { name: string; problem: string }[]
}

export const studyRecordTask: TaskKind<StudyRecordTask, StudyRecord> = { kind: 'studyRecord', input: StudyRecordTask }
