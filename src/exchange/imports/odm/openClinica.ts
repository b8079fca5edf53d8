/** Reads what OpenClinica adds to an item: how it is answered, its texts, and when a form shows it. */
import type { ExpressionNode } from '#design/dataTypes/grammar/tree'
import { attribute, children, textIn, type Xml } from '#documents/xml'
import type { ItemConditions } from '#exchange/imports/common/draft'
import type { Definitions } from './item'

/** The details of an item in a form; undefined if there are none. The details of another form are not used. */
export function detailsOf(item: Xml, form: string): Xml | undefined {
  const all = children(item, 'ItemDetails').flatMap((each) => children(each, 'ItemPresentInForm'))
  return all.find((each) => attribute(each, 'FormOID') === form) ?? all.find((each) => !attribute(each, 'FormOID'))
}

/** How an item is answered, in lower case, such as radio or textarea; empty if the file does not say. */
export const responseTypeOf = (details: Xml | undefined): string =>
  details ? attribute(children(details, 'ItemResponse')[0] ?? {}, 'ResponseType').toLowerCase() : ''

/** A text of the details, such as RightItemText; empty if there is none. */
export const detail = (details: Xml | undefined, name: string): string =>
  details ? textIn(children(details, name)[0]) : ''

export type Display = { conditional: ItemConditions } | { isHidden: true } | { problem: string } | undefined

/**
 * When a form shows an item: if a control has an option, never unless a rule of OpenClinica shows it, or always.
 * @param itemsOfForm the OIDs of the items of the form
 */
export function displayOf(
  details: Xml | undefined,
  { items }: Definitions,
  itemsOfForm: readonly string[],
  outer: ItemConditions,
): Display {
  const [display] = details ? children(details, 'SimpleConditionalDisplay') : []
  if (!display) return details && attribute(details, 'ShowItem').toLowerCase() === 'no' ? { isHidden: true } : undefined
  const name = textIn(children(display, 'ControlItemName')[0])
  const value = textIn(children(display, 'OptionValue')[0])
  const control = itemsOfForm.find((oid) => attribute(items.get(oid) ?? {}, 'Name') === name || oid === name)
  if (control === undefined || value === '') return { problem: `“${name}” = “${value}”` }
  const node: ExpressionNode = {
    kind: 'binary',
    sign: '=',
    left: { kind: 'field', name: control },
    right: { kind: 'value', value },
  }
  const { conditions = [], conditionText } = outer
  const text = `${name} = ${value}`
  return {
    conditional: {
      conditions: [...conditions, node],
      conditionText: conditionText ? `(${conditionText}) and ${text}` : text,
    },
  }
}
