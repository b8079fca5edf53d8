/** Text inside the XML of a workbook. */
import { cutAt } from './sheetname'

/** Characters (UTF-16 units) that a cell holds. */
export const CELL_TEXT = 32_767

/** What XML 1.0 cannot hold, with carriage return, which its readers turn into a line feed, and halves of pairs. */
const UNITS = '\\u0000-\\u0008\\u000b-\\u001f\\ufffe\\uffff'
const ILLEGAL = `[${UNITS}]|[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]`
/** Text that needs a closer look; quick to tell, as most needs none. */
const SUSPECT = new RegExp(`[&<>${UNITS}\\ud800-\\udfff]|_x`)
/** An underscore that would begin an escape: because the text holds `_x0041_`, or because what follows is escaped. */
const SPECIAL = new RegExp(`[&<>]|_(?=x[0-9a-fA-F]{4}(?:_|${ILLEGAL}))|${ILLEGAL}`, 'g')
const KEPT_SPACE = /^ | $|[\t\n]/

const special = (character: string): string => {
  if (character === '&') return '&amp;'
  if (character === '<') return '&lt;'
  if (character === '>') return '&gt;'
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}

/** Text as the content of an element: characters that XML cannot hold in Excel's way, `_xHHHH_` (ECMA-376, ST_Xstring). */
export const xmlText = (text: string): string => (SUSPECT.test(text) ? text.replace(SPECIAL, special) : text)

/** Text as the value of an attribute in double quotes. */
export const xmlAttribute = (text: string): string => xmlText(text).replaceAll('"', '&quot;')

/** An inline string: never a formula, whatever it begins with. */
export const inlineText = (text: string): string =>
  `<is><t${KEPT_SPACE.test(text) ? ' xml:space="preserve"' : ''}>${xmlText(text)}</t></is>`

/** The beginning of a text that is too long for a cell, with a mark that says so and how long it is. */
export function cutText(text: string): string {
  const mark = `… [cut: ${text.length} characters; see csv]`
  return cutAt(text, CELL_TEXT - mark.length) + mark
}
