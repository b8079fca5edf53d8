import type { Work } from '../work'
import { exportResponses } from './exportResponses'
import { studyRecord } from './studyRecord'

/** Every kind of work that runs on a worker thread. */
export const kinds: Record<string, Work> = { exportResponses, studyRecord }
