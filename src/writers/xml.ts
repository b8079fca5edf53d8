/** XML 1.0 in pieces of text: escaped, without the characters that XML cannot hold. */

/** What XML 1.0 cannot hold, not even escaped. */
const UNITS = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff'
const FORBIDDEN = new RegExp(`[${UNITS}]`, 'g')
const SPECIAL = /[&<>"\r\n\t]/g

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser makes a line feed of a carriage return, and spaces of all three in attributes.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

/** Whether a text has characters that XML cannot hold, or a half of a surrogate pair: `xmlEscaped` replaces them. */
export const isBeyondXml = (text: string): boolean => text.search(FORBIDDEN) !== -1 || !text.isWellFormed()

/** A text for the content of an element, or for an attribute in double quotes. What XML cannot hold becomes U+FFFD. */
export const xmlEscaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, '\ufffd')
    .replace(SPECIAL, (character) => ESCAPES[character] ?? character)

export type XmlAttributes = Readonly<Record<string, string | number | undefined>>

/** The start tag of an element; attributes that are undefined are left out. */
export const xmlStart = (name: string, attributes: XmlAttributes = {}, end = '>'): string => {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${xmlEscaped(String(value))}"`,
  )
  return `<${name}${written.join('')}${end}`
}

/** An element with its content, which is XML already; without any it is empty. */
export const xmlElement = (name: string, attributes: XmlAttributes = {}, ...content: string[]): string =>
  content.length ? `${xmlStart(name, attributes)}${content.join('')}</${name}>` : xmlStart(name, attributes, '/>')
