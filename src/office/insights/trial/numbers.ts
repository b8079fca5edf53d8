/** The insights on a trial, or a site of it, as they are kept (pure). Readers get a part of them. */
import type { Id } from '#kernel/id'
import { shareOf } from '#office/statistics/estimates'
import { distributionOf, estimateOf } from '#office/statistics/running'
import { spreadOfCounts, sum } from '#office/statistics/samples'
import type { Tally } from './tally'

/** The most occurrences of a stage whose scores are kept. */
const MOST_OCCURRENCES = 400

type AdherenceCounts = { onTime: number; late: number; missed: number }

const adherence = ({ onTime, late, missed }: AdherenceCounts) => {
  const due = onTime + late + missed
  return { due, onTime, late, missed, share: shareOf(onTime, due) }
}

/** Everything of a tally, with intervals. */
export function numbersOf(tally: Tally) {
  const months = [...tally.months].sort(([a], [b]) => (a < b ? -1 : 1))
  const total = (end: keyof AdherenceCounts) => sum(months.map(([, periodCounts]) => periodCounts[end]))
  return {
    participants: tally.participants,
    responses: tally.responses,
    forms: shareOf(tally.completed, tally.opened),
    fields: [...tally.fields].map(([dataType, counts]): { dataType: Id; asked: number; answered: number } => ({
      dataType,
      ...counts,
    })),
    adherence: {
      ...adherence({ onTime: total('onTime'), late: total('late'), missed: total('missed') }),
      periods: months
        .map(([from, periodCounts]) => ({ from, ...adherence(periodCounts) }))
        .filter(({ due }) => due > 0),
    },
    timeToAnswer: spreadOfCounts(tally.hours),
    measures: [...tally.measures].map(([dataType, { participants, values, baseline, change, trend }]) => ({
      dataType,
      participants,
      ...distributionOf(values),
      baseline: estimateOf(baseline),
      change: estimateOf(change),
      trend: estimateOf(trend),
    })),
    scores: [...tally.scores].map(([stage, { dataTypes, occurrences }]) => ({
      stage,
      dataTypes: [...dataTypes],
      occurrences: [...occurrences]
        .sort(([a], [b]) => a - b)
        .slice(0, MOST_OCCURRENCES)
        .map(([stageRecurrence, moments]) => ({ stageRecurrence, ...estimateOf(moments)! })),
    })),
    dropout: { ...tally.levels, rules: tally.rules },
  }
}

export type TrialNumbers = ReturnType<typeof numbersOf>
