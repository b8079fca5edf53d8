/** Reads an item group of our own exports as a Likert; its items are the statements. */
import { titleFromName } from '#documents/texts'
import { attribute, children, type Xml } from '#documents/xml'
import type { DraftField } from '#exchange/imports/common/draft'
import { valueOfCode } from '#exchange/imports/common/fields'
import { conditionsOf, extraOf, type Form, referenceProperties } from './form'
import { optionsOf } from './item'
import { definitionsOf, inReferenceOrder, noElement } from './references'

export function likertOf(form: Form, group: Xml, reference: Xml, code: string): DraftField {
  const { definitions } = form
  const items = inReferenceOrder(children(group, 'ItemRef')).flatMap((each) =>
    definitionsOf(definitions.items, attribute(each, 'ItemOID')),
  )
  const [list] = children(items[0] ?? noElement, 'CodeListRef').flatMap((each) =>
    definitionsOf(definitions.codeLists, attribute(each, 'CodeListOID')),
  )
  const noted = extraOf(reference)?.type?.statements as { key: string }[] | undefined
  const rows = items.map((item, place) => ({
    source: attribute(item, 'OID'),
    key: String(noted?.[place]?.key ?? attribute(item, 'Name')),
  }))
  const scale = (list ? optionsOf(list, definitions) : []).map(({ label, code }) => ({
    value: valueOfCode(code),
    label,
  }))
  const statements = rows.map(({ key }, at) => ({ key, label: definitions.text(items[at]!, 'Question') || key }))
  return {
    ...conditionsOf(form, reference),
    kind: 'field',
    source: code,
    title: definitions.text(group, 'Description') || titleFromName(code),
    format: 'likert',
    settings: { scale, statements },
    rows,
    ...referenceProperties(reference),
  }
}

/** The code list of an export of our own has “not applicable” last, which is no point of the scale. */
export function withNotApplicable(field: DraftField): DraftField {
  const { scale = [], ...settings } = field.settings
  const last = scale?.at(-1)
  if (last?.label !== 'Not applicable' || !/^NA_*$/.test(String(last.value))) return field
  return { ...field, settings: { ...settings, scale: scale?.slice(0, -1), allowNotApplicable: true } }
}
