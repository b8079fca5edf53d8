import { join } from 'node:path'
import type { FormTask } from '#design/stages/files/formTask'
import type { Work } from '#jobs/work'
import { refuse } from '#kernel/problem'
import { replaceFile } from '#writers/file'
import { formOf } from './read'

/** The most characters of a form: about 400 pages. Laying out takes some 10 µs for each of them. */
const LONGEST = 1_000_000

/** Writes a form to a file; 400 if it cannot be printed. The modules that draw it are loaded on first use. */
export const formWork: Work<FormTask, { bytes: number }> = async (task, { db, setup }) => {
  const crf = formOf(db, task)
  const length = lengthOf(crf)
  if (length > LONGEST) throw refuse.bad('formTooLong', { length, most: LONGEST })
  const bytes =
    task.format === 'pdf' ? await (await import('./pdf')).pdfOf(crf) : await (await import('./docx')).docxOf(crf)
  replaceFile(join(setup.exports, task.file), (output) => output.write(bytes))
  return { bytes: bytes.length }
}

/** The characters of all texts in a value. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || !value) return 0
  return Object.values(value).reduce((sum: number, each) => sum + lengthOf(each), 0)
}
