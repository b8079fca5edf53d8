import { join } from 'node:path'
import { linkFrom } from '#conduct/queries/read'
import type { ExportTask } from '#exchange/exports/task'
import { writeExport } from '#exchange/exports/write'
import type { Ground } from '#jobs/pool'
import type { Work } from '#jobs/work'
import { linksBy } from '#storage/links'
import { signer } from '#storage/sign'

/** Writes responses to a file among the exports (docs/exports.md). */
export const exportResponses: Work = (task: ExportTask, { db, ground }) =>
  writeExport(db, task, join(ground.exports, task.file), task.links && linksFor(task.links, ground))

function linksFor({ publicUrl, from }: NonNullable<ExportTask['links']>, { storageKey }: Ground) {
  const storage = linksBy(signer(storageKey), () => publicUrl)
  return linkFrom({ storage }, from)
}
