import { join } from 'node:path'
import type { Warning } from '#design/stages/importPlan'
import type { Work } from '#jobs/work'
import { replaceFile } from '#writers/file'
import type { FormTask } from './formTask'
import { formOf } from './task'

type Written = { bytes: number; warnings: Warning[] }

/** Writes a form to a file. The modules that draw it are loaded on first use. */
export const formWork: Work<FormTask, Written> = async (task, { db, setup }) => {
  const crf = formOf(db, task)
  const { bytes, missing } =
    task.format === 'pdf'
      ? await (await import('./pdf')).pdfOf(crf)
      : { bytes: await (await import('./docx')).docxOf(crf), missing: [] }
  replaceFile(join(setup.exports, task.file), (output) => output.write(bytes))
  const characters = missing.slice(0, 50).join(' ')
  const problem = `The typeface lacks these characters, which are shown as boxes; the Word version has them: ${characters}`
  return { bytes: bytes.length, warnings: missing.length ? [{ field: '', problem }] : [] }
}
