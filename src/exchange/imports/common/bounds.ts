/** Splits and shortens what is larger in a file than a stage can hold. */

import { patternOf } from '#design/dataTypes/pattern'
import type { ImportPlan, Warning } from '#design/stages/importPlan'
import { excerptOf, titleFromName, toOneLine } from '#documents/texts'
import { unreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { cut } from '#kernel/text'
import type { DraftItem, DraftStage, Warn } from './draft'

/**
 * The maximum number of items in an imported stage: half of what a stage can hold, as each may need a calculation for
 * its condition.
 */
const MOST_ITEMS = 2_500
/** The maximum number of warnings in a response; the others are only counted. */
const MOST_WARNINGS = 5_000

/** The most fields and stages of one plan, which the main thread adds to the trial while others wait. */
const MOST_FIELDS = 5_000
const MOST_STAGES = 500
const MOST_STEPS = 50_000
/** The longest plan, as JSON, in characters. */
const LONGEST_PLAN = 8_000_000

/** The steps of all patterns, which the main thread compiles. */
function stepsOf(dataTypes: ImportPlan['dataTypes']): number {
  const all = dataTypes.flatMap(({ pattern, columns }) => [pattern, ...(columns ?? []).map((column) => column.pattern)])
  return [...new Set(all)].reduce((sum, pattern) => sum + ((pattern && patternOf(pattern)?.steps) || 0), 0)
}

/** @throws an `unreadable` that names the limit, for a plan that is too large to be added at once */
export function requireSize<P extends Pick<ImportPlan, 'stages' | 'dataTypes'>>(plan: P): P {
  const [fields, forms] = [plan.dataTypes.length, plan.stages.length]
  if (fields > MOST_FIELDS) throw unreadable(reason('tooManyFields', { held: fields, most: MOST_FIELDS }))
  if (forms > MOST_STAGES) throw unreadable(reason('tooManyForms', { held: forms, most: MOST_STAGES }))
  const steps = stepsOf(plan.dataTypes)
  if (steps > MOST_STEPS) throw unreadable(reason('tooManyPatternSteps', { held: steps, most: MOST_STEPS }))
  const { length } = JSON.stringify(plan)
  if (length > LONGEST_PLAN) throw unreadable(reason('tooManyCharacters', { held: length, most: LONGEST_PLAN }))
  return plan
}

/** Splits a form that has more items than a stage can have components. */
export function splitStage(stage: DraftStage, warn: Warn): DraftStage[] {
  if (stage.items.length <= MOST_ITEMS || stage.extra) return [stage]
  const count = Math.ceil(stage.items.length / MOST_ITEMS)
  warn(stage.source, `It has ${stage.items.length} fields and headings and was split into ${count} stages.`)
  return Array.from({ length: count }, (_, n) => ({
    ...stage,
    name: `${cut(stage.name, 80)} (${n + 1} of ${count})`,
    items: stage.items.slice(n * MOST_ITEMS, (n + 1) * MOST_ITEMS),
  }))
}

export function nameOf({ name, source }: DraftStage, warn: Warn): string {
  const full = name.replace(/\s+/g, ' ').trim() || titleFromName(source) || 'Form'
  if (full.length > 100) warn(source, `Its name was cut to 100 characters: ${excerptOf(full)}`)
  const short = cut(full, 100).trim()
  return short.length < 2 ? `Form ${short}` : short
}

/** The plan with names of one line: a title of a question may have several, and a note of an earlier version too. */
export function withNamesOfOneLine(plan: ImportPlan): ImportPlan {
  const named = <T extends { name: string }>(each: T): T => ({ ...each, name: toOneLine(each.name) })
  return {
    ...plan,
    stages: plan.stages.map((stage) => ({
      ...named(stage),
      ...(stage.groups ? { groups: stage.groups.map(toOneLine) } : {}),
    })),
    dataTypes: plan.dataTypes.map((type) => ({
      ...named(type),
      ...(type.columns ? { columns: type.columns.map((column) => ({ ...column, id: toOneLine(column.id) })) } : {}),
    })),
  }
}

export function descriptionOf({ description = '', source }: DraftStage, warn: Warn): string {
  if (description.length > 1000) warn(source, `Its description was cut from ${description.length} to 1000 characters.`)
  return cut(description, 1000)
}

export function titleOf({ title, source }: DraftItem, warn: Warn): string {
  if (title.length > 2000) warn(source, `Its text was cut from ${title.length} to 2000 characters.`)
  return cut(title, 2000)
}

export function noteOf({ note = '', source }: DraftItem, warn: Warn): string {
  if (note.length > 5000) warn(source, `Its note was cut from ${note.length} to 5000 characters.`)
  return cut(note, 5000)
}

/** The warnings without duplicates, up to the maximum number. */
export function limitWarnings(all: Warning[]): Warning[] {
  const keys = new Set<string>()
  const warnings = all.filter(({ field, problem }) => {
    const key = `${field}\n${problem}`
    return !keys.has(key) && keys.add(key)
  })
  if (warnings.length <= MOST_WARNINGS) return warnings
  const problem = `There are ${warnings.length - MOST_WARNINGS} more warnings than can be listed.`
  return [...warnings.slice(0, MOST_WARNINGS), { field: '', problem }]
}
