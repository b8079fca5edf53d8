import type { StudyRecord, StudyRecordTask } from '#design/studyRecord/task'
import type { Work } from '#jobs/work'
import { writeStudyRecord } from './write'

export const studyRecordWork: Work<StudyRecordTask, StudyRecord> = (task, { db, setup, progress }) =>
  writeStudyRecord(db, task, setup, progress)
