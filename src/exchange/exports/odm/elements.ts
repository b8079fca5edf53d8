/** Elements of ODM that occur in many places, the same in each edition (pure). */
import { type XmlAttributes, xmlElement, xmlEscaped } from '#writers/xml'

/** An alias in a context of our own, from which an import makes the same field again. */
export const aliasElement = (context: string, name: string): string =>
  xmlElement('Alias', { Context: `trialbox:${context}`, Name: name })

/** An element with text. */
export const textElement = (name: string, text: string, attributes: XmlAttributes = {}): string =>
  xmlElement(name, attributes, xmlEscaped(text))

/** A text that ODM may not have empty. */
export const nonBlank = (text: string): string => (text.trim() === '' ? 'Unnamed' : text)

export const yesOrNo = (isTrue: boolean): string => (isTrue ? 'Yes' : 'No')

/** A value as JSON with ASCII characters only: nothing of it is lost. */
export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[^\u0020-\u007e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A number as it is, but without an exponent: readers of ODM know digits and a point only. */
export function decimalText(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = ''] = /^(-?)(\d+)(?:\.(\d+))?e([+-]?\d+)$/i.exec(text) ?? []
  if (exponent === '') return text
  const digits = `${whole}${fraction}`
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
