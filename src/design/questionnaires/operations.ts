import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { loadQuestionnaires } from './library'
import { Questionnaires } from './model'
import { questionsOf } from './rules'

const listQuestionnaires = operation({
  id: 'listQuestionnaires',
  method: 'GET',
  path: '/trials/:trialId/questionnaire-library',
  summary: 'List the built-in questionnaires',
  description: 'Each can become a stage with its data types and scoring: POST …/stages?creationType=stageLibrary.',
  scope: trial,
  needs: anywhere('trial.read'),
  returns: Questionnaires,
  prepare: loadQuestionnaires,
  run: ({ prepared }) => ({
    questionnaires: [...prepared.values()].map((each) => ({ ...each, questions: questionsOf(each) })),
  }),
})

export const questionnaireOperations = [listQuestionnaires] as const
