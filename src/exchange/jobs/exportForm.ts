import { join } from 'node:path'
import { type FormTask, formOf } from '#exchange/crf/task'
import type { Work } from '#jobs/work'
import { replaceFile } from '#writers/file'

/** Writes the case report form of a stage to a file among the exports. What draws it is loaded when first needed. */
export const exportForm: Work = async (task: FormTask, { db, ground }) => {
  const crf = formOf(db, task)
  const { bytes, missing } =
    task.format === 'pdf'
      ? await (await import('#exchange/crf/pdf')).pdfOf(crf)
      : { bytes: await (await import('#exchange/crf/docx')).docxOf(crf), missing: [] }
  replaceFile(join(ground.exports, task.file), (output) => output.write(bytes))
  const characters = missing.slice(0, 50).join(' ')
  const problem = `The typeface lacks these characters, which are shown as boxes; the Word version has them: ${characters}`
  return { bytes: bytes.length, warnings: missing.length ? [{ field: '', problem }] : [] }
}
