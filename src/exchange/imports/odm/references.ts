/** Finds definitions of an ODM file by their OIDs, in the order of their references. */
import { attribute, children, type Xml } from '#documents/xml'

/** An element without attributes and children. */
export const noElement: Xml = {}

export const byOid = (elements: readonly Xml[]): Map<string, Xml> =>
  new Map(elements.map((each): [string, Xml] => [attribute(each, 'OID'), each]))

/** The context of the aliases of our own exports. */
export const OWN_CONTEXT = 'trialbox:'

/** What our own exports note of an element in that context; empty if there is none. */
export const notedValue = (element: Xml, context: string): string =>
  attribute(
    children(element, 'Alias').find((each) => attribute(each, 'Context') === `${OWN_CONTEXT}${context}`) ?? noElement,
    'Name',
  )

/** The format that our own exports note of an item or an item group; empty if there is none. */
export const notedFormat = (element: Xml): string => notedValue(element, 'format')

/** The definition with that OID in a list; an empty list if there is none. */
export const definitionsOf = (definitions: ReadonlyMap<string, Xml>, oid: string): Xml[] => {
  const found = definitions.get(oid)
  return found ? [found] : []
}

/** References in the order of their numbers; those without one come last. */
export function inReferenceOrder(references: readonly Xml[]): Xml[] {
  const place = (each: Xml) => Number(attribute(each, 'OrderNumber') || Number.MAX_SAFE_INTEGER)
  return references.toSorted((a, b) => place(a) - place(b))
}
