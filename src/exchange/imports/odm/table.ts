/** Reads a repeating item group as a table; its items are the columns. */
import type { TableColumn } from '#design/dataTypes/model'
import { attribute, children, type Xml } from '#documents/xml'
import type { DraftField, Report } from '#exchange/imports/common/draft'
import { validOptions } from '#exchange/imports/common/fields'
import { cut } from '#kernel/text'
import { conditionsOf, type Form, referenceProperties } from './form'
import { fieldsOf } from './formItem'
import { inReferenceOrder, notedFormat } from './references'

export function tableOf(form: Form, group: Xml, reference: Xml, title: string): DraftField {
  const oid = attribute(group, 'OID')
  const name = attribute(group, 'Name')
  const columns = inReferenceOrder(children(group, 'ItemRef')).flatMap((each) => columnOf(form, each, oid))
  const { isRequired, extra } = referenceProperties(reference)
  return {
    ...conditionsOf(form, reference),
    kind: 'field',
    source: attribute(group, 'trialbox:table') || (notedFormat(group) ? name : oid),
    code: name || oid,
    title,
    format: 'table',
    settings: { columns },
    // Only in our own exports does Mandatory mean that the table must be filled in.
    ...(isRequired && extra ? { isRequired } : {}),
    ...(extra ? { extra } : {}),
  }
}

function columnOf(form: Form, reference: Xml, table: string): TableColumn[] {
  const lost: Report = (problem) => form.warn(attribute(reference, 'ItemOID'), `In the table ${table}: ${problem}`)
  const [field] = fieldsOf(form, reference)
  if (!field) return []
  const obstacle = ['file', 'calculation'].includes(field.format) ? `a ${field.format}` : field.isHidden && 'hidden'
  if (obstacle) {
    lost(`a column cannot be ${obstacle}; it was left out.`)
    return []
  }
  if (field.conditions) lost('a column is always shown.')
  if (field.softRange) lost('its range, outside of which the file only warns, is not checked.')
  if (field.isRequired) lost('that a column is required is not checked.')
  const { settings, title, format, unit } = field
  if (settings.options) settings.options = validOptions(settings.options, lost)
  const id = attribute(form.definitions.items.get(field.source)!, 'Name') || field.source
  return [{ id, label: title, format, ...(unit ? { unit: cut(unit, 50) } : {}), ...settings }]
}
