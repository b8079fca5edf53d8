/** What the item groups of a form refer to: its items, conditions and methods, and the notes of our own exports. */
import type { ExpressionNode } from '#design/dataTypes/grammar/tree'
import { attribute, children, textIn, type Xml } from '#documents/xml'
import { parseLogic } from '#exchange/imports/common/dialect'
import type { ItemConditions, Warn } from '#exchange/imports/common/draft'
import { extraFrom } from '#exchange/imports/common/extras'
import { negate } from '#exchange/imports/common/logic'
import type { Definitions } from './item'
import { byOid, definitionsOf, noElement } from './references'

/** What all forms of a file have in common. */
export type Forms = {
  definitions: Definitions
  conditions: ReadonlyMap<string, Xml>
  methods: ReadonlyMap<string, Xml>
  /** The items by the names that expressions have for them. */
  itemNames: ReadonlyMap<string, string>
  warn: Warn
}
export type Form = Forms & { oid: string; items: readonly string[] }

export const formsOf = (version: Xml, definitions: Definitions, warn: Warn): Forms => ({
  definitions,
  conditions: byOid(children(version, 'ConditionDef')),
  methods: byOid(children(version, 'MethodDef')),
  itemNames: itemNamesOf(definitions),
  warn,
})

/** @param element the FormDef */
export const formOf = (forms: Forms, element: Xml): Form => ({
  ...forms,
  oid: attribute(element, 'OID'),
  items: children(element, 'ItemGroupRef')
    .flatMap((each) => definitionsOf(forms.definitions.groups, attribute(each, 'ItemGroupOID')))
    .flatMap((group) => children(group, 'ItemRef').map((each) => attribute(each, 'ItemOID'))),
})

/** The items by their OIDs; OpenEDC also writes an item as group-item. */
function itemNamesOf({ items, groups }: Definitions): ReadonlyMap<string, string> {
  const names = new Map([...items.keys()].map((oid) => [oid, oid]))
  for (const [group, element] of groups)
    for (const each of children(element, 'ItemRef')) {
      const item = attribute(each, 'ItemOID')
      if (!names.has(`${group}-${item}`)) names.set(`${group}-${item}`, item)
    }
  return names
}

/** The first formal expression of a definition that can be read. */
export function expressionOf(form: Form, definition: Xml = noElement): { node?: ExpressionNode; text: string } {
  const texts = children(definition, 'FormalExpression').map(textIn)
  for (const text of texts) {
    const parsed = parseLogic(text, form.itemNames)
    if ('node' in parsed) return { node: parsed.node, text }
  }
  return { text: texts[0] ?? form.definitions.text(definition, 'Description') }
}

/** The conditions of an item: those of its group, and the negation of its exception. */
export function conditionsOf(form: Form, reference: Xml, outer: ItemConditions = {}): ItemConditions {
  const oid = attribute(reference, 'CollectionExceptionConditionOID')
  if (!oid) return outer
  const { node, text } = expressionOf(form, form.conditions.get(oid))
  const conditionText = `not (${text})`
  if (node) return { ...outer, conditions: [...(outer.conditions ?? []), negate(node)], conditionText }
  return { ...outer, conditionText, unread: `the exception ${oid} cannot be read` }
}

/** What our own exports note of a reference. */
export const extraOf = (reference: Xml) => extraFrom(attribute(reference, 'trialbox:extra'))

/** What a reference says of the question that it refers to. */
export function referenceProperties(reference: Xml) {
  const extra = extraOf(reference)
  return { ...(attribute(reference, 'Mandatory') === 'Yes' ? { isRequired: true } : {}), ...(extra ? { extra } : {}) }
}
