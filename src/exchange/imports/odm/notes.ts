/** Notes in aliases of our own exports: official schemas of ODM allow no attributes of ours, which our exports of forms have. */

import { attribute, children, type Xml } from '#documents/xml'
import { notedValue } from './references'

const NOTE = '@trialbox:extra'

/** The metadata with the notes of groups and forms at the elements that they are about, as in an export of forms. */
export function withNotes(version: Xml): Xml {
  const groups = new Map<string, string>()
  for (const group of children(version, 'ItemGroupDef')) {
    groups.set(attribute(group, 'OID'), notedValue(group, 'extra'))
    for (const reference of children(group, 'ItemRef'))
      addNote(reference, notedValue(group, `extra:${attribute(reference, 'ItemOID')}`))
  }
  for (const form of children(version, 'FormDef')) {
    addNote(form, notedValue(form, 'extra'))
    for (const reference of children(form, 'ItemGroupRef'))
      addNote(reference, groups.get(attribute(reference, 'ItemGroupOID')) ?? '')
  }
  return version
}

function addNote(element: Xml, note: string): void {
  if (note) element[NOTE] = note
}
