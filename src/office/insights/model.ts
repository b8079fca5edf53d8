/** Insights on a participant (docs/insights.md). */
import * as t from '#wire/schema'
import { dropoutRules } from './dropout'
import { adherenceCounts, Estimate, generation, Share, Spread } from './schema'

const MeasuredValue = t.shape('MeasuredValue', {
  at: t.instant(),
  value: t.number(),
  response: t.id(),
  stage: t.id(),
  stageRecurrence: t.whole(0),
})

const Change = t.shape('ChangeFromBaseline', {
  baseline: t.withDescription('The first value.', t.number()),
  latest: t.number(),
  toLatest: t.withDescription('The latest value less the first.', t.number()),
  toMean: t.withDescription('The mean of the later values less the first.', Estimate),
})

const Outlier = t.shape('Outlier', {
  ...MeasuredValue.properties,
  score: t.withDescription('How many robust standard deviations it is from the median.', t.number()),
})

const course = {
  n: t.whole(1),
  median: t.number(),
  change: t.withDescription('Null with a single value.', t.orNull(Change)),
  trend: t.withDescription(
    'The slope by week of the line through the values; null with fewer than three, or if they are of one day.',
    t.orNull(Estimate),
  ),
  outliers: t.withDescription(
    'Values more than 3.5 robust standard deviations from the median.',
    t.list(Outlier, 100_000),
  ),
  values: t.withDescription('In the order of time, the latest 200.', t.list(MeasuredValue, 200)),
}

const Measure = t.shape('MeasureInsights', {
  dataType: t.id(),
  name: t.oneLine(1, 200),
  unit: t.orNull(t.text(0, 100)),
  ...course,
})

const Score = t.shape('ScoreInsights', { stage: t.id(), name: t.oneLine(0, 200), ...course })

const Adherence = t.shape('Adherence', {
  ...adherenceCounts,
  by: t.withDescription('Whether `periods` are weeks or months.', t.oneOf('week', 'month')),
  periods: t.list(
    t.shape('AdherencePeriod', {
      from: t.withDescription('Its first day: a Monday, or the first of a month.', t.text(10, 10)),
      ...adherenceCounts,
    }),
  ),
})

const Dropout = t.shape('DropoutRisk', {
  level: t.oneOf('low', 'raised', 'high', 'unknown', 'ended'),
  n: t.withDescription('Forms that were due.', t.whole(0)),
  reasons: t.list(
    t.shape('DropoutReason', {
      rule: t.oneOf(...dropoutRules),
      weight: t.whole(1, 2),
      text: t.text(1, 500),
      n: t.withDescription('How many forms it rests on.', t.whole(0)),
      numbers: t.keyed(t.number()),
    }),
  ),
})

export const ParticipantInsights = t.shape('ParticipantInsights', {
  participant: t.id(),
  at: t.instant(),
  completeness: t.shape('Completeness', {
    forms: t.withDescription('Completed among those that have opened; null if none has.', t.orNull(Share)),
    fields: t.withDescription('Answered among those that were asked; null if none was.', t.orNull(Share)),
  }),
  adherence: Adherence,
  timeToAnswer: t.withDescription('Hours from the opening of a form to its submission.', Spread),
  measures: t.withDescription(
    'Each number that was measured, without those that are hidden from you.',
    t.list(Measure),
  ),
  scores: t.list(Score),
  dropout: Dropout,
  ...generation,
})

export const RequestedInsights = t.shape('AskedParticipantInsights', {
  ...ParticipantInsights.properties,
  jobId: t.withDescription('The job that asks for a text; null if none can be asked for.', t.orNull(t.id())),
})
