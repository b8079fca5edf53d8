/** CDISC ODM 1.3: the forms of a study, once for every event that has them. REDCap's own ODM is read as REDCap. */
import type { TableColumn } from '../dataTypes/model'
import type { Draft, DraftField, DraftItem, DraftStage, Shown } from './draft'
import { extraFrom } from './extras'
import { soundOptions } from './fields'
import { type Node, negated, parseLogic } from './logic'
import { type Definitions, fieldFrom, optionsOf } from './odmItem'
import { languageOf } from './odmLanguage'
import { isRedcapOdm, redcapForms } from './odmRedcap'
import { unreadable, type Warning } from './plan'
import { cut, pretty, quoted } from './texts'
import { attribute, children, textIn, type Xml, xmlOf } from './xml'

/** The most stages that events and their forms are laid out as. */
const MOST_STAGES = 400

const none: Xml = {}

const byOid = (elements: readonly Xml[]): Map<string, Xml> =>
  new Map(elements.map((each): [string, Xml] => [attribute(each, 'OID'), each]))

const among = (definitions: ReadonlyMap<string, Xml>, oid: string): Xml[] => {
  const found = definitions.get(oid)
  return found ? [found] : []
}

/** References in the order that they are numbered in. */
function ordered(references: readonly Xml[]): Xml[] {
  const place = (each: Xml) => Number(attribute(each, 'OrderNumber') || Number.MAX_SAFE_INTEGER)
  return references.toSorted((a, b) => place(a) - place(b))
}

/** The study's metadata, in its latest version. */
function metadata(text: string): { study: Xml; version: Xml } {
  const document = xmlOf(text)
  const [root] = children(document, 'ODM')
  if (!root) throw unreadable('This is not a CDISC ODM file: its outermost element is not ODM.')
  const edition = attribute(root, 'ODMVersion')
  if (edition && !/^1\.[23]/.test(edition))
    throw unreadable(`ODM ${cut(edition, 20)} cannot be read: version 1.3 is expected.`)
  const [study] = children(root, 'Study').filter((each) => children(each, 'MetaDataVersion').length)
  const version = study && children(study, 'MetaDataVersion').findLast((each) => children(each, 'FormDef').length)
  if (!study || !version)
    throw unreadable('The ODM file describes no forms (it has no MetaDataVersion with a FormDef).')
  return { study, version }
}

/** Reads the forms of an ODM file. */
export function draftFromOdm(text: string): Draft {
  const { study, version } = metadata(text)
  const language = languageOf(study)
  const warnings: Warning[] = language.others.map(([name, count]) => ({
    field: name || 'xml:lang',
    problem: `Texts in another language are not carried over (${count} texts).`,
  }))
  const tell = (field: string, problem: string) => void warnings.push({ field, problem })
  const definitions: Definitions = {
    items: byOid(children(version, 'ItemDef')),
    groups: byOid(children(version, 'ItemGroupDef')),
    codeLists: byOid(children(version, 'CodeList')),
    units: byOid(children(study, 'BasicDefinitions').flatMap((each) => children(each, 'MeasurementUnit'))),
    text: language.text,
  }
  const aliases = [...definitions.items.values()].filter((item) => children(item, 'Alias').length).length
  if (aliases) tell('Alias', `Aliases are not carried over (${aliases} items).`)
  const forms = byOid(children(version, 'FormDef'))
  const stages = isRedcapOdm(text)
    ? redcapForms(forms, definitions, warnings)
    : new Map([...forms].map(([oid, form]) => [oid, stageOf(form)]))
  return { stages: laidOut(version, forms, stages, tell), warnings, shares: true }

  function stageOf(form: Xml): DraftStage {
    const groups = ordered(children(form, 'ItemGroupRef'))
    const reader = groupReader(version, definitions, tell)
    const description = language.text(form, 'Description')
    const name = attribute(form, 'Name') || description || attribute(form, 'OID')
    const extra = extraFrom(attribute(form, 'trialbox:extra'))?.stage
    return {
      source: attribute(form, 'OID'),
      name: pretty(name),
      ...(description && description !== name ? { description } : {}),
      items: groups.flatMap((reference) => reader(reference, groups.length > 1)),
      ...(extra ? { extra } : {}),
    }
  }
}

/** The forms as stages: one for each event that has them, in the events' order; all forms once where there are no events. */
function laidOut(
  version: Xml,
  forms: ReadonlyMap<string, Xml>,
  stages: ReadonlyMap<string, DraftStage>,
  tell: (field: string, problem: string) => void,
): DraftStage[] {
  const events = byOid(children(version, 'StudyEventDef'))
  const references = children(version, 'Protocol').flatMap((each) => ordered(children(each, 'StudyEventRef')))
  const order = references.length
    ? references.flatMap((each) => among(events, attribute(each, 'StudyEventOID')))
    : [...events.values()]
  const visits = order.flatMap((event) =>
    ordered(children(event, 'FormRef')).map((reference) => ({ event, form: attribute(reference, 'FormOID') })),
  )
  const uses = new Map<string, number>()
  for (const { form } of visits) uses.set(form, (uses.get(form) ?? 0) + 1)
  const tooMany = visits.length > MOST_STAGES && visits.length > forms.size
  if (tooMany) tell('StudyEventDef', `The study has ${visits.length} forms in its events; each form became one stage.`)
  const isRepeating = (element: Xml | undefined) => element !== undefined && attribute(element, 'Repeating') === 'Yes'

  function stage(oid: string, event?: Xml): DraftStage[] {
    const found = stages.get(oid)
    if (!found) return []
    const repeats = isRepeating(forms.get(oid)) || isRepeating(event)
    if (repeats && !found.extra)
      tell(found.source, 'It repeats: its stage is ad hoc, and takes any number of submissions.')
    const name =
      event && (uses.get(oid) ?? 0) > 1
        ? `${cut(attribute(event, 'Name') || attribute(event, 'OID'), 50)}: ${found.name}`
        : found.name
    return [{ ...found, name, ...(repeats ? { settings: { adHoc: true } } : {}) }]
  }
  if (tooMany || !visits.length) return [...forms.keys()].flatMap((oid) => stage(oid))
  for (const oid of forms.keys())
    if (!uses.has(oid)) tell(oid, 'No event has this form; it became a stage all the same.')
  return [
    ...visits.flatMap(({ event, form }) => stage(form, event)),
    ...[...forms.keys()].filter((oid) => !uses.has(oid)).flatMap((oid) => stage(oid)),
  ]
}

/** Reads what an ItemGroupRef names: a heading and its fields, a table, or a Likert. */
function groupReader(version: Xml, definitions: Definitions, tell: (field: string, problem: string) => void) {
  const conditions: Definitions['items'] = byOid(children(version, 'ConditionDef'))
  const methods = byOid(children(version, 'MethodDef'))
  const oids = new Map([...definitions.items.keys()].map((oid): [string, string] => [oid, oid]))
  // OpenEDC names an item by its group too: group-item.
  for (const [group, element] of definitions.groups) {
    for (const each of children(element, 'ItemRef')) {
      const item = attribute(each, 'ItemOID')
      if (!oids.has(`${group}-${item}`)) oids.set(`${group}-${item}`, item)
    }
  }

  /** The first of a definition's formal expressions that can be read. */
  function formal(definition: Xml | undefined): { node?: Node; text: string } {
    const texts = children(definition ?? none, 'FormalExpression').map(textIn)
    for (const text of texts) {
      const parsed = parseLogic(text, oids)
      if ('node' in parsed) return { node: parsed.node, text }
    }
    return { text: texts[0] ?? (definition ? definitions.text(definition, 'Description') : '') }
  }

  /** What shows something that is not collected where an exception holds. */
  function shownBy(reference: Xml, outer: Shown): Shown {
    const oid = attribute(reference, 'CollectionExceptionConditionOID')
    if (!oid) return outer
    const { node, text } = formal(conditions.get(oid))
    if (node) return { shown: [...(outer.shown ?? []), negated(node)], shownText: `not (${text})` }
    if (!extraOf(reference)?.component) {
      tell(
        attribute(reference, 'ItemOID') || attribute(reference, 'ItemGroupOID'),
        `The exception ${oid} cannot be read, so that it is always shown: ${quoted(text)}`,
      )
    }
    return outer
  }

  const extraOf = (element: Xml) => extraFrom(attribute(element, 'trialbox:extra'))

  function fieldOf(reference: Xml, outer: Shown): DraftField[] {
    const oid = attribute(reference, 'ItemOID')
    const item = definitions.items.get(oid)
    if (!item) {
      tell(oid, 'The file does not define this item; it was left out.')
      return []
    }
    const extra = extraOf(reference)
    const field: DraftField = {
      ...fieldFrom(item, definitions, (problem) => tell(oid, problem)),
      ...shownBy(reference, outer),
    }
    if (attribute(reference, 'Mandatory') === 'Yes') field.isRequired = true
    if (extra) field.extra = extra
    const method = attribute(reference, 'MethodOID')
    if (method) {
      const { node, text } = formal(methods.get(method))
      field.settings = field.settings.decimals == null ? {} : { decimals: field.settings.decimals }
      Object.assign(field, { format: 'calculation', computedText: text, ...(node ? { computed: node } : {}) })
    }
    return [field]
  }

  function likertOf(group: Xml, reference: Xml, code: string): DraftField {
    const references = ordered(children(group, 'ItemRef'))
    const items = references.flatMap((each) => among(definitions.items, attribute(each, 'ItemOID')))
    const list = definitions.codeLists.get(
      attribute(children(items[0] ?? none, 'CodeListRef')[0] ?? none, 'CodeListOID'),
    )
    const noted = extraOf(reference)?.type?.statements as { key: string }[] | undefined
    const rows = items.map((item, place) => ({
      source: attribute(item, 'OID'),
      key: String(noted?.[place]?.key ?? attribute(item, 'Name')),
    }))
    return {
      ...shownBy(reference, {}),
      kind: 'field',
      source: code,
      title: definitions.text(group, 'Description') || pretty(code),
      format: 'likert',
      settings: {
        scale: (list ? optionsOf(list, definitions) : []).map(({ label, code }) => ({
          value: /^-?(?:0|[1-9]\d{0,14})$/.test(code) ? Number(code) : code,
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

  function tableOf(group: Xml, reference: Xml, title: string): DraftField {
    const oid = attribute(group, 'OID')
    const columns: TableColumn[] = []
    for (const each of ordered(children(group, 'ItemRef'))) {
      const lost = (problem: string) => tell(attribute(each, 'ItemOID'), `In the table ${oid}: ${problem}`)
      const [field] = fieldOf(each, {})
      if (!field) continue
      if (['file', 'calculation'].includes(field.format)) {
        lost(`a column cannot be a ${field.format}; it was left out.`)
        continue
      }
      if (field.shown) lost('a column is always shown.')
      if (field.isRequired) lost('that a column is required is not checked.')
      const { settings } = field
      if (settings.options) settings.options = soundOptions(settings.options, lost)
      const unit = field.unit ? { unit: cut(field.unit, 50) } : {}
      columns.push({
        id: cut(attribute(definitions.items.get(field.source)!, 'Name') || field.source, 100),
        label: cut(field.title, 500),
        format: field.format,
        ...unit,
        ...settings,
      })
    }
    const extra = extraOf(reference)
    return {
      ...shownBy(reference, {}),
      kind: 'field',
      source: attribute(group, 'trialbox:table') || oid,
      code: attribute(group, 'Name') || oid,
      title,
      format: 'table',
      settings: { columns },
      ...(attribute(reference, 'Mandatory') === 'Yes' && extra ? { isRequired: true } : {}),
      ...(extra ? { extra } : {}),
    }
  }

  return (reference: Xml, isOneOfSeveral: boolean): DraftItem[] => {
    const oid = attribute(reference, 'ItemGroupOID')
    const group = definitions.groups.get(oid)
    if (!group) {
      tell(oid, 'The file does not define this item group; it was left out.')
      return []
    }
    const name = attribute(group, 'Name')
    const heading = definitions.text(group, 'Description')
    const likert = attribute(group, 'trialbox:likert')
    if (likert) return [likertOf(group, reference, likert)]
    if (attribute(group, 'Repeating') === 'Yes') return [tableOf(group, reference, heading || pretty(name || oid))]
    const shown = shownBy(reference, {})
    const fields = ordered(children(group, 'ItemRef')).flatMap((each) => fieldOf(each, shown))
    const title = heading || (isOneOfSeveral && name !== 'Ungrouped' ? pretty(name) : '')
    const extra = extraOf(reference)
    return title ? [{ kind: 'heading', source: oid, title, ...(extra ? { extra } : {}), ...shown }, ...fields] : fields
  }
}
