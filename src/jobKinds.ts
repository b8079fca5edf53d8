/** All kinds of jobs. A kind that is not in this list never runs. */

import { exportParticipants } from '#conduct/participants/job'
import { hashPasswords } from '#conduct/participants/pendingPasswords'
import { askForQueries } from '#conduct/queries/automatic/job'
import { timelines } from '#conduct/timeline/job'
import { exportForm } from '#exchange/crf/job'
import { exportResponses } from '#exchange/exports/job'
import { readProtocol } from '#exchange/generation/job'
import { exportStructure, importInstrument } from '#exchange/imports/job'
import { studyRecord } from '#exchange/studyRecord/job'
import { kindsByName } from '#jobs/kind'

export const jobKinds = kindsByName([
  askForQueries,
  exportForm,
  exportParticipants,
  exportResponses,
  exportStructure,
  hashPasswords,
  importInstrument,
  readProtocol,
  studyRecord,
  timelines,
])
