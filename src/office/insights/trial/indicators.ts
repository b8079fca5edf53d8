/** What is counted of each site for central monitoring (pure); docs/central-monitoring.md, "What is compared". */
import type { Configuration } from '#design/configuration/configuration'
import { isSensitive } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'
import type { Share } from '#office/statistics/comparison'
import type { Facts } from './facts'

export const indicators = ['missing', 'late', 'queries', 'digits', 'repeats'] as const
export type Indicator = (typeof indicators)[number]

export type Indicators = Record<Indicator, Share>

export const noIndicators = (): Indicators => ({
  missing: { count: 0, of: 0 },
  late: { count: 0, of: 0 },
  queries: { count: 0, of: 0 },
  digits: { count: 0, of: 0 },
  repeats: { count: 0, of: 0 },
})

/** The last digit of a number, written with so many decimals, or with as many as it has. */
export function lastDigit(value: number, decimals: number | null = null): string {
  const text = decimals === null ? `${value}` : value.toFixed(decimals)
  return /(\d)(?:e.*)?$/.exec(text)?.[1] ?? ''
}

/**
 * How the answers of a data type are looked at: undefined for not at all. `values`: whether its numbers were measured, not calculated;
 * `digits`: whether somebody wrote them digit by digit, with so many `decimals`.
 */
export type ComparisonRule = (dataType: Id) => { values: boolean; digits: boolean; decimals: number | null } | undefined

const DIGITS: readonly string[] = ['integer', 'float', 'slider', 'measurements']

/** What is looked at: nothing of fields that are restricted or personal, as all readers get the same. */
export const comparisonRuleFor =
  (config: Configuration): ComparisonRule =>
  (dataType) => {
    const field = config.dataTypes.get(dataType)
    if (!field || isSensitive(config, dataType)) return undefined
    const { format, decimals = null } = field
    return { values: format !== 'calculation', digits: DIGITS.includes(format), decimals }
  }

/** Adds a participant. The fields with queries are counted by `queriesAtSites`. */
export function addIndicators(
  to: Indicators,
  facts: Pick<Facts, 'fields' | 'forms' | 'series' | 'entered'>,
  rule: ComparisonRule,
): void {
  const fields = facts.fields.filter(({ dataType }) => rule(dataType))
  to.missing.of += fields.length
  to.missing.count += fields.filter(({ isAnswered }) => !isAnswered).length
  to.queries.of += facts.entered.filter((dataType) => rule(dataType)).length
  for (const { state } of facts.forms) {
    if (state === null || state === 'open') continue
    to.late.of++
    if (state !== 'onTime') to.late.count++
  }
  for (const [dataType, points] of facts.series) {
    const comparison = rule(dataType)
    if (!comparison?.values) continue
    for (const [at, { y }] of points.entries()) {
      if (comparison.digits) {
        to.digits.of++
        if ('05'.includes(lastDigit(y, comparison.decimals))) to.digits.count++
      }
      if (at === 0) continue
      to.repeats.of++
      if (y === points[at - 1]!.y) to.repeats.count++
    }
  }
}
