import type { StudyRecordTask } from '#exchange/studyRecord/task'
import { writeStudyRecord } from '#exchange/studyRecord/write'
import type { Work } from '#jobs/work'

/** Writes a whole study into one archive (specification "Teams and trials"). */
export const studyRecord: Work = (task: StudyRecordTask, { db, ground, progress }) =>
  writeStudyRecord(db, task, ground, progress)
