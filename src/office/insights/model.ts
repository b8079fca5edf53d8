/** Insights on a participant (docs/insights.md). */
import {
  id,
  instant,
  keyed,
  list,
  number,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'
import { dropoutRules } from './dropout'
import { adherenceCounts, Estimate, generation, Share, Spread } from './schema'

const MeasuredValue = shape('MeasuredValue', {
  at: instant(),
  value: number(),
  response: id(),
  stage: id(),
  stageRecurrence: whole(0),
})

const Change = shape('ChangeFromBaseline', {
  baseline: withDescription('The first value.', number()),
  latest: number(),
  toLatest: withDescription('The latest value less the first.', number()),
  toMean: withDescription('The mean of the later values less the first.', Estimate),
})

const Outlier = shape('Outlier', {
  ...MeasuredValue.properties,
  score: withDescription('How many robust standard deviations it is from the median.', number()),
})

const course = {
  n: whole(1),
  median: number(),
  change: withDescription('Null with a single value.', orNull(Change)),
  trend: withDescription(
    'The slope by week of the line through the values; null with fewer than three, or if they are of one day.',
    orNull(Estimate),
  ),
  outliers: withDescription('Values more than 3.5 robust standard deviations from the median.', list(Outlier, 100_000)),
  values: withDescription('In the order of time, the latest 200.', list(MeasuredValue, 200)),
}

const Measure = shape('MeasureInsights', {
  dataType: id(),
  name: oneLine(1, 200),
  unit: orNull(text(0, 100)),
  ...course,
})

const Score = shape('ScoreInsights', { stage: id(), name: oneLine(0, 200), ...course })

const Adherence = shape('Adherence', {
  ...adherenceCounts,
  by: withDescription('Whether `periods` are weeks or months.', oneOf('week', 'month')),
  periods: list(
    shape('AdherencePeriod', {
      from: withDescription('Its first day: a Monday, or the first of a month.', text(10, 10)),
      ...adherenceCounts,
    }),
  ),
})

const Dropout = shape('DropoutRisk', {
  level: oneOf('low', 'raised', 'high', 'unknown', 'ended'),
  n: withDescription('Forms that were due.', whole(0)),
  reasons: list(
    shape('DropoutReason', {
      rule: oneOf(...dropoutRules),
      weight: whole(1, 2),
      text: text(1, 500),
      n: withDescription('How many forms it rests on.', whole(0)),
      numbers: keyed(number()),
    }),
  ),
})

export const ParticipantInsights = shape('ParticipantInsights', {
  participant: id(),
  at: instant(),
  completeness: shape('Completeness', {
    forms: withDescription('Completed among those that have opened; null if none has.', orNull(Share)),
    fields: withDescription('Answered among those that were asked; null if none was.', orNull(Share)),
  }),
  adherence: Adherence,
  timeToAnswer: withDescription('Hours from the opening of a form to its submission.', Spread),
  measures: withDescription('Each number that was measured, without those that are hidden from you.', list(Measure)),
  scores: list(Score),
  dropout: Dropout,
  ...generation,
})

export const RequestedInsights = shape('AskedParticipantInsights', {
  ...ParticipantInsights.properties,
  jobId: withDescription('The job that asks for a text; null if none can be asked for.', orNull(id())),
})
