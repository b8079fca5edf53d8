import { generationFinishers } from '#exchange/generation/finish'
import { studyRecordFinishers } from '#exchange/studyRecord/start'
import type { Finish } from '#jobs/queue'

/** What ends each kind of job in the database, for those that a stop interrupted. */
export const finishers: Record<string, Finish> = { ...generationFinishers, ...studyRecordFinishers }
