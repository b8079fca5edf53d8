/** Insights on a trial (docs/insights.md, "Insights on a trial"). */
import { adherenceCounts, Estimate, generation, Share, Spread } from '#office/insights/schema'
import * as t from '#wire/schema'

const maybeNumber = () => t.orNull(t.number())

const FieldCompleteness = t.shape('FieldCompleteness', {
  dataType: t.id(),
  name: t.oneLine(1, 200),
  asked: t.whole(0),
  answered: t.whole(0),
})

const TrialMeasure = t.shape('TrialMeasure', {
  dataType: t.id(),
  name: t.oneLine(1, 200),
  unit: t.orNull(t.text(0, 100)),
  participants: t.withDescription('Who have a value.', t.whole(1)),
  n: t.withDescription('All values.', t.whole(1)),
  digits: t.withDescription(
    'To how many significant digits the values were rounded, as there are too many different ones; null if they were not.',
    t.orNull(t.whole(1)),
  ),
  median: maybeNumber(),
  lowerQuartile: maybeNumber(),
  upperQuartile: maybeNumber(),
  usualFrom: t.withDescription(
    'The median less 3.5 robust standard deviations; null with fewer than five values.',
    maybeNumber(),
  ),
  usualTo: maybeNumber(),
  outliers: t.withDescription('How many values are outside of that range.', t.whole(0)),
  baseline: t.withDescription('The mean of the first values of the participants.', t.orNull(Estimate)),
  change: t.withDescription('The mean change from the first to the latest value of a participant.', t.orNull(Estimate)),
  trend: t.withDescription('The mean of the slopes of the participants, by week.', t.orNull(Estimate)),
})

const Trajectory = t.shape('ScoreTrajectory', {
  stage: t.id(),
  name: t.oneLine(0, 200),
  occurrences: t.withDescription(
    'The mean score of each occurrence, at most the first 400.',
    t.list(t.joinShapes('ScoreOccurrence', t.shape({ stageRecurrence: t.whole(0) }), Estimate), 400),
  ),
})

const levels = { low: t.whole(0), raised: t.whole(0), high: t.whole(0), unknown: t.whole(0), ended: t.whole(0) }

const ScopeInsights = t.shape('ScopeInsights', {
  site: t.withDescription('Null for the whole trial.', t.orNull(t.id())),
  name: t.withDescription('Of the site.', t.orNull(t.oneLine(2, 100))),
  participants: t.withDescription('Who are not archived.', t.whole(0)),
  responses: t.whole(0),
  completeness: t.shape({
    forms: t.withDescription('Completed among those that have opened.', t.orNull(Share)),
    fields: t.withDescription('Answered among those that were asked.', t.orNull(Share)),
    byField: t.list(FieldCompleteness),
  }),
  adherence: t.shape({
    ...adherenceCounts,
    periods: t.withDescription(
      'By the month in which the forms opened.',
      t.list(t.shape('AdherenceMonth', { from: t.text(10, 10), ...adherenceCounts })),
    ),
  }),
  timeToAnswer: t.withDescription('Hours from the opening of a form to its submission.', Spread),
  measures: t.list(TrialMeasure),
  scores: t.list(Trajectory),
  dropout: t.shape('DropoutCounts', {
    ...levels,
    rules: t.withDescription('For how many participants each rule applies.', t.keyed(t.whole(0))),
  }),
})

export const TrialInsights = t.shape('TrialInsights', {
  computedAt: t.withDescription('Null if they have not been computed yet.', t.orNull(t.instant())),
  message: t.withDescription('How they are kept up to date.', t.text(1, 500)),
  scopes: t.withDescription(
    'The whole trial, or a site, or each site that you may see.',
    t.list(ScopeInsights, 1_000_000),
  ),
  ...generation,
})

export const InsightsQuery = t.shape({ site: t.maybe(t.id('Insights on this site.')) })

export const InsightsStarted = t.shape('InsightsStarted', {
  jobId: t.id('Follow it with GET /jobs/:jobId.'),
  generation: generation.generation,
})
