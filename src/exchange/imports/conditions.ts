/**
 * Translates the condition on which a field is shown. A component of ours has one condition on one other field. These
 * can be translated to it: one comparison of a field with a value; whether a field is answered; “any of these options”
 * if they are all options or all but one; and “and” if one part already waits for the other (a hidden field counts as
 * unanswered, so that conditions chain). Everything else needs a calculation of 1 or 0, which the condition then refers
 * to.
 */
import type { Node } from '#design/dataTypes/grammar/tree'
import type { DataTypeSettings } from '#design/dataTypes/model'
import type { Condition } from '#design/stages/components'
import { conditionProblem, operatorsOf } from '#design/stages/conditions'
import type { KnownField, Names } from './expressions'
import { comparisonIn, conjuncts, disjuncts, fieldsIn, keyOf, negated } from './logic'

export type ImportedCondition =
  | { condition: Condition; note?: string }
  /** It needs a calculation. */
  | { calculation: Node }
  | { problem: string }

/**
 * The parts of the condition on which each field is shown, as `keyOf` writes them, by the code of the field in lower
 * case. Whenever the field is answered, they hold.
 */
export type ConditionsByField = ReadonlyMap<string, ReadonlySet<string>>

const MILLISECONDS_A_DAY = 86_400_000

/** The same expression, with the several ways in which XPath and REDCap write a comparison made one. */
export function simplified(node: Node): Node {
  switch (node.kind) {
    case 'unary': {
      const of = simplified(node.of)
      return node.sign === 'not' ? negated(of) : { ...node, of }
    }
    case 'binary':
      return { ...node, left: simplified(node.left), right: simplified(node.right) }
    case 'call': {
      const [field, value] = node.of
      if (node.name === 'selected' && field?.kind === 'field' && value?.kind === 'value') {
        return { kind: 'binary', sign: '=', left: field, right: value }
      }
      // A value with its type, such as date('2020-01-01').
      if (/^(?:date|date-time|string|number|int)$/.test(node.name) && field?.kind === 'value' && node.of.length === 1)
        return field
      return { ...node, of: node.of.map(simplified) }
    }
    default:
      return node
  }
}

/** The option with that code, also if the code is written differently as a number: 1 and 01. */
const option = ({ options }: DataTypeSettings, code: string | number) =>
  options?.find((each) => String(each.code ?? each.label) === String(code)) ??
  options?.find((each) => each.code != null && Number(each.code) === Number(code) && String(code).trim() !== '')

/** A value as it is stored in a condition on the field; undefined if the field cannot have it. */
function valueFor({ format, settings, statement }: KnownField, value: string | number): unknown {
  switch (format) {
    case 'choice':
      return option(settings, value)?.label
    case 'likert':
      return statement === undefined
        ? undefined
        : settings.scale?.find((point) => String(point.value) === String(value))?.value
    case 'integer':
    case 'float':
    case 'slider':
    case 'rating':
    case 'measurements':
    case 'bmi':
      return String(value).trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined
    case 'calculation':
      return String(value).trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
    default:
      return String(value)
  }
}

/** Our conditions have only “more” and “less”. For whole numbers and days, x >= 5 is x > 4; undefined for other formats. */
function strictBound(found: KnownField, value: unknown, by: 1 | -1): unknown {
  if (found.format === 'integer' && Number.isInteger(value)) return (value as number) + by
  if (found.format !== 'date' || typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined
  const moved = new Date(Date.parse(value) + by * MILLISECONDS_A_DAY)
  return Number.isNaN(moved.getTime()) ? undefined : moved.toISOString().slice(0, 10)
}

const blankNote = (name: string) => `shown once “${name}” has another answer, not already while it is blank`

/** Translates one comparison; undefined if it needs a calculation. */
function comparisonCondition(node: Node, names: Names, answered: ReadonlySet<string>): ImportedCondition | undefined {
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
    return sign === '<>' ? checked({ ...base, operator: 'exists' }, found) : undefined
  }
  const wanted = valueFor(statement === undefined ? found : { ...found, statement }, value)
  if (wanted === undefined) return { problem: `“${value}” is no answer that “${field.name}” can have` }
  if (comparison === '=') return checked({ ...base, operator: 'equal', value: wanted }, found)
  if (comparison === '<>') {
    const isAnswered = answered.has(found.code.toLowerCase())
    const result = checked({ ...base, operator: 'notequal', value: wanted }, found)
    return 'condition' in result && !isAnswered ? { ...result, note: blankNote(field.name) } : result
  }
  const operator = comparison[0] === '>' ? 'more' : 'less'
  if (!operatorsOf[found.format].includes(operator)) return undefined
  const bound = comparison.length === 1 ? wanted : strictBound(found, wanted, operator === 'more' ? -1 : 1)
  if (bound === undefined) return undefined
  return checked({ ...base, operator, value: bound }, found)
}

/** The condition, or the problem if the field cannot have it. */
function checked(condition: Condition, { format, settings }: KnownField): ImportedCondition {
  const problem = conditionProblem(condition, { format, ...settings })
  return problem === undefined ? { condition } : { problem: problem.replace(/\.$/, '') }
}

/** Translates “any of these options”; undefined if they are not all options or all but one. */
function anyOf(parts: readonly Node[], names: Names): ImportedCondition | undefined {
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
  if (!others.length) return checked({ ...base, operator: 'exists' }, found)
  return others.length === 1 ? checked({ ...base, operator: 'notequal', value: others[0]!.label }, found) : undefined
}

/** The name of the field, if the part is the condition that it is answered. */
const fieldOfExists = (node: Node) => {
  const compared = comparisonIn(node)
  return compared?.value === '' && compared.sign === '<>' ? compared.field.name : undefined
}

/** The name of the field of a part that cannot hold while the field is blank. */
const fieldOfNeed = (node: Node): string | undefined => {
  const compared = comparisonIn(node)
  if (!compared || compared.field.elsewhere) return undefined
  const { field, sign, value } = compared
  if (field.option !== undefined) return (sign === '=') === (String(value) === '1') ? field.name : undefined
  return sign === '<>' ? (value === '' ? field.name : undefined) : value === '' ? undefined : field.name
}

/** In a condition with more parts, redundant ones are not looked for: each part is compared with each other. */
const MOST_PARTS = 50

/**
 * Translates conditions that must all hold; undefined if they always hold.
 * @param conditions simplified
 */
export function conditionOf(
  conditions: readonly Node[],
  names: Names,
  byField: ConditionsByField,
): ImportedCondition | undefined {
  const parts = new Map<string, Node>()
  for (const each of conditions) for (const part of conjuncts(each)) parts.set(keyOf(part), part)
  for (const node of parts.values()) {
    for (const field of fieldsIn(node)) {
      if (field.elsewhere) return { problem: `it asks another event or instance (${field.elsewhere})` }
      if (!names(field.name)) return { problem: `it names “${field.name}”, which is no field of the same form` }
    }
  }
  for (const [key, node] of [...parts]) {
    // Another part needs an answer to a field that is shown only if this part holds: so this part adds nothing.
    const isImplied =
      parts.size <= MOST_PARTS &&
      [...parts].some(([other, part]) => {
        if (other === key) return false
        const name = fieldOfNeed(part)
        const code = name === undefined ? undefined : names(name)?.code.toLowerCase()
        return code !== undefined && byField.get(code)?.has(key)
      })
    if (isImplied && parts.size > 1) parts.delete(key)
    else if (node.kind === 'value' && Number(node.value) === 1) parts.delete(key)
  }
  const answered = new Set<string>()
  const left = [...parts.values()].filter((node) => {
    const name = fieldOfExists(node)
    // “It is answered, and it is not 3”: our “is not” needs an answer anyway, so that the first part can be left out.
    const isRepeated =
      name !== undefined &&
      parts.size <= MOST_PARTS &&
      [...parts.values()].some((other) => other !== node && comparisonIn(other)?.field.name === name)
    if (isRepeated) answered.add(names(name)!.code.toLowerCase())
    return !isRepeated
  })
  if (!parts.size) return undefined
  if (left.length === 1) {
    const [only] = left as [Node]
    const result = comparisonCondition(only, names, answered) ?? anyOf(disjuncts(only), names)
    if (result) return result
  }
  return { calculation: [...parts.values()].reduce((left, right) => ({ kind: 'binary', sign: 'and', left, right })) }
}
