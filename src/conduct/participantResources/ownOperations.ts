import { self } from '#conduct/participantSessions/scope'
import { answerLanguage, withLanguages } from '#conduct/participants/language'
import { resourceViewer } from '#design/participantResources/content'
import { OwnResources } from '#design/participantResources/model'
import { resourcesOf } from '#design/participantResources/store'
import { resourceTexts } from '#design/translations/textKinds'
import { operation } from '#http/operation'

const listOwnResources = operation({
  id: 'listOwnResources',
  method: 'GET',
  path: '/participants/trials/:trialId/resources',
  summary: 'List the resources of the trial, in order',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  returns: OwnResources,
  run: (context) => {
    const language = answerLanguage(context)
    const rows = resourcesOf(context.db, context.trial._id)
    const answer = { resources: rows.map(resourceViewer(context, language)) }
    return withLanguages(context.trial, language, answer, () => rows.map((row) => [row, resourceTexts] as const))
  },
})

export const ownResourceOperations = [listOwnResources] as const
