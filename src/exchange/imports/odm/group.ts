/** Reads the item groups of an ODM file: headings with their fields, tables, Likerts. */
import { titleFromName } from '#documents/texts'
import { attribute, children, type Xml } from '#documents/xml'
import type { DraftField, DraftItem } from '#exchange/imports/common/draft'
import { conditionsOf, extraOf, type Form, referenceProperties } from './form'
import { fieldsOf } from './formItem'
import { likertOf, withNotApplicable } from './likert'
import { inReferenceOrder, notedFormat } from './references'
import { tableOf } from './table'

/** Reads the group of an ItemGroupRef: a heading and its fields, a table, or a Likert. */
export function itemsOfGroup(form: Form, reference: Xml, isOneOfSeveral: boolean): DraftItem[] {
  const oid = attribute(reference, 'ItemGroupOID')
  const group = form.definitions.groups.get(oid)
  if (!group) {
    form.warn(oid, 'The file does not define this item group; it was left out.')
    return []
  }
  const name = attribute(group, 'Name')
  const heading = form.definitions.text(group, 'Description')
  const likert = attribute(group, 'trialbox:likert')
  if (likert) return [likertOf(form, group, reference, likert)]
  const noted = notedFormat(group)
  if (noted && noted !== 'table') return ownGroup(form, group, reference, noted)
  if (attribute(group, 'Repeating') === 'Yes')
    return [tableOf(form, group, reference, heading || titleFromName(name || oid))]
  const conditions = conditionsOf(form, reference)
  const fields = inReferenceOrder(children(group, 'ItemRef')).flatMap((each) => fieldsOf(form, each, conditions))
  const extra = extraOf(reference)
  const title = heading || (isOneOfSeveral && name !== 'Ungrouped' ? titleFromName(name) : extra?.component ? '…' : '')
  return title
    ? [{ kind: 'heading', source: oid, title, ...(extra ? { extra } : {}), ...conditions }, ...fields]
    : fields
}

/** A question with parts or several choices, from an export of our own. */
function ownGroup(form: Form, group: Xml, reference: Xml, format: string): DraftField[] {
  const code = attribute(group, 'Name')
  if (format === 'likert') return [withNotApplicable(likertOf(form, group, reference, code))]
  const [item] = children(group, 'ItemRef').flatMap((each) => fieldsOf(form, each))
  const title = form.definitions.text(group, 'Description') || titleFromName(code)
  const shared = {
    ...conditionsOf(form, reference),
    ...{ kind: 'field' as const, source: code, code, title },
    ...referenceProperties(reference),
  }
  if (format === 'choice') {
    const options = item?.settings.options ?? []
    return [{ ...shared, format, settings: { options, multiple: true } }]
  }
  const known = (['bmi', 'file', 'image', 'video'] as const).find((each) => each === format)
  return known ? [{ ...shared, format: known, settings: {} }] : item ? [{ ...item, ...shared }] : []
}
