import { join } from 'node:path'
import { linkFrom } from '../../features/queries/read'
import type { ExportTask } from '../../features/responses/exports/task'
import { writeExport } from '../../features/responses/exports/write'
import { linksBy } from '../../storage/links'
import { signer } from '../../storage/sign'
import type { Ground } from '../pool'
import type { Work } from '../work'

/** Writes responses to a file among the exports (specification "Responses and exports"). */
export const exportResponses: Work = (task: ExportTask, { db, ground }) =>
  writeExport(db, task, join(ground.exports, task.file), task.links && linksFor(task.links, ground))

function linksFor({ publicUrl, from }: NonNullable<ExportTask['links']>, { storageKey }: Ground) {
  const storage = linksBy(signer(storageKey), () => publicUrl)
  return linkFrom({ storage }, from)
}
