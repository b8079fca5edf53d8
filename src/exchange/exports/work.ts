import { join } from 'node:path'
import { linkFrom } from '#conduct/queries/read'
import type { Ground } from '#jobs/pool'
import type { Work } from '#jobs/work'
import { linksBy } from '#storage/links'
import { signer } from '#storage/sign'
import type { Exported, ExportTask } from './task'
import { writeExport } from './write'

export const exportWork: Work<ExportTask, Exported> = (task, { db, ground }) =>
  writeExport(db, task, join(ground.exports, task.file), task.links && linksFor(task.links, ground))

function linksFor({ publicUrl, from }: NonNullable<ExportTask['links']>, { storageKey }: Ground) {
  const storage = linksBy(signer(storageKey), () => publicUrl)
  return linkFrom({ storage }, from)
}
