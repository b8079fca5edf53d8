import { scopeOf } from '#access/caller'
import { configuration } from '#design/configuration/configuration'
import { sitesOf } from '#design/sites/store'
import { settingsOf } from '#design/trials/rules'
import { type TrialScope, trial } from '#design/trials/scope'
import { anywhere, operation, type RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { generationState, visibleTexts } from '#office/insights/texts/generation'
import { startInsights } from '#office/insights/texts/start'
import { textsAboutTrial } from '#office/insights/texts/store'
import { InsightsQuery, InsightsStarted, TrialInsights } from './model'
import { storedInsights } from './store'
import { hiddenAt, visibleNumbers } from './view'

type TrialContext = Pick<RequestContext, 'db'> & TrialScope

/** The site to read about: null for the whole trial. 403 if the reader may not see it, 404 if there is no such site. */
function scopesFor(
  { db, trial, access }: TrialContext,
  site: Id | undefined,
): { site: Id | null; name: string | null }[] {
  const visible = scopeOf(access, ['readParticipantStudyData'])
  if (visible !== 'all' && !visible.sites.length) throw refuse.forbidden('insightsOfSites')
  const sites = sitesOf(db, trial._id, visible).map(({ _id, name }) => ({ site: _id, name }))
  if (site !== undefined) {
    const one = sites.filter((each) => each.site === site)
    if (!one.length) throw refuse.missing('site')
    return one
  }
  return visible === 'all' ? [{ site: null, name: null }] : sites
}

const messageOf = (isKept: boolean) =>
  isKept
    ? 'They are computed again within an hour of a change.'
    : 'They are computed when somebody asks for it with POST. With trialInsightsEnabled they are kept up to date.'

const readTrialInsights = operation({
  id: 'readTrialInsights',
  method: 'GET',
  path: '/trials/:trialId/insights',
  summary: 'Read insights on a trial or a site',
  description:
    'As they were computed last. Without `site`, those on the whole trial; accounts that are limited to sites get those on each of their sites. Fields that are hidden from the caller are left out.',
  scope: trial,
  needs: anywhere('trial.readParticipantStudyData'),
  feature: 'ai',
  query: InsightsQuery,
  returns: TrialInsights,
  run: (context) => {
    const { services, db, trial, access, query } = context
    const config = configuration(db, trial)
    const scopes = scopesFor(context, query.site)
    const kept = scopes.flatMap(({ site, name }) => {
      const row = storedInsights(db, trial._id, site ?? '')
      return row ? [{ ...visibleNumbers(config, row.numbers, hiddenAt(config, access, site)), site, name }] : []
    })
    const settings = settingsOf(trial)
    const isWhole = scopeOf(access, ['readParticipantStudyData']) === 'all'
    return {
      computedAt: storedInsights(db, trial._id, '')?.computedAt ?? null,
      message: messageOf(settings.trialInsightsEnabled),
      scopes: kept,
      texts: isWhole ? visibleTexts(textsAboutTrial(db, trial._id), hiddenAt(config, access, null)) : [],
      generation: generationState(services, settings, 'trialInsightsEnabled'),
    }
  },
})

const askForTrialInsights = operation({
  id: 'askForTrialInsights',
  method: 'POST',
  path: '/trials/:trialId/insights',
  summary: 'Compute the insights on a trial now',
  description:
    'Returns the job that computes them. With an AI endpoint, and if trialInsightsEnabled is true, it also asks for a text about them; the endpoint gets no personal information and no restricted field.',
  scope: trial,
  needs: 'trial.readParticipantStudyData',
  feature: 'ai',
  logs: 'askForTrialInsights',
  returns: InsightsStarted,
  run: (context) => {
    const { services, trial } = context
    const generation = generationState(services, settingsOf(trial), 'trialInsightsEnabled')
    const about = { trial: trial._id, participant: null, withText: generation.isAvailable }
    const jobId = startInsights(context, about)
    context.record({ event: { jobId, withText: about.withText } })
    return { jobId, generation }
  },
})

export const trialInsightOperations = [readTrialInsights, askForTrialInsights] as const
