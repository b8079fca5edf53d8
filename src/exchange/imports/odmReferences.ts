/** How the definitions of an ODM file are found: by their OIDs, in the order that references give. */
import { attribute, type Xml } from './xml'

export const none: Xml = {}

export const byOid = (elements: readonly Xml[]): Map<string, Xml> =>
  new Map(elements.map((each): [string, Xml] => [attribute(each, 'OID'), each]))

export const among = (definitions: ReadonlyMap<string, Xml>, oid: string): Xml[] => {
  const found = definitions.get(oid)
  return found ? [found] : []
}

/** References in the order that they are numbered in. */
export function ordered(references: readonly Xml[]): Xml[] {
  const place = (each: Xml) => Number(attribute(each, 'OrderNumber') || Number.MAX_SAFE_INTEGER)
  return references.toSorted((a, b) => place(a) - place(b))
}
