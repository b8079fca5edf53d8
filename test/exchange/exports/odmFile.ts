/** Reads the ODM file of an export, for tests. */
import { expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attribute, children, textIn, type Xml, xmlOf } from '#documents/xml'
import type { World } from '../../harness'
import { temporaryFolder } from '../../temporary'
import { downloaded, partsOf } from '../studyRecord/archive'

export const lint = Bun.which('xmllint')
/** A folder with the schemas of CDISC, ODM1-3-2.xsd and ODM.xsd (2.0), which may not be distributed with the source. */
export const schemas = Bun.env.TRIALBOX_XSD

export async function odmOf(
  here: Pick<World, 'fetch'>,
  by: Pick<World['owner'], 'get'>,
  url: `/trials/${string}/responses?${string}`,
) {
  const made = await by.get<'exportResponses'>(url)
  if (!('request' in made)) throw new Error('There is no link.')
  const bytes = await downloaded(here, String(made.request))
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

/** The names of the schemas in the folder. */
const schemaOf = { '1.3.2': 'ODM1-3-2.xsd', '2.0': 'ODM.xsd' }

/** Validates a file with the schema of CDISC, if there is a folder with schemas. */
export function expectValid(path: string, version: keyof typeof schemaOf): void {
  if (schemas && lint) expect(complaints(path, '--schema', join(schemas, schemaOf[version]))).toEndWith(' validates\n')
}

/** All elements of that name, at any depth. */
export function within(element: Xml, name: string): Xml[] {
  return Object.entries(element).flatMap(([key, value]) => {
    if (key.startsWith('@') || key === '#text') return []
    const all: Xml[] = children({ [key]: value }, key)
    return [...(key === name ? all : []), ...all.flatMap((each) => within(each, name))]
  })
}

/** The value of an item: an attribute in ODM 1.3.2, an element in 2.0. Blanks around it count. */
function valueIn(item: Xml): string {
  const [value] = children(item, 'Value')
  return typeof value?.['#text'] === 'string' ? value['#text'] : attribute(item, 'Value')
}

/** Every value of a participant by the names of items, in the order of the file; null for a blank. */
export function valuesOf(root: Xml, subject: string): Record<string, (string | null)[]> {
  const names = new Map(within(root, 'ItemDef').map((item) => [attribute(item, 'OID'), attribute(item, 'Name')]))
  const found: Record<string, (string | null)[]> = {}
  for (const data of within(root, 'SubjectData').filter((each) => attribute(each, 'SubjectKey') === subject))
    for (const item of within(data, 'ItemData')) {
      const name = names.get(attribute(item, 'ItemOID')) ?? ''
      found[name] = [...(found[name] ?? []), attribute(item, 'IsNull') ? null : valueIn(item)]
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
