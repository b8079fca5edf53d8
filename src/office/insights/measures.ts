/** What the numbers of a participant say as they follow each other: change, trend and outliers (pure). */

import type { Id } from '#kernel/id'
import { DAY, type Instant } from '#kernel/time'
import { changeFromFirst, slopeOf } from '#office/statistics/estimates'
import { median, outliersIn } from '#office/statistics/samples'

/** A number, when it was submitted, and in which response. */
export type Measured = { at: Instant; value: number; response: Id; stage: Id; stageRecurrence: number }

/** The most numbers that are listed, the latest ones. */
const MOST_LISTED = 200
const WEEK = 7 * DAY

/** The number in an answer; undefined if it has none. Of a BMI, the BMI itself. */
export function numberIn(answer: unknown): number | undefined {
  if (typeof answer === 'number') return answer
  if (typeof answer !== 'object' || answer === null || !('bmi' in answer)) return undefined
  return typeof answer.bmi === 'number' ? answer.bmi : undefined
}

/** The trend of numbers by week. */
export const trendOf = (points: readonly Measured[]) =>
  slopeOf(points.map(({ at, value }) => ({ x: (at - points[0]!.at) / WEEK, y: value })))

/** The change, the trend by week and the outliers of numbers in the order of time; at least one. */
export function courseOf(points: readonly Measured[]) {
  const values = points.map(({ value }) => value)
  return {
    n: points.length,
    median: median(values),
    change: changeFromFirst(values),
    trend: trendOf(points),
    outliers: outliersIn(values).map(({ at, score }) => ({ ...points[at]!, score })),
    values: points.slice(-MOST_LISTED),
  }
}
