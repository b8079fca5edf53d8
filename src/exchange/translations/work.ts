import { join } from 'node:path'
import { translationSheet } from '#design/translations/files/table'
import type { WriteTask } from '#design/translations/files/task'
import { trialById } from '#design/trials/store'
import type { Work } from '#jobs/work'
import { found, refuse } from '#kernel/problem'
import { csvChunks } from '#writers/csv'
import { replaceFile } from '#writers/file'
import { writeXlsx } from '#writers/xlsx'

type TranslationFileResult = { rows: number; bytes: number }

/** Writes the file. 400 for a workbook with a text that is too long for a cell. */
export const writeWork: Work<WriteTask, TranslationFileResult> = async (task, { db, setup }) => {
  const { trial: _id, language, format } = task
  const path = join(setup.exports, task.file)
  const counter = { rows: 0 }
  const sheet = translationSheet(db, found(trialById(db, _id), 'trial'), language, counter)
  if (format === 'csv') {
    const bytes = replaceFile(path, (output) => {
      const encoder = new TextEncoder()
      for (const chunk of csvChunks(sheet, { bom: true }, () => {})) output.write(encoder.encode(chunk))
      return output.size()
    })
    return { ...counter, bytes }
  }
  const { bytes, cuts } = await writeXlsx(path, [sheet])
  if (cuts) throw refuse.bad('textTooLongForCell')
  return { ...counter, bytes }
}
