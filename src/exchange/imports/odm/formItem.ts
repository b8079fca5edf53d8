/** Reads an ItemRef: the field of its item, with what the form says of it. */
import { toPlainText } from '#documents/texts'
import { attribute, type Xml } from '#documents/xml'
import type { DraftField, ItemConditions, Report } from '#exchange/imports/common/draft'
import { conditionsOf, expressionOf, type Form, referenceProperties } from './form'
import { fieldFrom } from './item'
import { detail, detailsOf, displayOf, responseTypeOf } from './openClinica'

/** The field; none if the file does not define the item. @param outer the conditions of its group */
export function fieldsOf(form: Form, reference: Xml, outer: ItemConditions = {}): DraftField[] {
  const oid = attribute(reference, 'ItemOID')
  const item = form.definitions.items.get(oid)
  if (!item) {
    form.warn(oid, 'The file does not define this item; it was left out.')
    return []
  }
  const report = (problem: string) => form.warn(oid, problem)
  const field = { ...fieldFrom(item, form.definitions, report), ...conditionsOf(form, reference, outer) }
  addDetails(form, field, detailsOf(item, form.oid), report)
  Object.assign(field, referenceProperties(reference))
  const method = attribute(reference, 'MethodOID')
  if (!method) return [field]
  const { node, text } = expressionOf(form, form.methods.get(method))
  const { decimals } = field.settings
  const settings = decimals == null ? {} : { decimals }
  return [{ ...field, format: 'calculation', settings, computedText: text, ...(node ? { computed: node } : {}) }]
}

/** Adds what OpenClinica says of the item in this form. */
function addDetails(form: Form, field: DraftField, details: Xml | undefined, report: Report): void {
  const type = responseTypeOf(details)
  if (field.format === 'text' && type === 'textarea') field.format = 'paragraph'
  if (field.format === 'text' && type === 'file') Object.assign(field, { format: 'file', settings: {} })
  if (type.endsWith('calculation')) {
    // Its formula, if the file has it, is the default value; it is not in the language of expressions.
    const computedText = details ? attribute(details, 'DefaultValue') : ''
    Object.assign(field, { format: 'calculation', settings: {}, computedText })
  }
  if (details && attribute(details, 'PHI').toLowerCase() === 'yes') field.isPii = true
  const right = detail(details, 'RightItemText')
  if (right && !field.note && right !== field.unit) field.note = toPlainText(right)
  const display = displayOf(details, form.definitions, form.items, field)
  if (!display) return
  if ('conditional' in display) Object.assign(field, display.conditional)
  else if ('isHidden' in display) {
    field.isHidden = true
    report('OpenClinica hides it unless one of its rules shows it; rules are not read, so that nobody is asked it.')
  } else Object.assign(field, { conditionText: display.problem, unread: 'the file does not define what it waits for' })
}
