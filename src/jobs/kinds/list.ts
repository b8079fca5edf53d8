import type { Work } from '../work'
import { exportResponses } from './exportResponses'
import { exportStructure } from './exportStructure'
import { importInstrument } from './importInstrument'
import { readProtocol } from './readProtocol'

/** Every kind of work that runs on a worker thread. */
export const kinds: Record<string, Work> = { exportResponses, exportStructure, importInstrument, readProtocol }
