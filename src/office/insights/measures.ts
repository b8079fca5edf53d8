/** What the numbers of a participant say as they follow each other: change, trend and outliers (pure). */

import type { Id } from '#kernel/id'
import { DAY, type Instant } from '#kernel/time'
import { changeFromFirst, type Point, slopeOf } from '#office/statistics/estimates'
import { median, outliersIn } from '#office/statistics/samples'

/** A number, when it was submitted, and in which response. */
export type MeasurePoint = { at: Instant; value: number; response: Id; stage: Id; stageRecurrence: number }

/** The most numbers that are listed, the latest ones. */
const MOST_LISTED = 200
const WEEK = 7 * DAY

/** The number in an answer; undefined if it has none. Of a BMI, the BMI itself. */
export function numberIn(answer: unknown): number | undefined {
  if (typeof answer === 'number') return answer
  if (typeof answer !== 'object' || answer === null || !('bmi' in answer)) return undefined
  return typeof answer.bmi === 'number' ? answer.bmi : undefined
}

/** The moment of a number as the x of a trend, in weeks. @param from any moment of the same participant */
export const weeksSince = (from: Instant, at: Instant): number => (at - from) / WEEK

/** The shortest time for which a trend is computed, in weeks: three measurements of one visit say nothing about a week. */
const MIN_TREND_WEEKS = DAY / WEEK

/** The trend of numbers in the order of time; x in weeks. Null with fewer than three, or all of one day. */
export function trendOf(points: readonly Point[]) {
  const [first, last] = [points[0], points.at(-1)]
  return first && last && last.x - first.x >= MIN_TREND_WEEKS ? slopeOf(points) : null
}

/** The change, the trend by week and the outliers of numbers in the order of time; at least one. */
export function courseOf(points: readonly MeasurePoint[]) {
  const values = points.map(({ value }) => value)
  return {
    n: points.length,
    median: median(values),
    change: changeFromFirst(values),
    trend: trendOf(points.map(({ at, value }) => ({ x: weeksSince(points[0]?.at ?? at, at), y: value }))),
    outliers: outliersIn(values).map(({ at, score }) => ({ ...points[at]!, score })),
    values: points.slice(-MOST_LISTED),
  }
}
