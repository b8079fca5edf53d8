/**
 * What shows a field, as our one condition. Carried as they are: one comparison of a field with a value, whether it is
 * answered, “any of” some options where that is all but one or all of them, and “and” where one part already waits for the
 * other (a hidden field counts as unanswered, so conditions chain). All else is asked of a calculation of 1 and 0.
 */
import type { Node } from '#design/dataTypes/grammar/tree'
import type { DataTypeSettings } from '#design/dataTypes/model'
import type { Condition } from '#design/stages/components'
import { conditionProblem, operatorsOf } from '#design/stages/conditions'
import type { KnownField, Names } from './expressions'
import { comparisonIn, conjuncts, disjuncts, fieldsIn, keyOf, negated } from './logic'

export type ImportedCondition =
  | { condition: Condition; note?: string }
  /** Only a calculation can hold it. */
  | { question: Node }
  | { problem: string }

/** Parts that hold whenever a field is answered: those that show it. By the field's code in lower case. */
export type ShownBy = ReadonlyMap<string, ReadonlySet<string>>

const day = 86_400_000

/** The same question with XPath's and REDCap's several ways of asking it made one. */
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
      // date('2020-01-01')
      if (/^(?:date|date-time|string|number|int)$/.test(node.name) && field?.kind === 'value' && node.of.length === 1)
        return field
      return { ...node, of: node.of.map(simplified) }
    }
    default:
      return node
  }
}

const option = ({ options }: DataTypeSettings, code: string | number) =>
  options?.find((each) => String(each.code ?? each.label) === String(code)) ??
  options?.find((each) => each.code != null && Number(each.code) === Number(code) && String(code).trim() !== '')

/** A value as a condition on that field holds it; undefined where it is none that the field can have. */
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

/** For whole numbers and days, x >= 5 is x > 4. */
function strict(found: KnownField, value: unknown, by: 1 | -1): unknown {
  if (found.format === 'integer' && Number.isInteger(value)) return (value as number) + by
  if (found.format !== 'date' || typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined
  const moved = new Date(Date.parse(value) + by * day)
  return Number.isNaN(moved.getTime()) ? undefined : moved.toISOString().slice(0, 10)
}

const blankNote = (name: string) => `shown once “${name}” has another answer, not already while it is blank`

/** One comparison as a condition; undefined where it takes a calculation. */
function direct(node: Node, names: Names, answered: ReadonlySet<string>): ImportedCondition | undefined {
  const compared = comparisonIn(node)
  if (!compared || compared.field.elsewhere) return undefined
  const { field, sign } = compared
  let { value } = compared
  const found = names(field.name)
  if (!found) return undefined
  const statement = found.statement ?? (found.format === 'likert' ? field.option : undefined)
  const base = { dataType: found.code.toLowerCase(), ...(statement === undefined ? {} : { statement }) }
  const sought = { ...found, ...(statement === undefined ? {} : { statement }) }
  let asked = sign
  if (field.option !== undefined && found.format === 'choice') {
    if ((sign !== '=' && sign !== '<>') || !['0', '1'].includes(String(value))) return undefined
    asked = (sign === '=') === (String(value) === '1') ? '=' : '<>'
    value = field.option
  } else if (value === '') {
    return sign === '<>' ? checked({ ...base, operator: 'exists' }, found) : undefined
  }
  const wanted = valueFor(sought, value)
  if (wanted === undefined) return { problem: `“${value}” is no answer that “${field.name}” can have` }
  if (asked === '=') return checked({ ...base, operator: 'equal', value: wanted }, found)
  if (asked === '<>') {
    const sure = answered.has(found.code.toLowerCase())
    const carried = checked({ ...base, operator: 'notequal', value: wanted }, found)
    return 'condition' in carried && !sure ? { ...carried, note: blankNote(field.name) } : carried
  }
  const operator = asked[0] === '>' ? 'more' : 'less'
  if (!operatorsOf[found.format].includes(operator)) return undefined
  const bound = asked.length === 1 ? wanted : strict(found, wanted, operator === 'more' ? -1 : 1)
  if (bound === undefined) return undefined
  return checked({ ...base, operator, value: bound }, found)
}

function checked(condition: Condition, { format, settings }: KnownField): ImportedCondition {
  const problem = conditionProblem(condition, { format, ...settings })
  return problem === undefined ? { condition } : { problem: problem.replace(/\.$/, '') }
}

/** “Any of these options”, where that is every option or all but one. */
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

const isAnswered = (node: Node) => {
  const compared = comparisonIn(node)
  return compared?.value === '' && compared.sign === '<>' ? compared.field.name : undefined
}

/** Whether a part can hold only when its one field is answered. */
const needsAnswer = (node: Node): string | undefined => {
  const compared = comparisonIn(node)
  if (!compared || compared.field.elsewhere) return undefined
  const { field, sign, value } = compared
  if (field.option !== undefined) return (sign === '=') === (String(value) === '1') ? field.name : undefined
  return sign === '<>' ? (value === '' ? field.name : undefined) : value === '' ? undefined : field.name
}

/** More parts than these are not searched for those that say the same. */
const MOST_PARTS = 50

/** The condition for what must all hold. @param shown the parts, simplified */
export function conditionOf(shown: readonly Node[], names: Names, shownBy: ShownBy): ImportedCondition | undefined {
  const parts = new Map<string, Node>()
  for (const each of shown) for (const part of conjuncts(each)) parts.set(keyOf(part), part)
  for (const node of parts.values()) {
    for (const field of fieldsIn(node)) {
      if (field.elsewhere) return { problem: `it asks another event or instance (${field.elsewhere})` }
      if (!names(field.name)) return { problem: `it names “${field.name}”, which is no field of the same form` }
    }
  }
  for (const [key, node] of [...parts]) {
    const waits =
      parts.size <= MOST_PARTS &&
      [...parts].some(([other, part]) => {
        if (other === key) return false
        const name = needsAnswer(part)
        const code = name === undefined ? undefined : names(name)?.code.toLowerCase()
        return code !== undefined && shownBy.get(code)?.has(key)
      })
    if (waits && parts.size > 1) parts.delete(key)
    else if (node.kind === 'value' && Number(node.value) === 1) parts.delete(key)
  }
  const answered = new Set<string>()
  const left = [...parts.values()].filter((node) => {
    const name = isAnswered(node)
    // “Answered, and not 3” says of the same field twice that it is answered.
    const again =
      name !== undefined &&
      parts.size <= MOST_PARTS &&
      [...parts.values()].some((other) => other !== node && comparisonIn(other)?.field.name === name)
    if (again) answered.add(names(name)!.code.toLowerCase())
    return !again
  })
  if (!parts.size) return undefined
  if (left.length === 1) {
    const [only] = left as [Node]
    const carried = direct(only, names, answered) ?? anyOf(disjuncts(only), names)
    if (carried) return carried
  }
  return { question: [...parts.values()].reduce((left, right) => ({ kind: 'binary', sign: 'and', left, right })) }
}
