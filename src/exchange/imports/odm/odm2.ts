/** Reads ODM 2.0 as ODM 1.3: forms and sections, which are item groups there, become forms and item groups again. */

import { attribute, children, textIn, type Xml } from '#documents/xml'
import { byOid, definitionsOf, inReferenceOrder } from './references'

/** The element without its children of these names, with any prefix. */
const withoutChildren = (element: Xml, ...names: string[]): Xml =>
  Object.fromEntries(
    Object.entries(element).filter(([key]) => key.startsWith('@') || !names.includes(key.slice(key.indexOf(':') + 1))),
  )

/** The document of ODM 2.0 as one of ODM 1.3. */
export const toOdm1 = (root: Xml): Xml => ({
  ...withoutChildren(root, 'Study'),
  Study: children(root, 'Study').map((study) => ({
    ...withoutChildren(study, 'MetaDataVersion'),
    MetaDataVersion: children(study, 'MetaDataVersion').map(metadata),
  })),
})

function metadata(version: Xml): Xml {
  const groups = byOid(children(version, 'ItemGroupDef'))
  const events = children(version, 'StudyEventDef')
  const used = new Set(
    events.flatMap((event) => children(event, 'ItemGroupRef').map((each) => attribute(each, 'ItemGroupOID'))),
  )
  const forms = [...groups.values()].filter(
    (group) => attribute(group, 'Type') === 'Form' || used.has(attribute(group, 'OID')),
  )
  const own: Xml[] = []
  const read = forms.map((form) => ({
    ...withoutChildren(form, 'ItemGroupRef', 'ItemRef'),
    ItemGroupRef: [...itemsOf(form, own), ...nestedGroups(form, groups, new Set())].map((reference, at) => ({
      ...reference,
      '@OrderNumber': String(at + 1),
    })),
  }))
  const isForm = new Set(forms)
  return {
    ...withoutChildren(version, 'Protocol', 'StudyEventDef', 'ItemGroupDef', 'ConditionDef', 'MethodDef'),
    Protocol: { StudyEventRef: eventRefs(version) },
    StudyEventDef: events.map((event) => ({
      ...withoutChildren(event, 'ItemGroupRef'),
      FormRef: children(event, 'ItemGroupRef').map((each) => ({
        ...each,
        '@FormOID': attribute(each, 'ItemGroupOID'),
      })),
    })),
    FormDef: read,
    ItemGroupDef: [...own, ...[...groups.values()].filter((group) => !isForm.has(group)).map(section)],
    ConditionDef: children(version, 'ConditionDef').map(withCode),
    MethodDef: children(version, 'MethodDef').map(withCode),
  }
}

const section = (group: Xml): Xml => ({
  ...group,
  '@Repeating': ['', 'No'].includes(attribute(group, 'Repeating')) ? 'No' : 'Yes',
})

/** Items that stand in a form itself: in a group of their own, which is added to the list. */
function itemsOf(form: Xml, added: Xml[]): Xml[] {
  const items = children(form, 'ItemRef')
  if (!items.length) return []
  const oid = `${attribute(form, 'OID')}.items`
  added.push({ '@OID': oid, '@Name': 'Ungrouped', '@Repeating': 'No', ItemRef: items })
  return [{ '@ItemGroupOID': oid, '@Mandatory': 'No' }]
}

/** The groups of a group in their order, each before those in it, and only once: a file may say that a group is in itself. */
function nestedGroups(group: Xml, groups: ReadonlyMap<string, Xml>, visited: Set<string>): Xml[] {
  return inReferenceOrder(children(group, 'ItemGroupRef')).flatMap((reference) => {
    const oid = attribute(reference, 'ItemGroupOID')
    if (visited.has(oid)) return []
    visited.add(oid)
    return [reference, ...definitionsOf(groups, oid).flatMap((inner) => nestedGroups(inner, groups, visited))]
  })
}

/** The events of the protocol, by its groups of events. */
function eventRefs(version: Xml): Xml[] {
  const groups = byOid(children(version, 'StudyEventGroupDef'))
  const named = children(version, 'Protocol').flatMap((protocol) =>
    inReferenceOrder(children(protocol, 'StudyEventGroupRef')),
  )
  const found = named.flatMap((each) => definitionsOf(groups, attribute(each, 'StudyEventGroupOID')))
  const events = (found.length ? found : [...groups.values()]).flatMap((group) =>
    inReferenceOrder(children(group, 'StudyEventRef')),
  )
  return events.map((event, at) => ({ ...event, '@OrderNumber': String(at + 1) }))
}

/** The expressions as texts: in ODM 2.0 they are in an element. */
const withCode = (definition: Xml): Xml => ({
  ...withoutChildren(definition, 'FormalExpression'),
  FormalExpression: children(definition, 'FormalExpression').map((each) => ({
    ...each,
    '#text': textIn(children(each, 'Code')[0]) || textIn(each),
  })),
})
