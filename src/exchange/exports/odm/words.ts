/** Elements of ODM that occur in many places (pure). */
import { type XmlAttributes, xmlElement, xmlEscaped } from '#writers/xml'

/** An element with a text in English, or in the language that the study is written in: it is not known. */
export const translated = (name: string, text: string): string =>
  xmlElement(name, {}, xmlElement('TranslatedText', {}, xmlEscaped(text)))

/** An alias in a context of our own, from which an import makes the same field again. */
export const alias = (context: string, name: string): string =>
  xmlElement('Alias', { Context: `trialbox:${context}`, Name: name })

/** An element with text. */
export const textual = (name: string, text: string, attributes: XmlAttributes = {}): string =>
  xmlElement(name, attributes, xmlEscaped(text))

/** A text that ODM may not have empty. */
export const named = (text: string): string => (text.trim() === '' ? 'Unnamed' : text)

/** A text as a JSON string with ASCII characters only: nothing of it is lost. */
export const spelled = (text: string): string =>
  JSON.stringify(text).replace(/[^\u0020-\u007e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
