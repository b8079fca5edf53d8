/** Checks an ODM file against the structure of its edition, tag by tag. */
import { expect } from 'bun:test'
import { grammars, patterns, references } from './odmGrammar'

type Node = { name: string; attributes: Record<string, string>; children: Node[]; text: string }

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#10': '\n', '#13': '\r', '#9': '\t' }
const decoded = (text: string) => text.replace(/&(#?\w+);/g, (all, name: string) => entities[name] ?? all)

/** The elements of a file in their order, which a parser that groups children by name does not keep. */
function treeOf(file: string): Node {
  const top: Node = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  let at = 0
  for (const match of file.matchAll(/<(\/?)([\w:]+)((?:\s+[\w:]+="[^"]*")*)\s*(\/?)>/g)) {
    const [tag, ending, name = '', attributes = '', empty] = match
    const current = open.at(-1) ?? top
    current.text += decoded(file.slice(at, match.index))
    at = match.index + tag.length
    if (ending) {
      expect(name).toBe(current.name)
      open.pop()
      continue
    }
    const pairs = [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
      key,
      decoded(value),
    ])
    const node: Node = { name, attributes: Object.fromEntries(pairs), children: [], text: '' }
    current.children.push(node)
    if (!empty) open.push(node)
  }
  const [root] = top.children
  if (!root || open.length !== 1) throw new Error('The file is not one element.')
  return root
}

const all = (node: Node): Node[] => [node, ...node.children.flatMap(all)]

/** The content model as a pattern of the names of children, each with a semicolon. */
const modelOf = (content: string) =>
  new RegExp(`^${content.replace(/[A-Za-z]+/g, (name) => `(?:${name};)`).replaceAll(' ', '')}$`)

/** What is wrong with an element by itself. */
function faultsOf({ name, attributes, children, text }: Node, grammar: (typeof grammars)['2.0']): string[] {
  const rule = grammar[name]
  if (!rule) return [`${name} is not known`]
  const [allowed, content] = rule
  const known = new Map(allowed.split(' ').map((each) => [each.replace('!', ''), each.endsWith('!')]))
  const names = children.map((child) => `${child.name};`).join('')
  const isText = content === 'text'
  return [
    ...Object.keys(attributes).flatMap((key) => (known.has(key) ? [] : [`${name} has ${key}`])),
    ...[...known].flatMap(([key, isRequired]) => (isRequired && !(key in attributes) ? [`${name} lacks ${key}`] : [])),
    ...Object.entries(attributes).flatMap(([key, value]) => {
      const pattern = patterns[`${name} ${key}`] ?? patterns[key]
      return pattern && !pattern.test(value) ? [`${name} ${key}="${value}"`] : []
    }),
    ...((isText ? names !== '' : !modelOf(content).test(names)) ? [`${name} has ${names}`] : []),
    ...(!isText && text.trim() ? [`${name} has the text ${text.trim()}`] : []),
    ...(isText && patterns[name]?.test(text) === false ? [`${name}: ${text}`] : []),
  ]
}

/** Values of an attribute that occur twice among children of that name. */
const twice = (parent: Node, name: string, key: string): string[] => {
  const values = parent.children.flatMap((each) => (each.name === name ? (each.attributes[key] ?? []) : []))
  return values
    .filter((value, at) => values.indexOf(value) !== at)
    .map((value) => `${parent.name}/${name} ${key} ${value}`)
}

const UNIQUE: [string, string][] = [
  ...['StudyEventRef', 'FormRef', 'ItemGroupRef', 'ItemRef', 'CodeListItem'].map((each): [string, string] => [
    each,
    'OrderNumber',
  ]),
  ['ItemRef', 'ItemOID'],
  ['ItemGroupRef', 'ItemGroupOID'],
  ['CodeListItem', 'CodedValue'],
  ['Alias', 'Context'],
  ['TranslatedText', 'xml:lang'],
  ['Annotation', 'SeqNum'],
]

const DATA = ['SubjectData', 'StudyEventData', 'FormData', 'ItemGroupData', 'ItemData']

/** Attributes, order of elements, unique OIDs and numbers, references that resolve, transactions, values of items. */
export function expectStructure(file: string, version: '1.3.2' | '2.0' = '1.3.2'): void {
  const root = treeOf(file.replace(/^<\?xml[^>]*>\n/, ''))
  const nodes = all(root)
  expect(root.attributes.xmlns).toBe(`http://www.cdisc.org/ns/odm/v${version === '2.0' ? '2.0' : '1.3'}`)
  expect(root.attributes.ODMVersion).toBe(version)
  expect(nodes.flatMap((node) => faultsOf(node, grammars[version]))).toEqual([])
  expect(nodes.flatMap((node) => UNIQUE.flatMap(([name, key]) => twice(node, name, key)))).toEqual([])
  const defined = nodes.flatMap(({ name, attributes }) =>
    attributes.OID === undefined ? [] : [`${name} ${attributes.OID}`],
  )
  const oids = nodes.flatMap(({ attributes }) => attributes.OID ?? [])
  expect(oids.filter((oid, at) => oids.indexOf(oid) !== at)).toEqual([])
  const known = new Set(defined)
  expect(
    nodes.flatMap(({ name, attributes }) =>
      Object.entries(attributes).flatMap(([key, value]) =>
        references[key]?.some((definition) => known.has(`${definition} ${value}`)) === false
          ? [`${name} ${key} ${value}`]
          : [],
      ),
    ),
  ).toEqual([])
  const isHistory = root.attributes.FileType === 'Transactional'
  const data = nodes.filter(({ name }) => DATA.includes(name))
  expect(data.filter(({ attributes }) => (attributes.TransactionType !== undefined) !== isHistory)).toEqual([])
  const subjects = data.flatMap(({ name, attributes }) => (name === 'SubjectData' ? [attributes.SubjectKey] : []))
  expect(new Set(subjects).size).toBe(subjects.length)
  if (!isHistory) expectKeys(nodes)
  expectValues(nodes)
}

/** In a snapshot each event, and each item in it, is there once. */
function expectKeys(nodes: readonly Node[]): void {
  for (const subject of nodes.filter(({ name }) => name === 'SubjectData')) {
    const events = subject.children.filter(({ name }) => name === 'StudyEventData')
    const keys = events.map(({ attributes }) => `${attributes.StudyEventOID}|${attributes.StudyEventRepeatKey}`)
    expect(new Set(keys).size).toBe(keys.length)
    for (const event of events) {
      const items = all(event).flatMap(({ name, attributes, children }) =>
        name === 'ItemGroupData'
          ? children.flatMap((item) =>
              item.name === 'ItemData'
                ? [`${attributes.ItemGroupOID}|${attributes.ItemGroupRepeatKey}|${item.attributes.ItemOID}`]
                : [],
            )
          : [],
      )
      expect(new Set(items).size).toBe(items.length)
    }
  }
}

const TYPES: Record<string, RegExp> = {
  integer: /^-?\d+$/,
  float: /^-?\d+(\.\d+)?$/,
  date: /^\d{4}-\d\d-\d\d$/,
  datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  partialTime: /^\d\d(:\d\d(:\d\d(\.\d+)?)?)?$/,
}

/** A value is of the data type of its item, or a code of its list; a blank has no value. */
function expectValues(nodes: readonly Node[]): void {
  const named = (name: string) => nodes.filter((node) => node.name === name)
  const codes = new Map(
    named('CodeList').map(({ attributes, children }) => [
      attributes.OID,
      new Set(children.map((each) => each.attributes.CodedValue)),
    ]),
  )
  const items = new Map(
    named('ItemDef').map(({ attributes, children }) => {
      const list = children.find(({ name }) => name === 'CodeListRef')?.attributes.CodeListOID
      return [
        attributes.OID,
        { type: attributes.DataType ?? '', list: list === undefined ? undefined : codes.get(list) },
      ]
    }),
  )
  const wrong = named('ItemData').flatMap(({ attributes, children }) => {
    const item = items.get(attributes.ItemOID)
    const value = attributes.Value ?? children.find(({ name }) => name === 'Value')?.text
    if (value === undefined) {
      const isSaid = attributes.IsNull !== undefined || ['Remove', 'Context'].includes(attributes.TransactionType ?? '')
      return isSaid ? [] : [`${attributes.ItemOID} says nothing`]
    }
    const fits =
      attributes.IsNull === undefined &&
      (item?.list ? item.list.has(value) : (TYPES[item?.type ?? '']?.test(value) ?? true))
    return fits ? [] : [`${attributes.ItemOID} ${item?.type} ${value}`]
  })
  expect(wrong).toEqual([])
}
