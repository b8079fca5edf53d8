/** Adds up what participants bring, for the whole trial or a site (pure). */
import type { Id } from '#kernel/id'
import { dropoutRules } from '#office/insights/dropout'
import type { DueState } from '#office/insights/due'
import { trendOf } from '#office/insights/measures'
import { addMoment, addValue, type Histogram, histogram, type Moments, noMoments } from '#office/statistics/running'
import type { Facts } from './facts'
import { addIndicators, type ComparisonRule, noIndicators } from './indicators'

type Measure = { participants: number; values: Histogram; baseline: Moments; change: Moments; trend: Moments }
type StageScores = { dataTypes: Set<Id>; occurrences: Map<number, Moments> }

/** The most different values of a measure that are counted exactly. */
const MOST_VALUES = { trial: 20_000, site: 1_000 }
const noForms = (): Record<DueState, number> => ({ onTime: 0, late: 0, missed: 0, open: 0 })

/** An empty tally. */
export function emptyTally(of: keyof typeof MOST_VALUES) {
  return {
    participants: 0,
    responses: 0,
    opened: 0,
    completed: 0,
    /** By the first day of the month in which they opened. */
    months: new Map<string, Record<DueState, number>>(),
    hours: new Map<number, number>(),
    fields: new Map<Id, { asked: number; answered: number }>(),
    measures: new Map<Id, Measure>(),
    scores: new Map<Id, StageScores>(),
    levels: { low: 0, raised: 0, high: 0, unknown: 0, ended: 0 },
    rules: Object.fromEntries(dropoutRules.map((rule) => [rule, 0])),
    indicators: noIndicators(),
    mostValues: MOST_VALUES[of],
  }
}

export type Tally = ReturnType<typeof emptyTally>

const entryOf = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}

function addMeasures(tally: Tally, { series }: Facts): void {
  for (const [dataType, points] of series) {
    const measure = entryOf(tally.measures, dataType, () => ({
      participants: 0,
      values: histogram(tally.mostValues),
      baseline: noMoments(),
      change: noMoments(),
      trend: noMoments(),
    }))
    measure.participants++
    for (const { y } of points) addValue(measure.values, y)
    const first = points[0]!.y
    addMoment(measure.baseline, first)
    if (points.length > 1) addMoment(measure.change, points.at(-1)!.y - first)
    const slope = trendOf(points)
    if (slope) addMoment(measure.trend, slope.estimate)
  }
}

/** Adds a participant. @param comparison how the values of a data type are compared between sites */
export function addFacts(tally: Tally, facts: Facts, comparison: ComparisonRule): void {
  tally.participants++
  tally.responses += facts.responses
  tally.opened += facts.forms.length
  for (const [at, { completedAt, state }] of facts.forms.entries()) {
    if (completedAt !== null) tally.completed++
    if (state !== null) entryOf(tally.months, facts.months[at]!, noForms)[state]++
  }
  for (const hours of facts.hours) {
    const tenth = Math.round(hours * 10) / 10
    tally.hours.set(tenth, (tally.hours.get(tenth) ?? 0) + 1)
  }
  for (const { dataType, isAnswered } of facts.fields) {
    const field = entryOf(tally.fields, dataType, () => ({ asked: 0, answered: 0 }))
    field.asked++
    if (isAnswered) field.answered++
  }
  addMeasures(tally, facts)
  for (const { stage, stageRecurrence, score, dataTypes } of facts.scores) {
    const scores = entryOf(tally.scores, stage, () => ({ dataTypes: new Set<Id>(), occurrences: new Map() }))
    for (const dataType of dataTypes) scores.dataTypes.add(dataType)
    addMoment(entryOf(scores.occurrences, stageRecurrence, noMoments), score)
  }
  tally.levels[facts.dropout.level]++
  for (const { rule } of facts.dropout.reasons) tally.rules[rule]!++
  addIndicators(tally.indicators, facts, comparison)
}
