import type { StudyRecordTask } from '#exchange/studyRecord/task'
import { writeStudyRecord } from '#exchange/studyRecord/write'
import type { Work } from '#jobs/work'

/** Writes a whole study into one archive (docs/exports.md, "Study records"). */
export const studyRecord: Work = (task: StudyRecordTask, { db, ground, progress }) =>
  writeStudyRecord(db, task, ground, progress)
