/** Reads the type, the choices and the constraint of a question of an XLSForm. */
import type { Comparison, ExpressionNode, FieldNode } from '#design/dataTypes/grammar/tree'
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import { excerptOf } from '#documents/texts'
import { parseLogic } from '#exchange/imports/common/dialect'
import type { Report } from '#exchange/imports/common/draft'
import { conjuncts, mirrored } from '#exchange/imports/common/logic'

export type Choices = ReadonlyMap<string, { label: string; code: string }[]>
export type FieldType = { format: Format; settings: DataTypeSettings; list?: string }

/** The formats of question types. */
const formats: Record<string, Format> = {
  text: 'text',
  string: 'text',
  integer: 'integer',
  int: 'integer',
  decimal: 'float',
  date: 'date',
  datetime: 'datetime',
  time: 'time',
  image: 'image',
  photo: 'image',
  video: 'video',
  file: 'file',
  audio: 'file',
  calculate: 'calculation',
}

/** Question types without an equivalent here: the format that replaces them, and the warning. */
const substitutes: Record<string, [Format, string]> = {
  geopoint: ['text', 'Places on a map are a text here.'],
  geotrace: ['text', 'Places on a map are a text here.'],
  geoshape: ['text', 'Places on a map are a text here.'],
  barcode: ['text', 'A barcode is a text here.'],
  rank: ['text', 'A ranking is a text here.'],
  select_one_external: ['text', 'Choices from a file are not carried over: it is a text.'],
  select_one_from_file: ['text', 'Choices from a file are not carried over: it is a text.'],
  select_multiple_from_file: ['text', 'Choices from a file are not carried over: it is a text.'],
}

/** The format and settings of a question; undefined if the type is unknown. */
export function fieldTypeOf(
  type: string,
  appearance: string,
  parameters: string,
  choices: Choices,
  report: Report,
): FieldType | undefined {
  const [, word, list, other] =
    /^(select_one|select_multiple|select one from|select one|select all that apply from|select multiple|select1|select)\s+(\S+)(\s+or_other|\s+or specify other)?$/i.exec(
      type,
    ) ?? []
  if (list && !/^(external|from)$/i.test(list)) {
    const multiple = /multiple|all that|^select$/i.test(word!)
    const options = choices.get(list)
    if (!options) {
      report(`There is no list of choices “${list}”: it is a text.`)
      return { format: 'text', settings: {} }
    }
    const named = other ? [...options, { label: 'Other', code: 'other' }] : options
    if (other) report('What “Other” is cannot be specified here: add a question for it.')
    return { format: 'choice', settings: { options: named, ...(multiple ? { multiple } : {}) }, list }
  }
  const [first] = type.toLowerCase().split(/\s+/) as [string]
  if (first === 'range') return { format: 'slider', settings: range(parameters) }
  if (first === 'acknowledge' || first === 'trigger')
    return { format: 'choice', settings: { options: [{ label: 'OK', code: 'OK' }] } }
  if (first === 'text' && /\bmultiline\b/.test(appearance)) return { format: 'paragraph', settings: {} }
  if (first === 'audio') return { format: 'file', settings: { mimeTypes: ['audio/*'] } }
  const format = formats[first]
  if (format) return { format, settings: {} }
  const substitute = substitutes[first]
  if (!substitute) return undefined
  report(substitute[1])
  return { format: substitute[0], settings: {} }
}

function range(parameters: string): DataTypeSettings {
  const value = (name: string) => {
    const found = new RegExp(`\\b${name}\\s*=\\s*(-?[\\d.]+)`).exec(parameters)?.[1]
    return found !== undefined && Number.isFinite(Number(found)) ? Number(found) : undefined
  }
  const step = value('step') ?? 1
  return { min: value('start') ?? 1, max: value('end') ?? 10, ...(step > 0 ? { step } : {}) }
}

/** Whether it is “.”, the answer to the question itself. */
const isSelf = (node: ExpressionNode | undefined): node is FieldNode => node?.kind === 'field' && node.name === '.'
/** The argument of a call that only converts its type, such as date(…). */
const bare = (node: ExpressionNode): ExpressionNode =>
  node.kind === 'call' && /^(?:date|number|int|date-time)$/.test(node.name) && node.of.length === 1
    ? bare(node.of[0]!)
    : node

const numbers: Format[] = ['integer', 'float', 'slider']
const moments: Format[] = ['date', 'datetime', 'time']

/** The setting that a part of a constraint means; undefined if there is none. */
function setting(
  part: ExpressionNode,
  format: Format,
  isMultiple: boolean,
  report: Report,
): DataTypeSettings | undefined {
  if (part.kind === 'call' && part.name === 'regex' && isSelf(part.of[0]) && part.of[1]?.kind === 'value') {
    return format === 'text' || format === 'paragraph' ? { pattern: String(part.of[1].value) } : undefined
  }
  if (part.kind !== 'binary') return undefined
  const turned = !isSelf(part.left) && isSelf(part.right)
  const sign = turned ? (mirrored[part.sign as Comparison] ?? part.sign) : part.sign
  const [left, right] = (turned ? [part.right, part.left] : [part.left, part.right]).map(bare) as [
    ExpressionNode,
    ExpressionNode,
  ]
  const [low, high] = [sign === '>' || sign === '>=' || sign === '=', sign === '<' || sign === '<=' || sign === '=']
  if (!low && !high) return undefined
  const both = <T>(min: keyof DataTypeSettings, max: keyof DataTypeSettings, value: T): DataTypeSettings => ({
    ...(low ? { [min]: value } : {}),
    ...(high ? { [max]: value } : {}),
  })
  const strict = sign === '>' ? 1 : sign === '<' ? -1 : 0
  if (left.kind === 'call' && left.of.length === 1 && isSelf(left.of[0]) && right.kind === 'value') {
    const value = Number(right.value) + strict
    if (!Number.isInteger(value) || value < 0) return undefined
    if (left.name === 'string-length' && (format === 'text' || format === 'paragraph'))
      return both('minLength', 'maxLength', value)
    return left.name === 'count-selected' && isMultiple ? both('minSelected', 'maxSelected', value) : undefined
  }
  if (!isSelf(left)) return undefined
  if (right.kind === 'value' && numbers.includes(format)) {
    const value = Number(right.value)
    if (!Number.isFinite(value)) return undefined
    if (strict && format !== 'integer') report(`The end of its range, ${value}, is allowed here.`)
    return both(
      'min',
      'max',
      format === 'integer'
        ? strict === 1
          ? Math.floor(value) + 1
          : strict === -1
            ? Math.ceil(value) - 1
            : value
        : value,
    )
  }
  if (right.kind === 'value' && moments.includes(format)) {
    if (strict) report(`The end of its range, ${right.value}, is allowed here.`)
    return both('min', 'max', String(right.value))
  }
  const isNow = right.kind === 'call' && /^(?:today|now)$/.test(right.name) && !right.of.length
  if (!isNow || !moments.includes(format) || sign === '=') return undefined
  if (strict) report('Today is allowed here.')
  return low ? { allowPast: false } : { allowFuture: false }
}

/** The settings that a constraint means. Reports a constraint that no settings can express completely. */
export function constraintSettings(text: string, { format, settings }: FieldType, report: Report): DataTypeSettings {
  if (text === '') return {}
  const parsed = parseLogic(text)
  if ('problem' in parsed) {
    report(`Its constraint cannot be read and is not checked: ${parsed.problem}. ${excerptOf(text)}`)
    return {}
  }
  const found: DataTypeSettings = {}
  let lost = false
  for (const part of conjuncts(parsed.node)) {
    const one = setting(part, format, settings.multiple === true, report)
    if (one) Object.assign(found, one)
    else lost = true
  }
  if (lost) report(`Its constraint is not, or not wholly, checked here: ${excerptOf(text)}`)
  return found
}
