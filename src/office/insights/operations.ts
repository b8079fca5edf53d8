import { type ParticipantScope, participant } from '#conduct/participants/scope'
import { configuration } from '#design/configuration/configuration'
import { hiddenFrom } from '#design/hiddenFields/hiddenFields'
import { settingsOf } from '#design/trials/rules'
import { operation, type RequestContext } from '#http/operation'
import { generationState, visibleTexts } from '#office/insights/texts/generation'
import { startInsights } from '#office/insights/texts/start'
import { textsAbout } from '#office/insights/texts/store'
import { ParticipantInsights, RequestedInsights } from './model'
import { participantInsights } from './participant'

type InsightContext = Pick<RequestContext, 'services' | 'db' | 'now'> & ParticipantScope

/** The insights on the participant as the caller may see them. */
function insightsFor({ services, db, now, trial, access, participant, places }: InsightContext) {
  const config = configuration(db, trial)
  const hidden = hiddenFrom(config, access, places)
  return {
    ...participantInsights(db, config, trial, participant, hidden, now),
    texts: visibleTexts(textsAbout(db, participant._id), hidden),
    generation: generationState(services, settingsOf(trial), 'participantInsightsEnabled'),
  }
}

const readParticipantInsights = operation({
  id: 'readParticipantInsights',
  method: 'GET',
  path: '/trials/:trialId/participants/:participantId/insights',
  summary: 'Read insights on a participant',
  description:
    'Completeness, adherence, time to answer, change, trend and outliers of each measure, scores, and the risk of dropping out, computed now, with the numbers behind each. Fields that are hidden from the caller are left out.',
  scope: participant,
  needs: 'trial.readParticipantStudyData',
  feature: 'ai',
  returns: ParticipantInsights,
  run: insightsFor,
})

const askForParticipantInsights = operation({
  id: 'askForParticipantInsights',
  method: 'POST',
  path: '/trials/:trialId/participants/:participantId/insights',
  summary: 'Ask for a generated text about a participant',
  description:
    'Returns the insights, and the job that asks the AI endpoint for a text about them. The endpoint gets no personal information and no restricted field. Without an endpoint, and while participantInsightsEnabled is false, `generation` says so and there is no job.',
  scope: participant,
  needs: 'trial.readParticipantStudyData',
  feature: 'ai',
  logs: 'askForParticipantInsights',
  returns: RequestedInsights,
  run: (context) => {
    const insights = insightsFor(context)
    const about = { trial: context.trial._id, participant: context.participant._id, withText: true }
    const jobId = insights.generation.isAvailable ? startInsights(context, about) : null
    context.record({ event: { jobId } })
    return { ...insights, jobId }
  },
})

export const insightOperations = [readParticipantInsights, askForParticipantInsights] as const
