import type { Work } from '#jobs/work'
import type { StudyRecord, StudyRecordTask } from './task'
import { writeStudyRecord } from './write'

export const studyRecordWork: Work<StudyRecordTask, StudyRecord> = (task, { db, ground, progress }) =>
  writeStudyRecord(db, task, ground, progress)
