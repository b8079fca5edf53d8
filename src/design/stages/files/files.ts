/** A stage as a file: a case report form, or its structure for other tools. A worker thread writes it. */
import { type Access, holdsAnywhere } from '#access/caller'
import type { StageQuery } from '#design/stages/creation/model'
import type { StageRow } from '#design/stages/store'
import { type StructureExport, shareStructure, writeStructure } from '#design/structures/files'
import { requireTranslated } from '#design/trials/languages'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import type { Note, RequestContext } from '#http/operation'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import type { ValueOf } from '#wire/schema'
import { type FormFile, isFormFormat, shareForm, writeForm } from './forms'

type Query = ValueOf<typeof StageQuery>

/** A written file that has no link yet. */
export type StageFile = { form: FormFile } | { structure: StructureExport }

type WriteContext = Parameters<typeof writeForm>[0] & { trial: Trial; access: Access; stage: StageRow }

/**
 * Writes the file that the query asks for; undefined if it asks for the stage itself. 422 for a response in another
 * format than docx; 403 for a structure without trial.read; 404, 403 and 503 as `writeForm` says.
 */
export async function writeStageFile(
  context: WriteContext,
  { format, response, language }: Query,
): Promise<StageFile | undefined> {
  if (response !== undefined && format !== 'docx') {
    throw refuse.invalid({ response: [reason('responseNeedsDocx')] }, 'query')
  }
  if (language !== undefined && (format === undefined || !isFormFormat(format) || response !== undefined)) {
    throw refuse.invalid({ language: [reason('onlyWithBlankForm')] }, 'query')
  }
  const [source] = settingsOf(context.trial).languages
  const own = language === undefined || language === source ? null : language
  if (own !== null) requireTranslated(context.trial, own, 'query')
  if (format === undefined) return undefined
  if (isFormFormat(format)) return { form: await writeForm(context, format, response, own) }
  if (!holdsAnywhere(context.access, 'read')) throw refuse.missingPermission(['trial.read'])
  return { structure: await writeStructure(context, format, context.stage._id) }
}

type ShareContext = Parameters<typeof shareForm>[0] & Pick<RequestContext, 'db'> & { stage: StageRow }

/** Makes a link to a file, valid for an hour. */
export const shareStageFile = (context: ShareContext, file: StageFile) =>
  'form' in file
    ? shareForm(context, file.form, context.stage.name)
    : shareStructure(context, file.structure, context.stage.name)

/** The audit entry for a file with a link; for a form it names the response that is filled in. */
export function fileNote(file: StageFile, { format }: Query, stage: StageRow): Note {
  if ('structure' in file) return { event: { format } }
  const { response } = file.form
  return {
    event: { format, stage: stage._id, ...(response && { response: response._id }) },
    ...(response?.participant && { participant: response.participant }),
  }
}
