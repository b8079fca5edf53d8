/**
 * Reads CDISC ODM 1.3 and 2.0: each form becomes a stage for every event that has it. The ODM files of REDCap are read by the
 * rules for REDCap.
 */

import type { Warning } from '#design/stages/importPlan'
import { titleFromName } from '#documents/texts'
import { attribute, children, type Xml, xmlOf } from '#documents/xml'
import type { Draft, DraftStage, Warn } from '#exchange/imports/common/draft'
import { extraFrom } from '#exchange/imports/common/extras'
import { languageNamed } from '#exchange/imports/common/languageNames'
import { unreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { cut } from '#kernel/text'
import { formOf, formsOf } from './form'
import { itemsOfGroup } from './group'
import type { Definitions } from './item'
import { languageOf } from './language'
import { missingCodesOf } from './missing'
import { withNotes } from './notes'
import { toOdm1 } from './odm2'
import { isRedcapOdm, redcapForms } from './redcap'
import { redcapVisits } from './redcapEvents'
import { byOid, definitionsOf, inReferenceOrder, noElement, OWN_CONTEXT } from './references'
import { unreadVendorParts } from './vendor'

/** The maximum number of stages that are made of events and their forms; above it, each form becomes one stage. */
const MOST_STAGES = 400

/**
 * The first study in the file that has metadata, and the last version of them with forms. Throws an `unreadable` if
 * there is none.
 */
function metadata(text: string): { root: Xml; study: Xml; version: Xml } {
  const document = xmlOf(text)
  const [outermost] = children(document, 'ODM')
  if (!outermost) throw unreadable(reason('notOdm'))
  const edition = attribute(outermost, 'ODMVersion') || editionOfNamespace(outermost)
  if (edition && !/^(?:1\.[23]|2\.0)/.test(edition))
    throw unreadable(reason('otherOdmVersion', { version: cut(edition, 20) }))
  const root = edition.startsWith('2.0') ? toOdm1(outermost) : outermost
  const [study] = children(root, 'Study').filter((each) => children(each, 'MetaDataVersion').length)
  const version = study && children(study, 'MetaDataVersion').findLast((each) => children(each, 'FormDef').length)
  if (!study || !version) throw unreadable(reason('odmWithoutForms'))
  return { root, study, version: withNotes(version) }
}

/** The edition that the namespace of ODM says, such as 2.0; empty if it says none. */
const editionOfNamespace = (root: Xml): string =>
  Object.entries(root).flatMap(([name, value]) =>
    name.startsWith('@xmlns') ? (/cdisc\.org\/ns\/odm\/v(\d\.\d)/.exec(String(value))?.[1] ?? []) : [],
  )[0] ?? ''

/** A warning with what the file has of participants, as only the forms are imported. It comes first. */
function dataWarnings(root: Xml): Warning[] {
  const subjects = children(root, 'ClinicalData').flatMap((each) => children(each, 'SubjectData'))
  if (!subjects.length) return []
  const keys = new Set(subjects.map((subject) => attribute(subject, 'SubjectKey')))
  const [people, answers] = [keys.size, subjects.reduce((sum, subject) => sum + valuesIn(subject), 0)]
  const problem = `The data of ${people} ${people === 1 ? 'participant' : 'participants'} (${answers} ${answers === 1 ? 'value' : 'values'}) were left out: an import brings the forms only.`
  return [{ field: 'ClinicalData', problem }]
}

/** How many values of items are in an element, at any depth. */
function valuesIn(element: Xml): number {
  let count = 0
  const open: Xml[] = [element]
  // The list grows while it is walked.
  for (const each of open) {
    for (const [name, value] of Object.entries(each)) {
      if (name.startsWith('@')) continue
      const inner = (Array.isArray(value) ? value : [value]).filter(
        (one): one is Xml => typeof one === 'object' && one !== null,
      )
      const bare = name.slice(name.indexOf(':') + 1)
      if (/^ItemData/.test(bare)) count += Array.isArray(value) ? value.length : 1
      else open.push(...inner)
    }
  }
  return count
}

/** Reads the forms of an ODM file. Throws an `unreadable` if it is not one. */
export function draftFromOdm(text: string): Draft {
  const found = metadata(text)
  const others = languageOf(found.study).others.flatMap(([name]): [string, string][] => {
    const tag = languageNamed(name)
    return tag === undefined ? [] : [[tag, name]]
  })
  const draft = draftOf(text, found)
  if (!others.length) return draft
  return {
    ...draft,
    others: new Map(others.slice(0, 50).map(([tag, name]) => [tag, () => draftOf(text, found, name)])),
  }
}

/** @param other the `xml:lang` of another language */
function draftOf(text: string, { root, study, version }: ReturnType<typeof metadata>, other?: string): Draft {
  const language = languageOf(study, other)
  const unknown = language.others.filter(([name]) => languageNamed(name) === undefined)
  const warnings: Warning[] = unknown.map(([name, count]) => ({
    field: name || 'xml:lang',
    problem: `Texts in another language are not carried over (${count} texts).`,
  }))
  const warn = (field: string, problem: string) => void warnings.push({ field, problem })
  const definitions: Definitions = {
    items: byOid(children(version, 'ItemDef')),
    groups: byOid(children(version, 'ItemGroupDef')),
    codeLists: byOid(children(version, 'CodeList')),
    multiSelects: new Map(children(version, 'MultiSelectList').map((each) => [attribute(each, 'ID'), each])),
    units: byOid(children(study, 'BasicDefinitions').flatMap((each) => children(each, 'MeasurementUnit'))),
    text: language.text,
  }
  const isForeign = (alias: Xml) => !attribute(alias, 'Context').startsWith(OWN_CONTEXT)
  const aliases = [...definitions.items.values()].filter((item) => children(item, 'Alias').some(isForeign)).length
  if (aliases) warn('Alias', `Aliases are not carried over (${aliases} items).`)
  const forms = byOid(children(version, 'FormDef'))
  const allForms = formsOf(version, definitions, warn)
  const isRedcap = isRedcapOdm(text)
  const stages = isRedcap
    ? redcapForms(forms, definitions, warnings, missingCodesOf(study))
    : new Map([...forms].map(([oid, form]) => [oid, stageOf(form)]))
  if (language.formatted()) warn('HTML', 'Formatting of texts is not carried over.')
  const found = stagesByEvent(version, forms, stages, warn, isRedcap ? redcapVisits(study, version, warn) : undefined)
  warnings.unshift(...dataWarnings(root))
  warnings.push(...unreadVendorParts(root, study))
  return { stages: found, warnings, shares: true }

  function stageOf(form: Xml): DraftStage {
    const groups = inReferenceOrder(children(form, 'ItemGroupRef'))
    const read = formOf(allForms, form)
    const description = language.text(form, 'Description')
    const name = attribute(form, 'Name') || description || attribute(form, 'OID')
    const extra = extraFrom(attribute(form, 'trialbox:extra'))?.stage
    return {
      source: attribute(form, 'OID'),
      name: titleFromName(name),
      ...(description && description !== name ? { description } : {}),
      items: groups.flatMap((reference) => itemsOfGroup(read, reference, groups.length > 1)),
      ...(extra ? { extra } : {}),
    }
  }
}

/**
 * The forms as stages: one for each event that has the form, in the order of the events; each form once if there are no
 * events.
 */
function stagesByEvent(
  version: Xml,
  forms: ReadonlyMap<string, Xml>,
  stages: ReadonlyMap<string, DraftStage>,
  warn: Warn,
  visitOf?: ReturnType<typeof redcapVisits>,
): DraftStage[] {
  const events = byOid(children(version, 'StudyEventDef'))
  const references = children(version, 'Protocol').flatMap((each) => inReferenceOrder(children(each, 'StudyEventRef')))
  const order = references.length
    ? references.flatMap((each) => definitionsOf(events, attribute(each, 'StudyEventOID')))
    : [...events.values()]
  const visits = order.flatMap((event) =>
    inReferenceOrder(children(event, 'FormRef')).map((reference) => ({ event, form: attribute(reference, 'FormOID') })),
  )
  const uses = new Map<string, number>()
  for (const { form } of visits) uses.set(form, (uses.get(form) ?? 0) + 1)
  const tooMany = visits.length > MOST_STAGES && visits.length > forms.size
  if (tooMany) warn('StudyEventDef', `The study has ${visits.length} forms in its events; each form became one stage.`)
  const isRepeating = (element: Xml | undefined) => element !== undefined && attribute(element, 'Repeating') === 'Yes'

  function stage(oid: string, event?: Xml): DraftStage[] {
    const found = stages.get(oid)
    if (!found) return []
    const visit = event && visitOf?.(event, forms.get(oid)!)
    const repeats = isRepeating(forms.get(oid)) || isRepeating(event) || visit?.settings?.adHoc
    if (repeats && !found.extra)
      warn(found.source, 'It repeats: its stage is ad hoc, and takes any number of submissions.')
    const name =
      event && (uses.get(oid) ?? 0) > 1
        ? `${cut(attribute(event, 'Name') || attribute(event, 'OID'), 50)}: ${found.name}`
        : found.name
    return [{ ...found, ...visit, name, ...(repeats ? { settings: { adHoc: true }, waits: null } : {}) }]
  }
  const [only] = children(version, 'StudyEventDef')
  // A REDCap project without events may still have repeating instruments.
  if (tooMany || !visits.length)
    return [...forms.keys()].flatMap((oid) => stage(oid, visitOf ? (only ?? noElement) : undefined))
  for (const oid of forms.keys())
    if (!uses.has(oid)) warn(oid, 'No event has this form; it became a stage all the same.')
  return [
    ...visits.flatMap(({ event, form }) => stage(form, event)),
    ...[...forms.keys()].filter((oid) => !uses.has(oid)).flatMap((oid) => stage(oid)),
  ]
}
