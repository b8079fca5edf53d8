/** Reads XML as trees of elements. Document types are refused: their entities can make a small file very large. */
import { unreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { refuseBadReferences } from './unicode'

/** An element: its attributes by `@name`, its children by name, its text by `#text`. */
export type Xml = { [name: string]: unknown }

/** Reads a document. Throws an `unreadable` if it is not well-formed or has a document type. */
export function xmlOf(text: string): Xml {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw unreadable(reason('documentTypeDeclared'))
  refuseBadReferences(text)
  try {
    return Bun.XML.parse(text.replace(/^\ufeff/, '').trimStart()) as Xml
  } catch (error) {
    if (error instanceof RangeError) throw unreadable(reason('xmlTooDeep'))
    throw unreadable(reason('notXml', { detail: (error as Error).message.replace(/^XML Parse error: /, '') }))
  }
}

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1)

/** The children of that name, with any namespace prefix. */
export function children(element: Xml, name: string): Xml[] {
  const found: Xml[] = []
  for (const [key, value] of Object.entries(element)) {
    if (key.startsWith('@') || withoutPrefix(key) !== name) continue
    for (const each of Array.isArray(value) ? value : [value])
      found.push(typeof each === 'string' ? { '#text': each } : (each as Xml))
  }
  return found
}

/** The value of an attribute, by its name with the prefix; empty if there is none. */
export const attribute = (element: Xml, name: string): string => {
  const value = element[`@${name}`]
  return typeof value === 'string' ? value : ''
}

/** The text of an element; empty if there is none. */
export const textIn = (element: Xml | undefined): string =>
  typeof element?.['#text'] === 'string' ? element['#text'].trim() : ''
