/** Insights on a trial (docs/insights.md, "Insights on a trial"). */
import { adherenceCounts, Estimate, generation, Share, Spread } from '#office/insights/schema'
import {
  id,
  instant,
  joinShapes,
  keyed,
  list,
  maybe,
  number,
  oneLine,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

const maybeNumber = () => orNull(number())

const FieldCompleteness = shape('FieldCompleteness', {
  dataType: id(),
  name: oneLine(1, 200),
  asked: whole(0),
  answered: whole(0),
})

const TrialMeasure = shape('TrialMeasure', {
  dataType: id(),
  name: oneLine(1, 200),
  unit: orNull(text(0, 100)),
  participants: withDescription('Who have a value.', whole(1)),
  n: withDescription('All values.', whole(1)),
  digits: withDescription(
    'To how many significant digits the values were rounded, as there are too many different ones; null if they were not.',
    orNull(whole(1)),
  ),
  median: maybeNumber(),
  lowerQuartile: maybeNumber(),
  upperQuartile: maybeNumber(),
  usualFrom: withDescription(
    'The median less 3.5 robust standard deviations; null with fewer than five values.',
    maybeNumber(),
  ),
  usualTo: maybeNumber(),
  outliers: withDescription('How many values are outside of that range.', whole(0)),
  baseline: withDescription('The mean of the first values of the participants.', orNull(Estimate)),
  change: withDescription('The mean change from the first to the latest value of a participant.', orNull(Estimate)),
  trend: withDescription('The mean of the slopes of the participants, by week.', orNull(Estimate)),
})

const Trajectory = shape('ScoreTrajectory', {
  stage: id(),
  name: oneLine(0, 200),
  occurrences: withDescription(
    'The mean score of each occurrence, at most the first 400.',
    list(joinShapes('ScoreOccurrence', shape({ stageRecurrence: whole(0) }), Estimate), 400),
  ),
})

const levels = { low: whole(0), raised: whole(0), high: whole(0), unknown: whole(0), ended: whole(0) }

const ScopeInsights = shape('ScopeInsights', {
  site: withDescription('Null for the whole trial.', orNull(id())),
  name: withDescription('Of the site.', orNull(oneLine(2, 100))),
  participants: withDescription('Who are not archived.', whole(0)),
  responses: whole(0),
  completeness: shape({
    forms: withDescription('Completed among those that have opened.', orNull(Share)),
    fields: withDescription('Answered among those that were asked.', orNull(Share)),
    byField: list(FieldCompleteness),
  }),
  adherence: shape({
    ...adherenceCounts,
    periods: withDescription(
      'By the month in which the forms opened.',
      list(shape('AdherenceMonth', { from: text(10, 10), ...adherenceCounts })),
    ),
  }),
  timeToAnswer: withDescription('Hours from the opening of a form to its submission.', Spread),
  measures: list(TrialMeasure),
  scores: list(Trajectory),
  dropout: shape('DropoutCounts', {
    ...levels,
    rules: withDescription('For how many participants each rule applies.', keyed(whole(0))),
  }),
})

export const TrialInsights = shape('TrialInsights', {
  computedAt: withDescription('Null if they have not been computed yet.', orNull(instant())),
  message: withDescription('How they are kept up to date.', text(1, 500)),
  scopes: withDescription('The whole trial, or a site, or each site that you may see.', list(ScopeInsights, 1_000_000)),
  ...generation,
})

export const InsightsQuery = shape({ site: maybe(id('Insights on this site.')) })

export const InsightsStarted = shape('InsightsStarted', {
  jobId: id('Follow it with GET /jobs/:jobId.'),
  generation: generation.generation,
})
