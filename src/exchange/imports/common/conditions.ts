/**
 * Translates the condition on which a field is shown. A component of ours has one condition on one other field. These
 * can be translated to it: one comparison of a field with a value; whether a field is answered; “any of these options”
 * if they are all options or all but one; and “and” if one part already waits for the other (a hidden field counts as
 * unanswered, so that conditions chain). Everything else needs a calculation of 1 or 0, which the condition then refers
 * to.
 */
import type { ExpressionNode, FieldNode } from '#design/dataTypes/grammar/tree'
import type { Condition } from '#design/stages/components'
import { conditionProblem } from '#design/stages/conditionProblems'
import { operatorsOf } from '#design/stages/conditions'
import { option, strictBound, valueFor } from './conditionValues'
import { fieldProblem, type KnownField, type Names } from './expressions'
import { comparisonIn, conjuncts, disjuncts, fieldsIn, keyOf, negate } from './logic'

export type ImportedCondition =
  | { condition: Condition }
  /** It needs a calculation. `note` says what is odd about it. */
  | { calculation: ExpressionNode; note?: string }
  | { problem: string }

/**
 * The parts of the condition on which each field is shown, as `keyOf` writes them, by the code of the field in lower
 * case. Whenever the field is answered, they hold.
 */
export type ConditionsByField = ReadonlyMap<string, ReadonlySet<string>>

/** The same expression, with the several ways in which XPath and REDCap write a comparison made one. */
export function simplify(node: ExpressionNode): ExpressionNode {
  switch (node.kind) {
    case 'unary': {
      const of = simplify(node.of)
      return node.sign === 'not' ? negate(of) : { ...node, of }
    }
    case 'binary':
      return { ...node, left: simplify(node.left), right: simplify(node.right) }
    case 'call': {
      const [field, value] = node.of
      if (node.name === 'selected' && field?.kind === 'field' && value?.kind === 'value') {
        return { kind: 'binary', sign: '=', left: field, right: value }
      }
      // A value with its type, such as date('2020-01-01').
      if (/^(?:date|date-time|string|number|int)$/.test(node.name) && field?.kind === 'value' && node.of.length === 1)
        return field
      return { ...node, of: node.of.map(simplify) }
    }
    default:
      return node
  }
}

/**
 * Translates one comparison; undefined if it needs a calculation. In other tools “is not” holds for a blank too, in our
 * conditions it does not: so it is translated only if another part asks for an answer.
 */
function comparisonCondition(node: ExpressionNode, names: Names, answered: ReadonlySet<string>): Condition | undefined {
  const compared = comparisonIn(node)
  if (!compared || compared.field.elsewhere) return undefined
  const { field, sign } = compared
  let { value } = compared
  const found = names(field.name)
  if (!found) return undefined
  const statement = found.statement ?? (found.format === 'likert' ? field.option : undefined)
  const base = { dataType: found.code.toLowerCase(), ...(statement === undefined ? {} : { statement }) }
  let comparison = sign
  if (field.option !== undefined && found.format === 'choice') {
    if ((sign !== '=' && sign !== '<>') || !['0', '1'].includes(String(value))) return undefined
    comparison = (sign === '=') === (String(value) === '1') ? '=' : '<>'
    value = field.option
  } else if (value === '') {
    return sign === '<>' ? validCondition({ ...base, operator: 'exists' }, found) : undefined
  }
  const wanted = valueFor(statement === undefined ? found : { ...found, statement }, value)
  if (wanted === undefined) return undefined
  if (comparison === '=') return validCondition({ ...base, operator: 'equal', value: wanted }, found)
  if (comparison === '<>') {
    if (!answered.has(found.code.toLowerCase())) return undefined
    return validCondition({ ...base, operator: 'notequal', value: wanted }, found)
  }
  const operator = comparison[0] === '>' ? 'more' : 'less'
  if (!operatorsOf[found.format].includes(operator)) return undefined
  const bound = comparison.length === 1 ? wanted : strictBound(found, wanted, operator === 'more' ? -1 : 1)
  if (bound === undefined) return undefined
  return validCondition({ ...base, operator, value: bound }, found)
}

/** The condition; undefined if the field cannot have it. */
const validCondition = (condition: Condition, { format, settings }: KnownField): Condition | undefined =>
  conditionProblem(condition, { format, ...settings }) === undefined ? condition : undefined

/** What is odd about a comparison with a value that the field cannot have: it is never equal. */
function oddity(node: ExpressionNode, names: Names): string | undefined {
  const compared = comparisonIn(node)
  const found = compared && names(compared.field.name)
  if (!found || compared.value === '' || !/^(?:=|<>)$/.test(compared.sign)) return undefined
  const { field, value } = compared
  const isOdd =
    field.option !== undefined && found.format === 'choice'
      ? option(found.settings, field.option) === undefined
      : valueFor(
          found.format === 'likert' ? { ...found, statement: found.statement ?? field.option! } : found,
          value,
        ) === undefined
  return isOdd ? `“${field.option ?? value}” is no answer that “${field.name}” can have` : undefined
}

/** Translates “any of these options”; undefined if they are not all options or all but one. */
function anyOf(parts: readonly ExpressionNode[], names: Names): Condition | undefined {
  const compared = parts.map(comparisonIn)
  const name = compared[0]?.field.name
  if (name === undefined || compared.some((each) => each?.field.name !== name || each.sign !== '=')) return undefined
  if (compared.some((each) => each!.field.option !== undefined || each!.field.elsewhere)) return undefined
  const found = names(name)
  if (found?.format !== 'choice' || found.settings.multiple) return undefined
  const chosen = new Set(compared.map((each) => option(found.settings, each!.value)?.label))
  const others = found.settings.options!.filter(({ label }) => !chosen.has(label))
  const base = { dataType: found.code.toLowerCase() }
  if (chosen.has(undefined)) return undefined
  if (!others.length) return validCondition({ ...base, operator: 'exists' }, found)
  return others.length === 1
    ? validCondition({ ...base, operator: 'notequal', value: others[0]!.label }, found)
    : undefined
}

/** Whether it is an option of a multiple choice, which is 1 or 0 and never blank. */
const isOption = (field: FieldNode, names: Names) =>
  field.option !== undefined && names(field.name)?.format === 'choice'

/**
 * The name of the field, if the part is the condition that it is answered: it is not empty, or one of all the options of
 * a multiple choice is chosen.
 */
function fieldOfExists(node: ExpressionNode, names: Names): string | undefined {
  const compared = comparisonIn(node)
  if (compared?.value === '' && compared.sign === '<>' && !isOption(compared.field, names)) return compared.field.name
  const chosen = disjuncts(node).map(comparisonIn)
  const name = chosen[0]?.field.option === undefined ? undefined : chosen[0].field.name
  const found = name === undefined ? undefined : names(name)
  if (found?.format !== 'choice' || !found.settings.multiple) return undefined
  const isChosen = (each: (typeof chosen)[number]) =>
    each?.field.name === name && !each?.field.elsewhere && each?.sign === '=' && String(each.value) === '1'
  if (!chosen.every(isChosen)) return undefined
  const labels = new Set(chosen.map((each) => option(found.settings, each!.field.option ?? '')?.label))
  return found.settings.options!.every(({ label }) => labels.has(label)) ? name : undefined
}

/** Translates “one of all the options is chosen”; undefined if it is something else. */
function existsCondition(node: ExpressionNode, names: Names): Condition | undefined {
  const name = fieldOfExists(node, names)
  const found = name === undefined ? undefined : names(name)
  return found && validCondition({ dataType: found.code.toLowerCase(), operator: 'exists' }, found)
}

/** The name of the field of a part that cannot hold while the field is blank. */
const fieldOfNeed = (node: ExpressionNode, names: Names): string | undefined => {
  const compared = comparisonIn(node)
  if (!compared || compared.field.elsewhere) return undefined
  const { field, sign, value } = compared
  if (isOption(field, names))
    return (sign === '=' && String(value) === '1') || (sign === '<>' && String(value) === '0') ? field.name : undefined
  return sign === '<>' ? (value === '' ? field.name : undefined) : value === '' ? undefined : field.name
}

/** In a condition with more parts, redundant ones are not looked for: each part is compared with each other. */
const MOST_PARTS = 50

/**
 * Translates conditions that must all hold; undefined if they always hold.
 * @param conditions simplified
 */
export function conditionOf(
  conditions: readonly ExpressionNode[],
  names: Names,
  byField: ConditionsByField,
): ImportedCondition | undefined {
  const parts = new Map<string, ExpressionNode>()
  for (const each of conditions) for (const part of conjuncts(each)) parts.set(keyOf(part), part)
  for (const node of parts.values()) {
    for (const field of fieldsIn(node)) {
      const problem = fieldProblem(field, names)
      if (problem !== undefined) return { problem }
    }
  }
  for (const [key, node] of [...parts]) {
    // Another part needs an answer to a field that is shown only if this part holds: so this part adds nothing.
    const isImplied =
      parts.size <= MOST_PARTS &&
      [...parts].some(([other, part]) => {
        if (other === key) return false
        const name = fieldOfNeed(part, names)
        const code = name === undefined ? undefined : names(name)?.code.toLowerCase()
        return code !== undefined && byField.get(code)?.has(key)
      })
    if (isImplied && parts.size > 1) parts.delete(key)
    else if (node.kind === 'value' && Number(node.value) === 1) parts.delete(key)
  }
  const answered = new Set<string>()
  const left = [...parts.values()].filter((node) => {
    const name = fieldOfExists(node, names)
    // “It is answered, and it is not 3”: our “is not” needs an answer anyway, so that the first part can be left out.
    const isRepeated =
      name !== undefined &&
      parts.size <= MOST_PARTS &&
      [...parts.values()].some(
        (other) => other !== node && !fieldOfExists(other, names) && comparisonIn(other)?.field.name === name,
      )
    if (isRepeated) answered.add(names(name)!.code.toLowerCase())
    return !isRepeated
  })
  if (!parts.size) return undefined
  if (left.length === 1) {
    const [only] = left as [ExpressionNode]
    const condition =
      comparisonCondition(only, names, answered) ?? anyOf(disjuncts(only), names) ?? existsCondition(only, names)
    if (condition) return { condition }
  }
  const notes = [...parts.values()].flatMap((part) => oddity(part, names) ?? [])
  return {
    calculation: [...parts.values()].reduce((left, right) => ({ kind: 'binary', sign: 'and', left, right })),
    ...(notes.length ? { note: notes.join('; ') } : {}),
  }
}
