import type { Work } from '../work'
import { exportForm } from './exportForm'
import { exportResponses } from './exportResponses'
import { exportStructure } from './exportStructure'
import { importInstrument } from './importInstrument'
import { readProtocol } from './readProtocol'
import { studyRecord } from './studyRecord'

/** Every kind of work that runs on a worker thread. */
export const kinds: Record<string, Work> = {
  exportForm,
  exportResponses,
  exportStructure,
  importInstrument,
  readProtocol,
  studyRecord,
}
