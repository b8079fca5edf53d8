/** Translates the conditions of a stage together: what one means depends on which of the others are kept. */

import { topologicalOrder } from '#design/dataTypes/calculationOrder'
import { compileExpression } from '#design/dataTypes/expressions'
import type { ExpressionNode } from '#design/dataTypes/grammar/tree'
import type { PlannedComponent } from '#design/stages/importPlan'
import { conditionOf, simplify } from './conditions'
import type { DraftItem } from './draft'
import { conditionCalculationOf, type Names } from './expressions'
import { conjuncts, keyOf } from './logic'

type Condition = NonNullable<PlannedComponent['condition']>

/** How an item is shown: by a condition, or by a calculation with the value 1. `problem`: why its condition means nothing here. */
export type DisplayRule = { condition: Condition } | { expression: string; notes: string[] } | { problem: string }

/** An item with a condition. */
export type ConditionalItem = {
  item: DraftItem
  /** The code of its data type in lower case; undefined for a heading. */
  key?: string | undefined
  /** The condition in the note of one of our exports, which replaces that of the file; null if it says that there is none. */
  notedCondition?: Condition | null | undefined
  /** Why its condition means nothing here, if that is known already. */
  problem?: string | undefined
}

type Stage = {
  items: readonly ConditionalItem[]
  names: Names
  /** The codes, in lower case, that the calculations of the stage name, by their own. */
  computedFrom: ReadonlyMap<string, readonly string[]>
}

/** What the item waits for: the codes, in lower case, of the fields in its condition. */
function needsOf(rule: DisplayRule): string[] {
  if ('condition' in rule) return [rule.condition.dataType]
  if ('problem' in rule) return []
  const compiled = compileExpression(rule.expression)
  return 'problem' in compiled ? [] : compiled.references
}

/**
 * The translated conditions. One that means nothing here takes no part in the others: a part of a
 * condition is dropped as redundant only if the field that implies it keeps its own condition. `calculations` are those
 * that depend on themselves, with the cycle.
 */
export function translateConditions({ items, names, computedFrom }: Stage) {
  const lost = new Map<ConditionalItem, string>()
  const calculations = new Map<string, string>()
  for (;;) {
    const known = lost.size + calculations.size
    const shown = translateOnce(items, names, lost)
    for (const [each, result] of shown) if ('problem' in result) lost.set(each, result.problem)
    breakCycles(shown, computedFrom, lost, calculations)
    if (lost.size + calculations.size > known) continue
    return { shown: new Map([...shown].map(([{ item }, result]) => [item, result])), calculations }
  }
}

function translateOnce(
  items: readonly ConditionalItem[],
  names: Names,
  lost: ReadonlyMap<ConditionalItem, string>,
): Map<ConditionalItem, DisplayRule> {
  const nodes = new Map(items.map((each) => [each, (each.item.conditions ?? []).map(simplify)]))
  const byField = new Map<string, ReadonlySet<string>>()
  for (const each of items) {
    if (each.key === undefined || each.notedCondition !== undefined || each.problem !== undefined || lost.has(each))
      continue
    byField.set(each.key, new Set(nodes.get(each)!.flatMap(conjuncts).map(keyOf)))
  }
  const shown = new Map<ConditionalItem, DisplayRule>()
  for (const each of items) {
    const problem = lost.get(each) ?? each.problem
    const result =
      problem !== undefined
        ? { problem }
        : each.notedCondition !== undefined
          ? displayRuleOf(each.notedCondition)
          : translateItem(nodes.get(each)!)
    if (result) shown.set(each, result)
  }
  return shown

  function translateItem(conditions: readonly ExpressionNode[]): DisplayRule | undefined {
    const result = conditionOf(conditions, names, byField)
    if (!result || !('calculation' in result)) return result
    const calculation = conditionCalculationOf(result.calculation, names)
    if ('problem' in calculation) return calculation
    return { ...calculation, notes: [...(result.note ? [result.note] : []), ...calculation.notes] }
  }
}

const displayRuleOf = (condition: Condition | null): DisplayRule | undefined => (condition ? { condition } : undefined)

/** Leaves out conditions, else calculations, until nothing depends on itself. */
function breakCycles(
  rules: ReadonlyMap<ConditionalItem, DisplayRule>,
  computedFrom: Stage['computedFrom'],
  lost: Map<ConditionalItem, string>,
  calculations: Map<string, string>,
): void {
  const needs = new Map<string, readonly string[]>()
  for (const [key, references] of computedFrom) if (!calculations.has(key)) needs.set(key, references)
  const conditional = new Map<string, ConditionalItem>()
  for (const [each, result] of rules) {
    if (each.key === undefined || lost.has(each)) continue
    conditional.set(each.key, each)
    needs.set(each.key, [...(needs.get(each.key) ?? []), ...needsOf(result)])
  }
  for (;;) {
    const { cycle } = topologicalOrder(needs)
    if (!cycle) return
    const why = `it waits for itself (${cycle.join(' → ')})`
    const waiting = cycle
      .filter((key, at) => {
        const each = conditional.get(key)
        return each && !lost.has(each) && needsOf(rules.get(each)!).includes(cycle[at + 1] ?? '')
      })
      .map((key) => conditional.get(key)!)[0]
    if (waiting) {
      lost.set(waiting, why)
      needs.set(waiting.key!, calculations.has(waiting.key!) ? [] : (computedFrom.get(waiting.key!) ?? []))
      continue
    }
    const key = cycle.find((each) => computedFrom.has(each) && !calculations.has(each))!
    calculations.set(key, why)
    needs.set(key, [])
  }
}
