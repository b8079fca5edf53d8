/** Reads the ODM file of an export, for tests. */
import { expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attribute, children, textIn, type Xml, xmlOf } from '#exchange/imports/xml'
import type { World } from '../../harness'
import { temporaryFolder } from '../../temporary'
import { downloaded, partsOf } from '../studyRecord/archive'

export const lint = Bun.which('xmllint')
/** A folder with ODM1-3-2.xsd of CDISC, which may not be distributed with the source. */
export const schemas = Bun.env.TRIALBOX_XSD

export async function odmOf(
  here: Pick<World, 'fetch'>,
  by: Pick<World['owner'], 'get'>,
  url: `/trials/${string}/responses?${string}`,
) {
  const made = await by.get(url)
  if (!('request' in made)) throw new Error('There is no link.')
  const bytes = await downloaded(here, made.request)
  const parts = partsOf(bytes)
  const text = `${parts.get('odm.xml')}`
  const path = join(temporaryFolder(), `${crypto.randomUUID()}.xml`)
  writeFileSync(path, text)
  const [root] = children(xmlOf(text), 'ODM')
  if (!root) throw new Error('There is no ODM element.')
  return { bytes, parts, text, path, root }
}

/** What xmllint says against the file. */
export const complaints = (path: string, ...options: string[]): string =>
  Bun.spawnSync(['xmllint', '--nonet', '--noout', '--huge', ...options, path]).stderr.toString()

/** All elements of that name, at any depth. */
export function within(element: Xml, name: string): Xml[] {
  return Object.entries(element).flatMap(([key, value]) => {
    if (key.startsWith('@') || key === '#text') return []
    const all: Xml[] = children({ [key]: value }, key)
    return [...(key === name ? all : []), ...all.flatMap((each) => within(each, name))]
  })
}

const ORDER: Record<string, string> = {
  ODM: 'Study AdminData ClinicalData',
  Study: 'GlobalVariables BasicDefinitions MetaDataVersion',
  GlobalVariables: 'StudyName StudyDescription ProtocolName',
  MetaDataVersion: 'Protocol StudyEventDef FormDef ItemGroupDef ItemDef CodeList ConditionDef MethodDef',
  StudyEventDef: 'Description FormRef',
  FormDef: 'Description ItemGroupRef',
  ItemGroupDef: 'Description ItemRef Alias',
  ItemDef: 'Question MeasurementUnitRef RangeCheck CodeListRef Alias',
  AdminData: 'User Location SignatureDef',
  SubjectData: 'SiteRef Annotation StudyEventData',
  StudyEventData: 'FormData',
  FormData: 'Signature Annotation ItemGroupData',
  ItemGroupData: 'ItemData',
  ItemData: 'AuditRecord Annotation',
  AuditRecord: 'UserRef LocationRef DateTimeStamp ReasonForChange SourceID',
  Signature: 'UserRef LocationRef SignatureRef DateTimeStamp CryptoBindingManifest',
}

/** The attributes that refer to a definition, and the element that defines it. */
const REFERENCES: Record<string, string> = {
  StudyOID: 'Study',
  MetaDataVersionOID: 'MetaDataVersion',
  StudyEventOID: 'StudyEventDef',
  FormOID: 'FormDef',
  ItemGroupOID: 'ItemGroupDef',
  ItemOID: 'ItemDef',
  CodeListOID: 'CodeList',
  MeasurementUnitOID: 'MeasurementUnit',
  CollectionExceptionConditionOID: 'ConditionDef',
  MethodOID: 'MethodDef',
  UserOID: 'User',
  LocationOID: 'Location',
  SignatureOID: 'SignatureDef',
}

/** Order of the elements, references that resolve, unique keys. */
export function expectStructure(root: Xml): void {
  const defined = new Map(
    Object.values(REFERENCES).map((name): [string, Set<string>] => {
      const oids = within(root, name).map((each) => attribute(each, 'OID'))
      expect({ name, oids: new Set(oids).size }).toEqual({ name, oids: oids.length })
      return [name, new Set(oids)]
    }),
  )
  const check = (name: string, element: Xml): void => {
    const names = Object.keys(element).filter((key) => !key.startsWith('@') && key !== '#text')
    const order = ORDER[name]?.split(' ')
    if (order) expect({ name, names }).toEqual({ name, names: order.filter((each) => names.includes(each)) })
    for (const [key, value] of Object.entries(element))
      if (key.startsWith('@') && REFERENCES[key.slice(1)])
        expect({
          name,
          key,
          value,
          isDefined: defined.get(REFERENCES[key.slice(1)] ?? '')?.has(String(value)),
        }).toEqual({
          ...{ name, key, value, isDefined: true },
        })
    for (const each of names) for (const child of children(element, each)) check(each, child)
  }
  check('ODM', root)
  const keys = within(root, 'SubjectData').flatMap((subject) =>
    within(subject, 'StudyEventData').map((event) =>
      [subject['@SubjectKey'], event['@StudyEventOID'], event['@StudyEventRepeatKey']].join('|'),
    ),
  )
  expect(new Set(keys).size).toBe(keys.length)
}

/** Every value of a participant by the names of items, in the order of the file; null for a blank. */
export function valuesOf(root: Xml, subject: string): Record<string, (string | null)[]> {
  const names = new Map(within(root, 'ItemDef').map((item) => [attribute(item, 'OID'), attribute(item, 'Name')]))
  const found: Record<string, (string | null)[]> = {}
  for (const data of within(root, 'SubjectData').filter((each) => attribute(each, 'SubjectKey') === subject))
    for (const item of within(data, 'ItemData')) {
      const name = names.get(attribute(item, 'ItemOID')) ?? ''
      found[name] = [...(found[name] ?? []), attribute(item, 'IsNull') ? null : attribute(item, 'Value')]
    }
  return found
}

/** The labels of a code list by code. */
export const labelsOf = (root: Xml, name: string): Record<string, string> =>
  Object.fromEntries(
    within(root, 'CodeList')
      .filter((list) => attribute(list, 'Name') === name)
      .flatMap((list) => children(list, 'CodeListItem'))
      .map((each) => [attribute(each, 'CodedValue'), textIn(within(each, 'TranslatedText')[0])]),
  )
