/** What a new stage is made from: nothing, a questionnaire of the library, or an instrument of another tool. */

import type { Staff } from '#access/caller'
import { loadQuestionnaires } from '#design/questionnaires/library'
import type { Questionnaire } from '#design/questionnaires/model'
import type { ImportPlan } from '#design/stages/importPlan'
import { importTask } from '#design/structures/task'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import { performForRequest } from '#jobs/perform'
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import { usableFile } from '#storage/store'
import type { creationTypes, NewStage } from './model'

export type Source = { questionnaire?: Questionnaire; plan?: ImportPlan; prompt?: string }

type CreationContext = Pick<RequestContext<Staff>, 'services' | 'db' | 'caller'> & {
  trial: Pick<Trial, '_id' | 'settings'>
  query: { creationType?: (typeof creationTypes)[number] }
  body: NewStage
}

const invalid = (field: string, problem: Reason) => refuse.invalid({ [field]: [problem] })

/** Finds the questionnaire or reads the instrument that the request names. 422 if it names none. */
export async function sourceOf(context: CreationContext): Promise<Source> {
  const { query, body } = context
  if (query.creationType === 'generateFromAI') {
    const others = Object.keys(body).filter((field) => field !== 'prompt')
    if (others.length) throw invalid(others[0]!, reason('notWithCreationType', { creationType: 'generateFromAI' }))
    if (body.prompt === undefined) throw invalid('prompt', reason('missing'))
    return { prompt: body.prompt }
  }
  if (body.prompt !== undefined)
    throw invalid('prompt', reason('onlyWithCreationType', { creationType: 'generateFromAI' }))
  if (!query.creationType) {
    if (body.importData) throw invalid('importData', reason('needsCreationType'))
    return {}
  }
  if (body.copyFrom !== undefined) throw invalid('copyFrom', reason('notWithAnyCreationType'))
  if (!body.importData) throw invalid('importData', reason('missing'))
  return query.creationType === 'stageLibrary'
    ? { questionnaire: questionnaireOf(body.importData, await loadQuestionnaires()) }
    : { plan: await instrument(context, body.importData) }
}

type ImportData = NonNullable<NewStage['importData']>

function questionnaireOf(data: ImportData, known: ReadonlyMap<string, Questionnaire>): Questionnaire {
  const { questionnaireId, ...others } = data
  if (questionnaireId === undefined || Object.keys(others).length) {
    throw invalid(
      'importData',
      reason('importDataShape', { shapes: ['{questionnaireId}'], creationType: 'stageLibrary' }),
    )
  }
  const questionnaire = known.get(questionnaireId)
  if (!questionnaire) throw invalid('importData', reason('questionnaireUnknown', { questionnaireId }))
  return questionnaire
}

/** Lets a process of its own read the instrument. 400 for a file that is not an instrument, with the reason as a sentence. */
async function instrument(
  { services, db, caller, trial, body }: CreationContext,
  data: ImportData,
): Promise<ImportPlan> {
  const { source, fileName, content, questionnaireId } = data
  if (!source || questionnaireId !== undefined || (fileName === undefined) === (content === undefined)) {
    const shapes = ['{source, fileName}', '{source, content}']
    throw invalid('importData', reason('importDataShape', { shapes, creationType: 'importFromExternalTool' }))
  }
  if (body.components !== undefined)
    throw invalid('components', reason('notWithCreationType', { creationType: 'importFromExternalTool' }))
  if (fileName !== undefined && !usableFile(db, fileName, 'trial', trial._id)) {
    throw refuse.bad('notUploadOfTrial')
  }
  const common = { source, languages: settingsOf(trial).languages.slice(1) }
  const input = content === undefined ? { ...common, fileName: fileName! } : { ...common, content }
  const { plan } = await performForRequest(services, importTask, input, caller)
  if (body.name !== undefined && plan.stages.length > 1) {
    throw invalid('name', reason('formsShareName', { forms: plan.stages.length }))
  }
  return plan
}
