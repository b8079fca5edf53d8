/** Answers as values of SDTM, and the records that they are put into (pure). */
import type { Zone } from '#kernel/zones'
import { dateOf } from './dates'
import type { Target } from './forms'
import type { FieldPlan } from './plan'
import type { DomainName } from './variables'

export type Value = string | number | null
export type Qualifier = { name: string; label: string; value: string; origin: 'CRF' | 'DERIVED' }

/** A record of a domain before it has its number. */
export type SdtmRecord = { domain: DomainName; values: Record<string, Value>; qualifiers: Qualifier[] }

export type PlannedAnswer = { dataType: string; field: FieldPlan; value: unknown }
export type OnDropped = (dataType: string, why: string) => void
export type Context = {
  VISITNUM?: number
  VISIT?: string
  at: string
  zone: Zone
  groupOf: (domain: DomainName) => string
}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
/** Transport files hold numbers below 7e75. */
const LARGEST_NUMBER = 1e70
export const labelOf = (value: unknown): string => listOf(value).map(textOf).join('; ')
export const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length)

/** The value of an answer in a variable; undefined if it has none there. */
function valueFor({ as, values }: Extract<Target, { to: string }>, value: unknown, zone: Zone): Value | undefined {
  if (as === 'date') return dateOf(value, zone) ?? undefined
  if (as === 'number') return typeof value === 'number' && Math.abs(value) < LARGEST_NUMBER ? value : undefined
  return values ? values[labelOf(value)] : labelOf(value)
}

/** Fills a record from an answer. Returns whether nothing of the answer is lost. */
export function fillRecord(record: SdtmRecord, targets: readonly Target[], value: unknown, zone: Zone): boolean {
  const kept = targets.map((target) => {
    if ('supp' in target) {
      const { supp: name, label } = target
      record.qualifiers.push({ name, label, value: labelOf(value), origin: 'CRF' })
      return 'whole'
    }
    if ('flags' in target) {
      const chosen = listOf(value).map((label) => target.flags[String(label)])
      for (const name of chosen) if (name) record.values[name] = 'Y'
      return chosen.includes(undefined) ? 'lost' : 'whole'
    }
    const made = valueFor(target, value, zone)
    if (made !== undefined) record.values[target.to] = made
    return made === undefined ? 'lost' : 'whole'
  })
  return kept.includes('whole') && (!kept.includes('lost') || targets.some((target) => 'supp' in target))
}

export const NO_OPTION = 'An answer that is no option of the form of the library.'
export const NO_PARENT = 'The form has no record that it could belong to.'
