import { join } from 'node:path'
import { inReadTransaction } from '#db/readTransaction'
import type { Work, WorkerContext } from '#jobs/work'
import { sha256 } from '#kernel/id'
import { replaceFile } from '#writers/file'
import { contentOfPdf, type PdfContent } from './content'
import { countersignatureOf } from './countersignature'
import { pdfOf } from './pdf'
import type { CountersignTask, PdfResult, SignTask } from './task'

async function writePdf({ setup }: WorkerContext, content: PdfContent, at: number, file: string): Promise<PdfResult> {
  const pdf = await pdfOf(content, at)
  replaceFile(join(setup.exports, file), (output) => output.write(pdf))
  return { bytes: pdf.length, sha256: sha256(pdf) }
}

/** Writes the PDF that somebody signs. */
export const signWork: Work<SignTask, PdfResult> = (task, context) => {
  const content = inReadTransaction(context.db, () => contentOfPdf(context.db, task))
  return writePdf(context, content, task.at, task.file)
}

/** Writes the page with a countersignature. */
export const countersignWork: Work<CountersignTask, PdfResult> = (task, context) => {
  const content = inReadTransaction(context.db, () => countersignatureOf(context.db, task))
  return writePdf(context, content, task.at, task.file)
}
