/** Text inside the XML of a workbook. */
import { cut } from '#kernel/text'

/** Characters (UTF-16 units) that a cell holds. */
export const CELL_TEXT = 32_767

/** Characters that XML 1.0 cannot hold, carriage return (readers turn it into a line feed), and halves of surrogate pairs. */
const UNITS = '\\u0000-\\u0008\\u000b-\\u001f\\ufffe\\uffff'
const ILLEGAL = `[${UNITS}]|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]`
/** A fast test for text that may need an escape, as most text does not. */
const SUSPECT = new RegExp(`[&<>${UNITS}\\ud800-\\udfff]|_x`)
/** An underscore that would begin an escape: because the text holds `_x0041_`, or because what follows is escaped. */
const SPECIAL = new RegExp(`[&<>]|_(?=x[0-9a-fA-F]{4}(?:_|${ILLEGAL}))|${ILLEGAL}`, 'g')
const KEPT_SPACE = /^ | $|[\t\n]/
/** The same for text that may need an escape, or lose a tab or a line feed. */
const SUSPECT_OR_SPACE = new RegExp(`[&<>\\t\\n${UNITS}\\ud800-\\udfff]|_x`)
const SPACE = 0x20

const special = (character: string): string => {
  if (character === '&') return '&amp;'
  if (character === '<') return '&lt;'
  if (character === '>') return '&gt;'
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}

/** Text as the content of an element. Characters that XML cannot hold become `_xHHHH_`, as in Excel (ECMA-376, ST_Xstring). */
export const xmlText = (text: string): string => (SUSPECT.test(text) ? text.replace(SPECIAL, special) : text)

/** Text as the value of an attribute in double quotes. */
export const xmlAttribute = (text: string): string => xmlText(text).replaceAll('"', '&quot;')

/** An inline string, which is never a formula, whatever it begins with. The text is not empty. */
export function inlineText(text: string): string {
  const isPlain =
    text.charCodeAt(0) !== SPACE && text.charCodeAt(text.length - 1) !== SPACE && !SUSPECT_OR_SPACE.test(text)
  if (isPlain) return `<is><t>${text}</t></is>`
  return `<is><t${KEPT_SPACE.test(text) ? ' xml:space="preserve"' : ''}>${xmlText(text)}</t></is>`
}

/** The beginning of a text that is too long for a cell, with a mark that says so and gives its length. */
export function cutText(text: string): string {
  const mark = `… [cut: ${text.length} characters; see csv]`
  return cut(text, CELL_TEXT - mark.length) + mark
}
