import { join } from 'node:path'
import type { ExportResult, ExportTask } from '#exchange/exports/task'
import type { WorkerSetup } from '#jobs/messages'
import type { Work } from '#jobs/work'
import { signer } from '#storage/linkSigner'
import { hourLinkMaker, signedLinks } from '#storage/links'
import { writeExport } from './write'

export const exportWork: Work<ExportTask, ExportResult> = (task, { db, setup, report }) =>
  writeExport(db, task, join(setup.exports, task.file), {
    link: task.links && linksFor(task.links, setup),
    onProgress: report,
    storageKey: setup.storageKey,
  })

function linksFor({ publicUrl, from }: NonNullable<ExportTask['links']>, { storageKey }: WorkerSetup) {
  const storage = signedLinks(signer(storageKey), () => publicUrl)
  return hourLinkMaker({ storage }, from)
}
