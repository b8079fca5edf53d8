/** Writes the XPath of an XLSForm: conditions, calculations and constraints. */
import type { DataTypeSettings, Format } from '#design/dataTypes/model'
import { type Dialect, quote } from './expressions'
import { type Names, nameIn } from './names'

/** Functions with the same name and meaning. */
const same = new Set('if round sqrt exp sum min max not pow abs log10 today now coalesce'.split(' '))

/** A text in an expression; `${`, with which it would name a question, is put together of two. */
const literal = (text: string): string =>
  text.includes('${')
    ? `concat(${text
        .split(/(?<=\$)(?=\{)/)
        .map(quote)
        .join(', ')})`
    : quote(text)

/**
 * The dialect of XLSForm's expressions.
 * @param choiceName the name of a choice of a question, by the option's code
 */
export const xpath = (names: Names, choiceName: (question: string, code: string) => string): Dialect => ({
  field: (code, statement) => {
    const name = nameIn(names, code, statement)
    return name === undefined ? undefined : `\${${name}}`
  },
  text: literal,
  chosen(field, option, isChosen) {
    const selected = `selected(${field}, ${literal(choiceName(field.slice(2, -1), option))})`
    return isChosen ? selected : `not(${selected})`
  },
  anyChosen: (field) => `${field} != ''`,
  signs: { '<>': '!=', '/': 'div', '%': 'mod', '^': 'pow' },
  call(name, values) {
    const [first, second] = values
    if (name === 'days') return `(decimal-date-time(${second ?? 'today()'}) - decimal-date-time(${first}))`
    if (name === 'length') return `string-length(${first})`
    if (name === 'floor') return `int(${first})`
    if (name === 'ln') return `log(${first})`
    return same.has(name) ? `${name}(${values.join(', ')})` : undefined
  },
})

/** The constraint of a question: which answers its settings allow. Empty if all are. */
export function constraintOf({ format, ...settings }: { format: Format } & DataTypeSettings): string {
  const { min, max, minLength, maxLength, pattern, minSelected, maxSelected, allowPast, allowFuture } = settings
  const literal = (value: unknown) => (typeof value === 'number' ? String(value) : `date(${quote(String(value))})`)
  const parts: string[] = []
  if (format !== 'slider' && min != null) parts.push(`. >= ${literal(min)}`)
  if (format !== 'slider' && max != null) parts.push(`. <= ${literal(max)}`)
  if (allowPast === false) parts.push('. >= today()')
  if (allowFuture === false) parts.push('. <= today()')
  if (minLength != null) parts.push(`string-length(.) >= ${minLength}`)
  if (maxLength != null) parts.push(`string-length(.) <= ${maxLength}`)
  if (pattern != null && !(pattern.includes("'") && pattern.includes('"'))) parts.push(`regex(., ${quote(pattern)})`)
  if (minSelected != null) parts.push(`count-selected(.) >= ${minSelected}`)
  if (maxSelected != null) parts.push(`count-selected(.) <= ${maxSelected}`)
  return parts.join(' and ')
}
