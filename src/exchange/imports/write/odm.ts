/** Writes a plan as CDISC ODM 1.3. */

import type { ImportPlan } from '#design/stages/importPlan'
import { type Extras, extrasOf } from '#exchange/imports/extras'
import { planOf } from '#exchange/imports/languages'
import { draftFromOdm } from '#exchange/imports/odm'
import type { Xml } from '#exchange/imports/xml'
import { elementsOf } from './odmElements'
import { clean } from './odmTexts'
import type { Written } from './written'

/** The parts of the file that are not in the plan: the name of the study, and the moment of the export. */
export type Header = { study: string; createdAt: string }

function documentOf(plan: ImportPlan, { study, createdAt }: Header, extras?: Extras): string {
  const { units, forms, groups, items, lists, conditions, methods } = elementsOf(plan, extras)
  const some = (name: string, elements: Xml[]): Xml => (elements.length ? { [name]: elements } : {})
  const title = clean(study).trim() || 'Study'
  const document = {
    ODM: {
      '@xmlns': 'http://www.cdisc.org/ns/odm/v1.3',
      '@xmlns:trialbox': 'urn:trialbox:odm',
      '@FileType': 'Snapshot',
      '@FileOID': title,
      '@CreationDateTime': createdAt,
      '@ODMVersion': '1.3.2',
      '@SourceSystem': 'Trialbox',
      Study: {
        '@OID': 'S.1',
        GlobalVariables: { StudyName: title, StudyDescription: title, ProtocolName: title },
        ...(units.length ? { BasicDefinitions: { MeasurementUnit: units } } : {}),
        MetaDataVersion: {
          '@OID': 'MDV.1',
          '@Name': title,
          Protocol: { StudyEventRef: { '@StudyEventOID': 'SE.1', '@Mandatory': 'No' } },
          StudyEventDef: {
            '@OID': 'SE.1',
            '@Name': title,
            '@Repeating': 'No',
            '@Type': 'Common',
            FormRef: forms.map((form) => ({ '@FormOID': form['@OID'], '@Mandatory': 'No' })),
          },
          ...some('FormDef', forms),
          ...some('ItemGroupDef', groups),
          ...some('ItemDef', items),
          ...some('CodeList', lists),
          ...some('ConditionDef', conditions),
          ...some('MethodDef', methods),
        },
      },
    },
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${Bun.XML.stringify(document)}\n`
}

/** Writes the ODM file. What ODM cannot hold is in attributes of our own namespace, which other tools ignore. */
export function writeOdm(plan: ImportPlan, header: Header): Written {
  if (!plan.stages.length) return { content: documentOf(plan, header), extras: { stages: [], components: [] } }
  const extras = extrasOf(plan, planOf(draftFromOdm(documentOf(plan, header)), true), true)
  return { content: documentOf(plan, header, extras), extras }
}
