import type { Finish } from '../../jobs/queue'
import { generationFinishers } from '../generation/finish'
import { studyRecordFinishers } from '../studyRecord/start'

/** What ends each kind of job in the database, for those that a stop interrupted. */
export const finishers: Record<string, Finish> = { ...generationFinishers, ...studyRecordFinishers }
