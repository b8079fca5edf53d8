import type { StudyRecordTask } from '../../features/studyRecord/task'
import { writeStudyRecord } from '../../features/studyRecord/write'
import type { Work } from '../work'

/** Writes a whole study into one archive (specification "Teams and trials"). */
export const studyRecord: Work = (task: StudyRecordTask, { db, ground, progress }) =>
  writeStudyRecord(db, task, ground, progress)
