/** A stage as a file: a case report form, or its structure for other tools. A worker thread writes it. */
import { type Access, holdsAnywhere } from '#access/caller'
import type { StageRow } from '#design/stages/store'
import type { Trial } from '#design/trials/store'
import { isFormFormat, sharedForm, type WrittenForm, writtenForm } from '#exchange/crf/writing'
import { sharedStructure, type WrittenStructure, writtenStructure } from '#exchange/imports/exporting'
import type { Asked, Note } from '#http/operation'
import { refuse } from '#kernel/problem'
import type { Of } from '#wire/words'
import type { StageQuery } from './model'

type Query = Of<typeof StageQuery>

/** A written file that has no link yet. */
export type StageFile = { form: WrittenForm } | { structure: WrittenStructure }

type Writing = Parameters<typeof writtenForm>[0] & { trial: Trial; access: Access; stage: StageRow }

/**
 * Writes the file that the query asks for; undefined if it asks for the stage itself. 422 for a response in another
 * format than docx; 403 for a structure without trial.read; 404, 403 and 503 as `writtenForm` says.
 */
export async function writtenFile(writing: Writing, { format, response }: Query): Promise<StageFile | undefined> {
  if (response !== undefined && format !== 'docx') {
    throw refuse.invalid({ response: ['Is filled in with format=docx only.'] }, 'query')
  }
  if (format === undefined) return undefined
  if (isFormFormat(format)) return { form: await writtenForm(writing, format, response) }
  if (!holdsAnywhere(writing.access, 'read')) throw refuse.lacking(['trial.read'])
  return { structure: await writtenStructure(writing, format, writing.stage._id) }
}

type Sharing = Parameters<typeof sharedForm>[0] & Pick<Asked, 'db'> & { stage: StageRow }

/** Makes a link to a file, valid for an hour. */
export const sharedFile = (sharing: Sharing, file: StageFile) =>
  'form' in file
    ? sharedForm(sharing, file.form, sharing.stage.name)
    : sharedStructure(sharing, file.structure, sharing.stage.name)

/** The audit entry for a file with a link; for a form it names the response that is filled in. */
export function fileNote(file: StageFile, { format }: Query, stage: StageRow): Note {
  if ('structure' in file) return { event: { format } }
  const { response } = file.form
  return {
    event: { format, stage: stage._id, ...(response && { response: response._id }) },
    ...(response?.participant && { participant: response.participant }),
  }
}
