/** Sentences of a form: when a question is asked, and which answers are allowed. */
import type { Asked } from '#design/dataTypes/model'
import type { Condition } from '#design/stages/components'
import { boundText } from './answers'
import { MOST_CIRCLES, MOST_ROWS } from './drawings'

/** The question that a condition refers to, as it is printed. */
export type ReferencedQuestion = { title: string; number?: number; asked: Asked & { unit?: string | null } }

const moments = new Set(['date', 'datetime', 'time'])

function valueText({ asked }: ReferencedQuestion, value: unknown): string {
  const one = Array.isArray(value) ? value[0] : value
  if (moments.has(asked.format)) return boundText(one)
  if (asked.format === 'likert') {
    const point = asked.scale?.find((each) => each.value === one)
    return `“${point?.label || one}”`
  }
  if (typeof one !== 'number') return `“${one}”`
  return asked.unit ? `${one} ${asked.unit}` : `${one}`
}

/** "Only if “Smoker” is “Yes” (question 3)." */
export function conditionSentence({ operator, value, statement }: Condition, other: ReferencedQuestion): string {
  const { asked, title, number } = other
  const row = statement == null ? '' : (asked.statements?.find(({ key }) => key === statement)?.label ?? statement)
  const about = row ? `“${title}: ${row}”` : `“${title}”`
  const several = asked.format === 'choice' && asked.multiple
  const says = {
    exists: () => 'is answered',
    equal: (text: string) => (several ? `includes ${text}` : `is ${text}`),
    notequal: (text: string) => (several ? `does not include ${text}` : `is answered and is not ${text}`),
    more: (text: string) => (moments.has(asked.format) ? `is after ${text}` : `is more than ${text}`),
    less: (text: string) => (moments.has(asked.format) ? `is before ${text}` : `is less than ${text}`),
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

function chosen({ multiple, minSelected, maxSelected, options }: Asked): string[] {
  if (!multiple) return ['choose one']
  const bounds = range(minSelected || null, maxSelected)
  const alone = (options ?? []).filter(({ isExclusive }) => isExclusive).map(({ label }) => `“${label}”`)
  return [bounds ? `choose ${bounds}` : 'choose all that apply', alone.length ? `${alone.join(', ')} only alone` : '']
}

const megabytes = (bytes: number | null | undefined) => bytes && `at most ${Math.ceil(bytes / 10_000) / 100} MB`

/** A sentence that says which answers are allowed; empty if there is no limit. */
export function hintOf(asked: Asked & { unit?: string | null }): string {
  const { min, max, format } = asked
  switch (format) {
    case 'text':
    case 'paragraph': {
      const length = range(asked.minLength || null, asked.maxLength)
      return sentence([length && `${length} characters`, asked.pattern && `in the form ${asked.pattern}`])
    }
    case 'integer':
    case 'float':
    case 'measurements':
    case 'slider':
      return sentence([
        range(min, max, asked.unit ?? ''),
        asked.step && asked.step !== 1 ? `in steps of ${asked.step}` : '',
        asked.decimals && `up to ${asked.decimals} decimal${asked.decimals > 1 ? 's' : ''}`,
      ])
    case 'date':
    case 'datetime':
    case 'time':
      return sentence([
        range(min, max),
        asked.allowPast === false && 'not in the past',
        asked.allowFuture === false && 'not in the future',
        format !== 'date' && '24-hour clock',
      ])
    case 'choice':
      return sentence(chosen(asked))
    case 'likert': {
      const labels = (asked.scale ?? []).map((point) => point.label || `${point.value}`)
      return `One answer in each row${labels.length < MOST_CIRCLES ? '' : `, of: ${labels.join(', ')}`}.`
    }
    case 'table': {
      const rows = range(asked.minRows || null, asked.maxRows)
      const more = asked.maxRows != null && asked.maxRows <= MOST_ROWS ? '' : 'continue on another sheet if needed'
      return sentence([rows && `${rows} row${rows.endsWith(' 1') ? '' : 's'}`, more])
    }
    case 'bmi':
      return sentence([
        range(asked.minHeight, asked.maxHeight, 'cm'),
        range(asked.minWeight, asked.maxWeight, 'kg'),
        'BMI = weight in kg / (height in m)²',
      ])
    case 'file':
    case 'image':
    case 'video':
      return sentence([asked.mimeTypes?.length ? `kinds: ${asked.mimeTypes.join(', ')}` : '', megabytes(asked.maxSize)])
    default:
      return ''
  }
}
