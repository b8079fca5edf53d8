/** Anonymous polls: what their links open, and what staff see of the answers (docs/polls.md). */

import { visibleScopeOf } from '#access/caller'
import { answerLanguage } from '#conduct/participants/language'
import { formVersion, shownComponents } from '#conduct/responses/stageDetail'
import { zoneOf } from '#conduct/timeline/progress'
import { configuration } from '#design/configuration/configuration'
import { trialIn } from '#design/trials/rules'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { HOUR } from '#kernel/time'
import { answerPoll } from './answer'
import { OpenedPoll, PollAnswers, PollInput, PollPage, PollReceipt } from './model'
import { contactsOf, needsProof } from './rules'
import { poll, pollIn } from './scope'
import { pollAnswerCount, pollAnswersOf } from './store'

/** Requests per minute and address: a lecture hall has one address, and everybody in it answers at once. */
const HALL = 3_000

const openPoll = operation({
  id: 'openPoll',
  method: 'GET',
  path: '/polls/:trialCode/:stageId',
  summary: 'Open a poll by its link',
  description: 'Nobody signs in. A poll that is closed shows no questions.',
  who: 'anyone',
  scope: poll,
  needs: 'nothing',
  limit: HALL,
  returns: OpenedPoll,
  run: (context) => {
    const { db, services, now, trial } = context
    const language = answerLanguage({ ...context, participant: { language: null } })
    const { config, stage } = pollIn(context, language)
    const videoUrl = (storedName: string, name: string) => services.storage.downloadUrl(storedName, name, now + HOUR)
    const isOpen = stage.enabled && !trial.isDatabaseLocked
    return {
      ...stage,
      ...contactsOf(stage.pollSettings),
      needsProof: needsProof(stage.pollSettings),
      ...{
        stage: stage._id,
        trialName: trialIn(trial, language).name,
        isOpen,
        zone: zoneOf({ timezone: null }, trial),
      },
      version: formVersion(config, stage),
      components: isOpen ? shownComponents(db, config, stage, undefined, videoUrl) : [],
    }
  },
})

const submitPoll = operation({
  id: 'submitPoll',
  method: 'POST',
  path: '/polls/:trialCode/:stageId/responses',
  summary: 'Answer a poll',
  description:
    'The answers become a response that belongs to nobody. Neither the address nor the device of the sender is kept with it. ' +
    'A custom link keeps its attributes with it.',
  who: 'anyone',
  scope: poll,
  needs: 'nothing',
  changes: 'data',
  limit: HALL,
  logs: 'submitResponse',
  body: PollInput,
  // What it answers is no secret, but keys of a whole hall would be kept for one address.
  secret: true,
  returns: PollReceipt,
  run: answerPoll,
})

const listAnswers = operation({
  id: 'listPollAnswers',
  method: 'GET',
  path: '/trials/:trialId/stages/:stageId/pollAnswers',
  summary: 'List the answers to a poll as they come',
  description: 'Newest first, with the custom link and its attributes. The answers are those of the response.',
  scope: trial,
  needs: 'trial.readParticipantStudyData',
  query: PollPage,
  returns: PollAnswers,
  run: ({ db, trial, access, params, query: { page = 1, perPage = 30 } }) => {
    // A stage that is no poll any more keeps what came.
    const stage = found(configuration(db, trial).stages.get(params.stageId), 'stage')
    if (visibleScopeOf(access) !== 'all') throw refuse.missing('stage')
    const rows = pollAnswersOf(db, stage._id, perPage + 1, (page - 1) * perPage)
    const total = pollAnswerCount(db, stage._id)
    return { answers: rows.slice(0, perPage), total, page, nextPageAvailable: rows.length > perPage }
  },
})

export const pollOperations = [openPoll, submitPoll, listAnswers] as const
