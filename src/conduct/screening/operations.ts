/** The link to the form that follows a consent, for people who are no participants yet (docs/consent.md, "Screening"). */
import { answerLanguage } from '#conduct/participants/language'
import { consentUploadOwner } from '#conduct/responses/files'
import { AnswersReceived, OpenedFormQuery, ParticipantSubmission } from '#conduct/responses/model'
import { openStage, requireTakingPart, submitOwn } from '#conduct/responses/ownResponse'
import { OpenedStage, refusalOf } from '#conduct/stageTokens/model'
import { UPLOADS_PER_MINUTE, uploadForAnswer } from '#conduct/uploads/answerUpload'
import { LinkUploadRequest, Upload } from '#conduct/uploads/model'
import { configuration } from '#design/configuration/configuration'
import { trialTextsIn } from '#design/trials/rules'
import { operation } from '#http/operation'
import { openScreening, requireRoom, submitScreening } from './answer'
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
  anonymous: true,
  returns: OpenedStage,
  run: (context) => {
    const { trial, owner, screening } = context
    const language = answerLanguage({ ...context, participant: owner ?? { language: null } })
    const more = { trialName: trialTextsIn(trial, language).name, refuses: refusalOf(trial, owner) }
    return owner
      ? openStage({ ...context, participant: owner }, screening.stage, false, 'link', more)
      : openScreening(context, more)
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
  anonymous: true,
  logs: 'submitResponse',
  body: ParticipantSubmission,
  query: OpenedFormQuery,
  keepsKey: true,
  returns: AnswersReceived,
  run: (context) => {
    const { owner, screening, body, query, record } = context
    if (!owner) return submitScreening(context, body)
    record({ event: { by: 'screening' } })
    return submitOwn({ ...context, participant: owner }, screening.stage, body, query, 'link')
  },
})

const requestUpload = operation({
  id: 'requestScreeningUpload',
  method: 'POST',
  path: '/screening-links/:token/uploads',
  summary: 'Request a link to upload a file that answers a question of the form after a consent',
  description:
    'As the request of a stage token. Before the first sign-in, the files of one consent may have 1 GB together. They become the participant’s with the answers.',
  who: 'anyone',
  scope: screeningLink,
  needs: 'nothing',
  changes: 'data',
  limit: UPLOADS_PER_MINUTE,
  failures: WRONG_LINKS,
  anonymous: true,
  logs: 'requestUpload',
  body: LinkUploadRequest,
  secret: true,
  returns: Upload,
  run: (context) => {
    const { db, trial, owner, screening, body } = context
    const config = configuration(db, trial).in(answerLanguage({ ...context, participant: owner ?? { language: null } }))
    if (owner) requireTakingPart(owner)
    // One that goes on is counted already.
    else if (body.fileName === undefined) requireRoom(context, body.size)
    const of = owner
      ? ({ forType: 'participant', forId: owner._id, createdBy: owner._id } as const)
      : consentUploadOwner(screening.consent)
    const form = { configuration: config, stage: screening.stage }
    return uploadForAnswer(context, form, { ...of, trial: trial._id }, screening.consent)
  },
})

export const screeningOperations = [openLink, submitLink, requestUpload] as const
