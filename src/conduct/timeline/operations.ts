import { self } from '#conduct/participantSessions/scope'
import { answerLanguage, withLanguages } from '#conduct/participants/language'
import { participant } from '#conduct/participants/scope'
import { configuration } from '#design/configuration/configuration'
import { progressOf, timelineOf } from '#design/schedule/rules'
import { stageNames } from '#design/translations/textKinds'
import { operation } from '#http/operation'
import { StaffTimeline, Timeline } from './model'
import { timelineInput } from './progress'

const readTimeline = operation({
  id: 'readTimeline',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/stages',
  summary: 'Read the timeline of a participant',
  description: 'Every occurrence of every stage, also those that the participant does not see.',
  scope: participant,
  needs: 'trial.readParticipants',
  returns: StaffTimeline,
  run: ({ db, trial, participant, now }) => {
    const { timeline } = configuration(db, trial)
    const input = timelineInput(db, participant, trial, now)
    return {
      stages: timelineOf(timeline, input),
      ratioComplete: progressOf(timeline, input).ratioComplete,
      anchors: [...input.anchors].map(([anchor, datetime]) => ({ anchor, datetime })),
    }
  },
})

const readOwnTimeline = operation({
  id: 'readOwnTimeline',
  method: 'GET',
  path: '/participants/trials/:trialId/stages',
  summary: 'Read one’s own timeline',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  returns: Timeline,
  run: (context) => {
    const { db, trial, participant, now } = context
    const language = answerLanguage(context)
    const { timeline, source } = configuration(db, trial).in(language)
    const input = timelineInput(db, participant, trial, now)
    const stages = timelineOf(timeline, input).filter(({ visible }) => visible)
    const answer = { stages, ratioComplete: progressOf(timeline, input).ratioComplete }
    return withLanguages(trial, language, answer, () => source.stageOrder.map((stage) => [stage, stageNames] as const))
  },
})

export const timelineOperations = [readTimeline, readOwnTimeline] as const
