/** Anonymous polls: what their links open, and what staff see of the answers (docs/polls.md). */

import { visibleScopeOf } from '#access/caller'
import { answerLanguage, formTexts, withLanguages } from '#conduct/participants/language'
import { AnswersReceived } from '#conduct/responses/model'
import { formVersion, shownComponents } from '#conduct/responses/stageDetail'
import { zoneOf } from '#conduct/timeline/progress'
import { configuration } from '#design/configuration/configuration'
import { trialTextsIn } from '#design/trials/rules'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import type { Services } from '#http/services'
import { found, refuse } from '#kernel/problem'
import { HOUR } from '#kernel/time'
import { answerPoll, customLinkOf } from './answer'
import { normaliseContacts } from './contacts'
import { OpenedPoll, PollAnswers, PollInput, PollLink, PollPage } from './model'
import { codeChannel, consentedMethods, provenMethods, requiredMethods } from './rules'
import { poll, pollIn, REQUESTS_PER_MINUTE } from './scope'
import { pollAnswerCount, pollAnswersOf } from './store'

type Settings = Parameters<typeof provenMethods>[0]

/** What the poll asks for, for the page. */
function contactRequirements(settings: Settings, { sendsBy }: Pick<Services, 'sendsBy'>) {
  const [required, provenContacts] = [requiredMethods(settings), provenMethods(settings)]
  return {
    ...{ asksEmail: required.includes('email'), asksPhone: required.includes('phone'), provenContacts },
    readOutContacts: provenContacts.filter((method) => !sendsBy.includes(codeChannel(method, sendsBy))),
    consentedContacts: consentedMethods(settings),
    answersOnce: settings?.oneAnswerPerContact === true && provenContacts.length > 0,
  }
}

const openPoll = operation({
  id: 'openPoll',
  method: 'GET',
  path: '/polls/:trialCode/:stageId',
  summary: 'Open a poll by its link',
  description: 'Nobody signs in. A poll that is closed shows no questions. 400 if it has no such custom link.',
  who: 'anyone',
  scope: poll,
  needs: 'nothing',
  limit: REQUESTS_PER_MINUTE,
  anonymous: true,
  query: PollLink,
  returns: OpenedPoll,
  run: (context) => {
    const { db, services, now, trial } = context
    const language = answerLanguage({ ...context, participant: { language: null } })
    const { config, stage } = pollIn(context, language)
    customLinkOf(stage, context.query.link)
    const videoUrl = (storedName: string, name: string) => services.storage.downloadUrl(storedName, name, now + HOUR)
    const isOpen = stage.enabled && !trial.isDatabaseLocked
    const opened = {
      ...stage,
      ...contactRequirements(stage.pollSettings, services),
      ...{
        stage: stage._id,
        trialName: trialTextsIn(trial, language).name,
        isOpen,
        zone: zoneOf({ timezone: null }, trial),
      },
      version: formVersion(config, stage),
      components: isOpen ? shownComponents(db, config, stage, undefined, videoUrl) : [],
    }
    return withLanguages(trial, language, opened, () => formTexts(config, stage._id))
  },
})

const submitPoll = operation({
  id: 'submitPoll',
  method: 'POST',
  path: '/polls/:trialCode/:stageId/responses',
  summary: 'Answer a poll',
  description:
    'The answers become a response without a participant. Neither the address nor the device of the sender is kept with it. ' +
    'A custom link keeps its attributes with it. A contact that the poll wants confirmed must have been, under the same `entry`.',
  who: 'anyone',
  scope: poll,
  needs: 'nothing',
  changes: 'data',
  limit: REQUESTS_PER_MINUTE,
  anonymous: true,
  logs: 'submitResponse',
  body: PollInput,
  // What it answers is no secret, but keys of a whole hall would be kept for one address.
  secret: true,
  returns: AnswersReceived,
  prepare: (context) => normaliseContacts(pollIn(context, null).stage.pollSettings, context.body),
  run: (context) => answerPoll(context),
})

const listAnswers = operation({
  id: 'listPollAnswers',
  method: 'GET',
  path: '/trials/:trialId/stages/:stageId/pollAnswers',
  summary: 'List the answers to a poll as they come',
  description: 'Newest first, with the custom link and its attributes. The answers are those of the response.',
  scope: trial,
  needs: 'trial.readParticipantStudyData',
  reads: 'filter',
  query: PollPage,
  returns: PollAnswers,
  run: ({ db, trial, access, params, query: { after, perPage = 30 } }) => {
    // A stage that is no poll any more keeps what came.
    const stage = found(configuration(db, trial).stages.get(params.stageId), 'stage')
    if (visibleScopeOf(access) !== 'all') throw refuse.missing('stage')
    const rows = pollAnswersOf(db, stage._id, perPage + 1, after)
    const answers = rows.slice(0, perPage)
    const next = rows.length > perPage ? (answers.at(-1)?.response ?? null) : null
    return { answers, total: pollAnswerCount(db, stage._id), next }
  },
})

export const pollOperations = [openPoll, submitPoll, listAnswers] as const
