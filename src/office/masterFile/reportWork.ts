import { join } from 'node:path'
import { inReadTransaction } from '#db/readTransaction'
import { textPages } from '#documents/textPages'
import type { Work } from '#jobs/work'
import { sha256 } from '#kernel/id'
import { safeFileName } from '#storage/names'
import { replaceFile } from '#writers/file'
import { type MasterFile, masterFileFor } from './content'
import { linesOf } from './reportLines'
import { dropLists } from './store'
import type { ReportResult, ReportTask } from './task'

/** The name of a file about the master file of a place on a day. */
export const fileNameOf = ({ trial, sites, task, today }: MasterFile, what: string, extension: string): string => {
  const place = task.site ? ` ${sites.get(task.site)!.id}` : ''
  return safeFileName(`${trial.code}${place} ${what} ${today}.${extension}`)
}

/** Writes the report of one moment as PDF. @throws 404 if the trial was deleted, 400 if it would be too long */
export const reportWork: Work<ReportTask, ReportResult> = async (task, { db, setup }) => {
  const { reading: masterFile, lines } = inReadTransaction(db, () => {
    try {
      const masterFile = masterFileFor(db, task)
      return { reading: masterFile, lines: linesOf(masterFile) }
    } finally {
      dropLists(db)
    }
  })
  const { writer, trial, momentText } = masterFile
  const title = writer.write('masterFileReport.title', {})
  const pdf = await textPages(() => lines, {
    title,
    about: `${trial.name} · ${momentText(task.at)}`,
    unprintable: writer.write('masterFileReport.unprintable', {}),
  })
  replaceFile(join(setup.exports, task.file), (output) => output.write(pdf))
  return { name: fileNameOf(masterFile, 'master file report', 'pdf'), bytes: pdf.length, sha256: sha256(pdf) }
}
