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
import { usableFile } from '#storage/store'
import type { creationTypes, NewStage } from './model'

export type Source = { questionnaire?: Questionnaire; plan?: ImportPlan; prompt?: string }

type CreationContext = Pick<RequestContext<Staff>, 'services' | 'db' | 'caller'> & {
  trial: Pick<Trial, '_id' | 'settings'>
  query: { creationType?: (typeof creationTypes)[number] }
  body: NewStage
}

const invalid = (field: string, problem: string) => refuse.invalid({ [field]: [problem] })

/** Finds the questionnaire or reads the instrument that the request names. 422 if it names none. */
export async function sourceOf(context: CreationContext): Promise<Source> {
  const { query, body } = context
  if (query.creationType === 'generateFromAI') {
    const others = Object.keys(body).filter((field) => field !== 'prompt')
    if (others.length) throw invalid(others[0]!, 'Does not go with creationType=generateFromAI.')
    if (body.prompt === undefined) throw invalid('prompt', 'Missing data for required field.')
    return { prompt: body.prompt }
  }
  if (body.prompt !== undefined) throw invalid('prompt', 'Goes with creationType=generateFromAI only.')
  if (!query.creationType) {
    if (body.importData) throw invalid('importData', 'Goes with a creationType only.')
    return {}
  }
  if (body.copyFrom !== undefined) throw invalid('copyFrom', 'Does not go with a creationType.')
  if (!body.importData) throw invalid('importData', 'Missing data for required field.')
  return query.creationType === 'stageLibrary'
    ? { questionnaire: questionnaireOf(body.importData, await loadQuestionnaires()) }
    : { plan: await instrument(context, body.importData) }
}

type ImportData = NonNullable<NewStage['importData']>

function questionnaireOf(data: ImportData, known: ReadonlyMap<string, Questionnaire>): Questionnaire {
  const { questionnaireId, ...others } = data
  if (questionnaireId === undefined || Object.keys(others).length) {
    throw invalid('importData', 'Must be {questionnaireId} for creationType=stageLibrary.')
  }
  const questionnaire = known.get(questionnaireId)
  if (!questionnaire) throw invalid('importData', `There is no questionnaire "${questionnaireId}" in the library.`)
  return questionnaire
}

/** Lets a process of its own read the instrument. 400 for a file that is not an instrument, with the reason as a sentence. */
async function instrument(
  { services, db, caller, trial, body }: CreationContext,
  data: ImportData,
): Promise<ImportPlan> {
  const { source, fileName, content, questionnaireId } = data
  if (!source || questionnaireId !== undefined || (fileName === undefined) === (content === undefined)) {
    throw invalid(
      'importData',
      'Must be {source, fileName} or {source, content} for creationType=importFromExternalTool.',
    )
  }
  if (body.components !== undefined) throw invalid('components', 'Does not go with importFromExternalTool.')
  if (fileName !== undefined && !usableFile(db, fileName, 'trial', trial._id)) {
    throw refuse.bad('The file is not a finished upload for this trial.')
  }
  const common = { source, languages: settingsOf(trial).languages.slice(1) }
  const input = content === undefined ? { ...common, fileName: fileName! } : { ...common, content }
  const { plan } = await performForRequest(services, importTask, input, caller)
  if (body.name !== undefined && plan.stages.length > 1) {
    throw invalid('name', `The file holds ${plan.stages.length} forms, which cannot all have this name.`)
  }
  return plan
}
