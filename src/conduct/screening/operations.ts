/** The link to the form that follows a consent, for people who are no participants yet (docs/consent.md, "Screening"). */
import { answerLanguage } from '#conduct/participants/language'
import { AnswersReceived, FormOpened, ParticipantSubmission } from '#conduct/responses/model'
import { openStage, submitOwn } from '#conduct/responses/ownResponse'
import { OpenedStage } from '#conduct/stageTokens/model'
import { trialIn } from '#design/trials/rules'
import { operation } from '#http/operation'
import { openScreening, submitScreening } from './answer'
import { screeningLink } from './scope'

/** Wrong links that an address may try per minute. */
const WRONG_LINKS = 60

const openLink = operation({
  id: 'openScreening',
  method: 'GET',
  path: '/screening-links/:token',
  summary: 'Open the form that follows a consent by its link',
  description: 'It works for 7 days, before the first sign-in and after it. Earlier answers are not shown.',
  who: 'anyone',
  scope: screeningLink,
  needs: 'nothing',
  failures: WRONG_LINKS,
  returns: OpenedStage,
  run: (context) => {
    const { trial, owner, screening } = context
    const language = answerLanguage({ ...context, participant: owner ?? { language: null } })
    const opened = owner
      ? openStage({ ...context, participant: owner }, screening.stage, false, 'link')
      : openScreening(context)
    return { ...opened, trialName: trialIn(trial, language).name }
  },
})

const submitLink = operation({
  id: 'submitScreening',
  method: 'POST',
  path: '/screening-links/:token/responses',
  summary: 'Answer the form that follows a consent',
  description:
    'The answers belong to the consent, and to the participant from the first sign-in with it on. Sent again, they replace those before.',
  who: 'anyone',
  scope: screeningLink,
  needs: 'nothing',
  changes: 'data',
  failures: WRONG_LINKS,
  logs: 'submitResponse',
  body: ParticipantSubmission,
  query: FormOpened,
  keepsKey: true,
  returns: AnswersReceived,
  run: (context) => {
    const { owner, screening, body, query, record } = context
    if (!owner) return submitScreening(context, body)
    record({ event: { by: 'screening' } })
    return submitOwn({ ...context, participant: owner }, screening.stage, body, query, 'link')
  },
})

export const screeningOperations = [openLink, submitLink] as const
