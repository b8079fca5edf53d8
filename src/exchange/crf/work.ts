import { join } from 'node:path'
import type { Work } from '#jobs/work'
import { replaceFile } from '#writers/file'
import type { FormTask } from './formTask'
import { formOf } from './task'

/** Writes a form to a file; 400 if it cannot be printed. The modules that draw it are loaded on first use. */
export const formWork: Work<FormTask, { bytes: number }> = async (task, { db, setup }) => {
  const crf = formOf(db, task)
  const bytes =
    task.format === 'pdf' ? await (await import('./pdf')).pdfOf(crf) : await (await import('./docx')).docxOf(crf)
  replaceFile(join(setup.exports, task.file), (output) => output.write(bytes))
  return { bytes: bytes.length }
}
