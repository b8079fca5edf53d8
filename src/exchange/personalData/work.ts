import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { ReportResult, ReportTask } from '#conduct/personalData/task'
import { writerOf } from '#design/trials/notices'
import { openSignedArchive } from '#documents/archives/writer'
import { addFiles } from '#exchange/studyRecord/addFiles'
import type { Work } from '#jobs/work'
import { hashOfFile, replaceFileLater } from '#writers/file'
import { pageOf } from './page'
import { reportOf } from './report'

/** Writes the report as PDF, page and JSON, with the person's files, into one archive. */
export const reportWork: Work<ReportTask, ReportResult> = async (task, { db, setup, progress }) => {
  const { content, trial, participant } = reportOf(db, task)
  progress('Laying out the pages.')
  const { pdfOf } = await import('./pdf')
  const zone = participant.timezone ?? trial.timezone ?? 'UTC'
  const writer = writerOf(trial, participant.language)
  const moments = { at: task.at, zone, erasedAt: participant.erasedAt }
  const pdf = await pdfOf(content, writer, moments)
  const path = join(setup.exports, task.file)
  const uploads = content.files.flatMap(({ storedName, sha256, finishedAt }) =>
    finishedAt ? [{ name: `${storedName}`, sha256: typeof sha256 === 'string' ? sha256 : null }] : [],
  )
  const { files, amiss } = await replaceFileLater(path, async (output) => {
    const parts = openSignedArchive(output, setup.storageKey)
    parts.bytes('report.pdf', pdf)
    await parts.text('report.html', [pageOf(content, writer, moments)])
    const added = addFiles(uploads, setup, parts)
    await parts.text('report.json', [JSON.stringify({ ...content, amiss: added.amiss }, null, 2)])
    parts.end()
    return added
  })
  const counts = {
    responses: content.answers.length,
    submissions: content.answers.reduce((sum, { submissions }) => sum + submissions.length, 0),
    messages: content.records.outbox?.length ?? 0,
    files,
    auditEntries: content.log.length,
  }
  return { erasedAt: participant.erasedAt, bytes: statSync(path).size, sha256: hashOfFile(path), counts, amiss }
}
