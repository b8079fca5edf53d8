/** Sentences of a form: when a question is asked, and which answers are allowed. */

import { isExclusiveOption } from '#design/dataTypes/missingReasons'
import type { FieldSettings } from '#design/dataTypes/model'
import type { Condition } from '#design/stages/components'
import { boundText } from './answers'
import { MOST_CIRCLES, MOST_ROWS } from './printedFields'

/** The question that a condition refers to, as it is printed. */
export type ReferencedQuestion = { title: string; number?: number; dataType: FieldSettings & { unit?: string | null } }

const moments = new Set(['date', 'datetime', 'time'])

function valueText({ dataType }: ReferencedQuestion, value: unknown): string {
  const one = Array.isArray(value) ? value[0] : value
  if (moments.has(dataType.format)) return boundText(one)
  if (dataType.format === 'likert') {
    const point = dataType.scale?.find((each) => each.value === one)
    return `“${point?.label || one}”`
  }
  if (typeof one !== 'number') return `“${one}”`
  return dataType.unit ? `${one} ${dataType.unit}` : `${one}`
}

/** "Only if “Smoker” is “Yes” (question 3)." */
export function conditionSentence({ operator, value, statement }: Condition, other: ReferencedQuestion): string {
  const { dataType, title, number } = other
  const row = statement == null ? '' : (dataType.statements?.find(({ key }) => key === statement)?.label ?? statement)
  const about = row ? `“${title}: ${row}”` : `“${title}”`
  const several = dataType.format === 'choice' && dataType.multiple
  const says = {
    exists: () => 'is answered',
    equal: (text: string) => (several ? `includes ${text}` : `is ${text}`),
    notequal: (text: string) => (several ? `does not include ${text}` : `is answered and is not ${text}`),
    more: (text: string) => (moments.has(dataType.format) ? `is after ${text}` : `is more than ${text}`),
    less: (text: string) => (moments.has(dataType.format) ? `is before ${text}` : `is less than ${text}`),
  }[operator](operator === 'exists' ? '' : valueText(other, value))
  return `Only if ${about} ${says}${number === undefined ? '' : ` (question ${number})`}.`
}

/** "30 to 220", "at least 30", "at most 220", or nothing. */
function range(min: unknown, max: unknown, unit = ''): string {
  const [least, most] = [min, max].map((bound) => (bound == null ? '' : boundText(bound)))
  const after = unit ? ` ${unit}` : ''
  if (least && most) return `${least} to ${most}${after}`
  return least ? `at least ${least}${after}` : most ? `at most ${most}${after}` : ''
}

const sentence = (parts: (string | 0 | false | null | undefined)[]): string => {
  const text = parts.filter(Boolean).join('; ')
  return text && `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

function choiceRules({ multiple, minSelected, maxSelected, options }: FieldSettings): string[] {
  if (!multiple) return ['choose one']
  const bounds = range(minSelected || null, maxSelected)
  const alone = (options ?? []).filter(isExclusiveOption).map(({ label }) => `“${label}”`)
  return [bounds ? `choose ${bounds}` : 'choose all that apply', alone.length ? `${alone.join(', ')} only alone` : '']
}

const megabytes = (bytes: number | null | undefined) => bytes && `at most ${Math.ceil(bytes / 10_000) / 100} MB`

/** A sentence that says which answers are allowed; empty if there is no limit. */
export function hintOf(dataType: FieldSettings & { unit?: string | null }): string {
  const { min, max, format } = dataType
  switch (format) {
    case 'text':
    case 'paragraph': {
      const length = range(dataType.minLength || null, dataType.maxLength)
      return sentence([length && `${length} characters`, dataType.pattern && `in the form ${dataType.pattern}`])
    }
    case 'integer':
    case 'float':
    case 'measurements':
    case 'slider':
      return sentence([
        range(min, max, dataType.unit ?? ''),
        dataType.step && dataType.step !== 1 ? `in steps of ${dataType.step}` : '',
        dataType.decimals && `up to ${dataType.decimals} decimal${dataType.decimals > 1 ? 's' : ''}`,
      ])
    case 'date':
    case 'datetime':
    case 'time':
      return sentence([
        range(min, max),
        dataType.allowPast === false && 'not in the past',
        dataType.allowFuture === false && 'not in the future',
        format !== 'date' && '24-hour clock',
      ])
    case 'choice':
      return sentence(choiceRules(dataType))
    case 'likert': {
      const labels = (dataType.scale ?? []).map((point) => point.label || `${point.value}`)
      return `One answer in each row${labels.length < MOST_CIRCLES ? '' : `, of: ${labels.join(', ')}`}.`
    }
    case 'table': {
      const rows = range(dataType.minRows || null, dataType.maxRows)
      const more =
        dataType.maxRows != null && dataType.maxRows <= MOST_ROWS ? '' : 'continue on another sheet if needed'
      return sentence([rows && `${rows} row${rows.endsWith(' 1') ? '' : 's'}`, more])
    }
    case 'bmi':
      return sentence([
        range(dataType.minHeight, dataType.maxHeight, 'cm'),
        range(dataType.minWeight, dataType.maxWeight, 'kg'),
        'BMI = weight in kg / (height in m)²',
      ])
    case 'file':
    case 'image':
    case 'video':
      return sentence([
        dataType.mimeTypes?.length ? `kinds: ${dataType.mimeTypes.join(', ')}` : '',
        megabytes(dataType.maxSize),
      ])
    default:
      return ''
  }
}
