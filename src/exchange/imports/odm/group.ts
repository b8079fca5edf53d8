/** Reads the item groups of an ODM file: headings with their fields, tables, Likerts. */
import type { ExpressionNode } from '#design/dataTypes/grammar/tree'
import type { TableColumn } from '#design/dataTypes/model'
import { titleFromName, toPlainText } from '#documents/texts'
import { attribute, children, textIn, type Xml } from '#documents/xml'
import { parseLogic } from '#exchange/imports/common/dialect'
import type { DraftField, DraftItem, ItemConditions, Warn } from '#exchange/imports/common/draft'
import { extraFrom } from '#exchange/imports/common/extras'
import { validOptions, valueOfCode } from '#exchange/imports/common/fields'
import { negate } from '#exchange/imports/common/logic'
import { cut } from '#kernel/text'
import { type Definitions, fieldFrom, optionsOf } from './item'
import { detail, detailsOf, displayOf, responseTypeOf } from './openClinica'
import { byOid, definitionsOf, inReferenceOrder, noElement, notedFormat } from './references'

/**
 * Makes the function that reads the group of an ItemGroupRef: a heading and its fields, a table, or a Likert.
 * @param form the OID of the form that has the group
 */
export function groupReader(version: Xml, definitions: Definitions, warn: Warn, form: string) {
  const itemsOfForm = children(byOid(children(version, 'FormDef')).get(form) ?? noElement, 'ItemGroupRef')
    .flatMap((each) => definitionsOf(definitions.groups, attribute(each, 'ItemGroupOID')))
    .flatMap((group) => children(group, 'ItemRef').map((each) => attribute(each, 'ItemOID')))
  const conditions: Definitions['items'] = byOid(children(version, 'ConditionDef'))
  const methods = byOid(children(version, 'MethodDef'))
  const oids = new Map([...definitions.items.keys()].map((oid): [string, string] => [oid, oid]))
  // OpenEDC also writes an item as group-item.
  for (const [group, element] of definitions.groups) {
    for (const each of children(element, 'ItemRef')) {
      const item = attribute(each, 'ItemOID')
      if (!oids.has(`${group}-${item}`)) oids.set(`${group}-${item}`, item)
    }
  }

  /** The first formal expression of a definition that can be read. */
  function expressionOf(definition: Xml | undefined): { node?: ExpressionNode; text: string } {
    const texts = children(definition ?? noElement, 'FormalExpression').map(textIn)
    for (const text of texts) {
      const parsed = parseLogic(text, oids)
      if ('node' in parsed) return { node: parsed.node, text }
    }
    return { text: texts[0] ?? (definition ? definitions.text(definition, 'Description') : '') }
  }

  /** The condition of an item: the negation of its exception, and the conditions of its group. */
  function conditionalOf(reference: Xml, outer: ItemConditions): ItemConditions {
    const oid = attribute(reference, 'CollectionExceptionConditionOID')
    if (!oid) return outer
    const { node, text } = expressionOf(conditions.get(oid))
    const conditionText = `not (${text})`
    if (node) return { ...outer, conditions: [...(outer.conditions ?? []), negate(node)], conditionText }
    return { ...outer, conditionText, unread: `the exception ${oid} cannot be read` }
  }

  const extraOf = (element: Xml) => extraFrom(attribute(element, 'trialbox:extra'))

  function fieldOf(reference: Xml, outer: ItemConditions): DraftField[] {
    const oid = attribute(reference, 'ItemOID')
    const item = definitions.items.get(oid)
    if (!item) {
      warn(oid, 'The file does not define this item; it was left out.')
      return []
    }
    const extra = extraOf(reference)
    const field: DraftField = {
      ...fieldFrom(item, definitions, (problem) => warn(oid, problem)),
      ...conditionalOf(reference, outer),
    }
    addDetails(field, detailsOf(item, form), (problem) => warn(oid, problem))
    if (attribute(reference, 'Mandatory') === 'Yes') field.isRequired = true
    if (extra) field.extra = extra
    const method = attribute(reference, 'MethodOID')
    if (method) {
      const { node, text } = expressionOf(methods.get(method))
      field.settings = field.settings.decimals == null ? {} : { decimals: field.settings.decimals }
      Object.assign(field, { format: 'calculation', computedText: text, ...(node ? { computed: node } : {}) })
    }
    return [field]
  }

  /** Adds what OpenClinica says of the item in this form. */
  function addDetails(field: DraftField, details: Xml | undefined, report: (problem: string) => void): void {
    const type = responseTypeOf(details)
    if (field.format === 'text' && type === 'textarea') field.format = 'paragraph'
    if (field.format === 'text' && type === 'file') Object.assign(field, { format: 'file', settings: {} })
    if (type.endsWith('calculation')) Object.assign(field, computedText(details))
    if (details && attribute(details, 'PHI').toLowerCase() === 'yes') field.isPii = true
    const right = detail(details, 'RightItemText')
    if (right && !field.note && right !== field.unit) field.note = toPlainText(right)
    const display = displayOf(details, definitions, itemsOfForm, field)
    if (!display) return
    if ('conditional' in display) Object.assign(field, display.conditional)
    else if ('isHidden' in display) {
      field.isHidden = true
      report('OpenClinica hides it unless one of its rules shows it; rules are not read, so that nobody is asked it.')
    } else
      Object.assign(field, { conditionText: display.problem, unread: 'the file does not define what it waits for' })
  }

  /** A calculation whose formula, if the file has it, is the default value; it is not in the language of expressions. */
  const computedText = (details: Xml | undefined) => ({
    format: 'calculation',
    settings: {},
    computedText: details ? attribute(details, 'DefaultValue') : '',
  })

  function likertOf(group: Xml, reference: Xml, code: string): DraftField {
    const references = inReferenceOrder(children(group, 'ItemRef'))
    const items = references.flatMap((each) => definitionsOf(definitions.items, attribute(each, 'ItemOID')))
    const list = definitions.codeLists.get(
      attribute(children(items[0] ?? noElement, 'CodeListRef')[0] ?? noElement, 'CodeListOID'),
    )
    const noted = extraOf(reference)?.type?.statements as { key: string }[] | undefined
    const rows = items.map((item, place) => ({
      source: attribute(item, 'OID'),
      key: String(noted?.[place]?.key ?? attribute(item, 'Name')),
    }))
    return {
      ...conditionalOf(reference, {}),
      kind: 'field',
      source: code,
      title: definitions.text(group, 'Description') || titleFromName(code),
      format: 'likert',
      settings: {
        scale: (list ? optionsOf(list, definitions) : []).map(({ label, code }) => ({
          value: valueOfCode(code),
          label,
        })),
        statements: items.map((item, place) => ({
          key: rows[place]!.key,
          label: definitions.text(item, 'Question') || rows[place]!.key,
        })),
      },
      rows,
      ...(attribute(reference, 'Mandatory') === 'Yes' ? { isRequired: true } : {}),
      ...(extraOf(reference) ? { extra: extraOf(reference)! } : {}),
    }
  }

  /** A question with parts or several choices, from an export of our own. */
  function ownGroup(group: Xml, reference: Xml, format: string): DraftField[] {
    const code = attribute(group, 'Name')
    if (format === 'likert') return [withNotApplicable(likertOf(group, reference, code))]
    const [item] = children(group, 'ItemRef').flatMap((each) => fieldOf(each, {}))
    const title = definitions.text(group, 'Description') || titleFromName(code)
    const required = attribute(reference, 'Mandatory') === 'Yes' ? { isRequired: true } : {}
    const extra = extraOf(reference)
    const own = { kind: 'field' as const, source: code, code, title, ...(extra ? { extra } : {}) }
    const shared = { ...conditionalOf(reference, {}), ...own, ...required }
    if (format === 'choice') {
      const options = item?.settings.options ?? []
      return [{ ...shared, format, settings: { options, multiple: true } }]
    }
    const known = (['bmi', 'file', 'image', 'video'] as const).find((each) => each === format)
    return known ? [{ ...shared, format: known, settings: {} }] : item ? [{ ...item, ...shared }] : []
  }

  function tableOf(group: Xml, reference: Xml, title: string): DraftField {
    const oid = attribute(group, 'OID')
    const columns: TableColumn[] = []
    for (const each of inReferenceOrder(children(group, 'ItemRef'))) {
      const lost = (problem: string) => warn(attribute(each, 'ItemOID'), `In the table ${oid}: ${problem}`)
      const [field] = fieldOf(each, {})
      if (!field) continue
      if (['file', 'calculation'].includes(field.format)) {
        lost(`a column cannot be a ${field.format}; it was left out.`)
        continue
      }
      if (field.isHidden) {
        lost('a column cannot be hidden; it was left out.')
        continue
      }
      if (field.conditions) lost('a column is always shown.')
      if (field.softRange) lost('its range, outside of which the file only warns, is not checked.')
      if (field.isRequired) lost('that a column is required is not checked.')
      const { settings } = field
      if (settings.options) settings.options = validOptions(settings.options, lost)
      const unit = field.unit ? { unit: cut(field.unit, 50) } : {}
      columns.push({
        id: attribute(definitions.items.get(field.source)!, 'Name') || field.source,
        label: field.title,
        format: field.format,
        ...unit,
        ...settings,
      })
    }
    const extra = extraOf(reference)
    return {
      ...conditionalOf(reference, {}),
      kind: 'field',
      source: attribute(group, 'trialbox:table') || (notedFormat(group) ? attribute(group, 'Name') : oid),
      code: attribute(group, 'Name') || oid,
      title,
      format: 'table',
      settings: { columns },
      // Only in our own exports does Mandatory mean that the table must be filled in.
      ...(attribute(reference, 'Mandatory') === 'Yes' && extra ? { isRequired: true } : {}),
      ...(extra ? { extra } : {}),
    }
  }

  return (reference: Xml, isOneOfSeveral: boolean): DraftItem[] => {
    const oid = attribute(reference, 'ItemGroupOID')
    const group = definitions.groups.get(oid)
    if (!group) {
      warn(oid, 'The file does not define this item group; it was left out.')
      return []
    }
    const name = attribute(group, 'Name')
    const heading = definitions.text(group, 'Description')
    const likert = attribute(group, 'trialbox:likert')
    if (likert) return [likertOf(group, reference, likert)]
    const noted = notedFormat(group)
    if (noted && noted !== 'table') return ownGroup(group, reference, noted)
    if (attribute(group, 'Repeating') === 'Yes')
      return [tableOf(group, reference, heading || titleFromName(name || oid))]
    const condition = conditionalOf(reference, {})
    const fields = inReferenceOrder(children(group, 'ItemRef')).flatMap((each) => fieldOf(each, condition))
    const extra = extraOf(reference)
    const title =
      heading || (isOneOfSeveral && name !== 'Ungrouped' ? titleFromName(name) : extra?.component ? '…' : '')
    return title
      ? [{ kind: 'heading', source: oid, title, ...(extra ? { extra } : {}), ...condition }, ...fields]
      : fields
  }
}

/** The code list of an export of our own has “not applicable” last, which is no point of the scale. */
function withNotApplicable(field: DraftField): DraftField {
  const { scale = [], ...settings } = field.settings
  const last = scale?.at(-1)
  if (last?.label !== 'Not applicable' || !/^NA_*$/.test(String(last.value))) return field
  return { ...field, settings: { ...settings, scale: scale?.slice(0, -1), allowNotApplicable: true } }
}
