/** Case report forms as files: a worker thread writes them, a link gives access. */
import { type Access, holds, type Staff } from '#access/caller'
import { packAccess } from '#access/packedAccess'
import type { StageRow } from '#design/stages/store'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import { performForRequest } from '#jobs/perform'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { createExportLink } from '#storage/exportLinks'
import { newStoredName } from '#storage/names'
import type { FormTask } from './formTask'
import { formTask } from './formTask'
import { responseToPrint } from './hook'

export type FormFormat = FormTask['format']

const types: Record<FormFormat, string> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

export const isFormFormat = (format: string): format is FormFormat => Object.hasOwn(types, format)

/** A form that the worker thread wrote, and the response that is filled in. */
export type FormFile = {
  file: string
  bytes: number
  response?: { _id: Id; participant?: Id }
}

type FormContext = Pick<RequestContext<Staff>, 'db' | 'services' | 'now' | 'caller'> & {
  trial: Trial
  access: Access
  stage: StageRow
}

/**
 * Lets a worker thread write the form of a stage; a blank one in a language. 400 if a character cannot be printed. For a response: 404 if the caller cannot see it, or it is of another
 * stage; 403 without trial.readParticipantStudyData on its participant. 503 if the disk fails.
 */
export async function writeForm(
  context: FormContext,
  format: FormFormat,
  response: Id | undefined,
  language: string | null = null,
): Promise<FormFile> {
  const { services, now, caller, trial, stage } = context
  const source = response === undefined ? undefined : await visibleResponse(context, response)
  const file = newStoredName(`form.${format}`, now)
  const task: FormTask = {
    format,
    trial: trial._id,
    stage: stage._id,
    response: source ? { _id: source._id, access: packAccess(context.access) } : null,
    language,
    file,
    now,
  }
  return {
    file,
    ...(await performForRequest(services, formTask, task, caller)),
    ...(source ? { response: source } : {}),
  }
}

async function visibleResponse(context: FormContext, _id: Id): Promise<NonNullable<FormFile['response']>> {
  const { trial, stage, access } = context
  const responseVisibleTo = await context.services.load(responseToPrint)
  const { response, participant, places } = responseVisibleTo(context, { trial, access }, _id)
  if (response.stage !== stage._id) throw refuse.missing('response')
  if (!holds(access, 'readParticipantStudyData', places))
    throw refuse.missingPermission(['trial.readParticipantStudyData'])
  return { _id, ...(participant ? { participant: participant._id } : {}) }
}

/** Inserts a row for the file. Returns a link that is valid for an hour. @param name of the stage */
export function shareForm(context: Parameters<typeof createExportLink>[0], { file, bytes }: FormFile, name: string) {
  const format: FormFormat = file.endsWith('.pdf') ? 'pdf' : 'docx'
  const fileName = `${name} ${instantText(context.now).slice(0, 10)}.${format}`
  return {
    url: createExportLink(context, { storedName: file, name: fileName, type: types[format], size: bytes }),
    warnings: [],
  }
}
