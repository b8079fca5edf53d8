import { join } from 'node:path'
import type { ExportTask } from '../../features/responses/exports/task'
import { writeExport } from '../../features/responses/exports/write'
import type { Work } from '../work'

/** Writes responses to a file among the exports (specification "Responses and exports"). */
export const exportResponses: Work = (task: ExportTask, { db, ground }) =>
  writeExport(db, task, join(ground.exports, task.file))
