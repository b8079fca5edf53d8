/**
 * The differences between two configurations, with paths that people can read (docs/decisions.md, "Bodies and answers").
 *
 * A path consists of names: `stages["Visit 1"].components["pulse"].title`. List items are matched by an identifying field
 * (`_id`, `id`, `key`, `code`, …), never by their place; items without such a field are matched by their content.
 * If two items have the same name, the identity follows it: `stages["Visit", "65f…"]`. An item that moved within its list
 * is a change of its `index`; items that only shifted because of it are not listed.
 */
import { canonicalJson, isObject, type JsonObject } from '#kernel/json'
import type { Snapshot } from './model'
import { unmovedPlaces } from './unmovedPlaces'

export type Change = { path: string; kind: 'added' | 'removed' | 'changed'; before: unknown; after: unknown }

type Names = ReadonlyMap<unknown, string>
type ListItem = { value: unknown; place: number; identity: unknown }

/** The changes that turn `before` into `after`; empty if both have the same content. */
export function changesBetween(before: Snapshot, after: Snapshot): Change[] {
  const names = new Map([...namesOf(after), ...namesOf(before)])
  return [...changesInFields('', before, after, names)]
}

/** Names of everything in a configuration, by `_id`; for data types their code, as in exports. */
const namesOf = ({ settings: _, ...lists }: Snapshot): [unknown, string][] =>
  Object.values(lists)
    .flat()
    .map(({ _id, code, name }) => [_id, `${code ?? name}`])

function* changesIn(path: string, before: unknown, after: unknown, names: Names): Generator<Change> {
  if (Array.isArray(before) && Array.isArray(after)) yield* changesInList(path, before, after, names)
  else if (isObject(before) && isObject(after)) yield* changesInFields(path, before, after, names)
  else if (canonicalJson(before) !== canonicalJson(after)) {
    yield { path, kind: 'changed', before: before ?? null, after: after ?? null }
  }
}

/** @param skipped a field that `changesInList` compares: the `index` of list items */
function* changesInFields(
  path: string,
  before: JsonObject,
  after: JsonObject,
  names: Names,
  skipped?: string,
): Generator<Change> {
  for (const field of Object.keys({ ...before, ...after })) {
    if (field === skipped) continue
    const at = /^[A-Za-z_]\w*$/.test(field) ? `${path && `${path}.`}${field}` : `${path}[${JSON.stringify(field)}]`
    yield* changesIn(at, before[field], after[field], names)
  }
}

function* changesInList(path: string, before: unknown[], after: unknown[], names: Names): Generator<Change> {
  const identity = identityIn(before, after)
  const [old, now] = [itemsOf(before, identity), itemsOf(after, identity)]
  const pathOf = pathsIn(path, old, now, names)
  for (const [key, { value }] of old) {
    if (!now.has(key)) yield { path: pathOf(key), kind: 'removed', before: value, after: null }
  }
  const unmoved = unmovedPlaces([...now.keys()].flatMap((key) => old.get(key)?.place ?? []))
  for (const [key, { value, place }] of now) {
    const earlier = old.get(key)
    if (!earlier) {
      yield { path: pathOf(key), kind: 'added', before: null, after: value }
      continue
    }
    if (!unmoved.has(earlier.place)) {
      yield { path: `${pathOf(key)}.index`, kind: 'changed', before: earlier.place, after: place }
    }
    if (isObject(earlier.value) && isObject(value))
      yield* changesInFields(pathOf(key), earlier.value, value, names, 'index')
  }
}

const IDENTITIES = ['_id', 'id', 'key', 'code', 'value', 'label', 'name', 'hour']

/** The first field that identifies every item in both lists; undefined if there is none. */
const identityIn = (...lists: unknown[][]): string | undefined =>
  IDENTITIES.find((field) =>
    lists.every((list) => {
      const values = list.map((item) => (isObject(item) ? item[field] : undefined))
      const isClear = values.every((value) => typeof value === 'string' || typeof value === 'number')
      return isClear && new Set(values).size === values.length
    }),
  )

/** The items of a list by their identity or content. The second of two equal items gets a key of its own. */
function itemsOf(list: unknown[], identity: string | undefined): Map<string, ListItem> {
  const items = new Map<string, ListItem>()
  for (const [place, value] of list.entries()) {
    const own = identity === undefined ? undefined : (value as JsonObject)[identity]
    const content = own === undefined ? canonicalJson(value) : JSON.stringify(own)
    let key = content
    for (let again = 2; items.has(key); again++) key = `${content} ${again}`
    items.set(key, { value, place, identity: own ?? key })
  }
  return items
}

/** Returns a function from an item's key to its path. The path has the item's old name, or the new one of an added item. */
function pathsIn(path: string, old: ReadonlyMap<string, ListItem>, now: ReadonlyMap<string, ListItem>, names: Names) {
  const items = new Map([...now, ...old])
  const labels = new Map([...items].map(([key, { value, identity }]) => [key, labelOf(value, identity, names)]))
  const counts = new Map<string, number>()
  for (const label of labels.values()) counts.set(label, (counts.get(label) ?? 0) + 1)
  return (key: string): string => {
    const label = labels.get(key)!
    const parts = counts.get(label) === 1 ? [label] : [label, `${items.get(key)!.identity}`]
    return `${path}[${parts.map((part) => JSON.stringify(part)).join(', ')}]`
  }
}

function labelOf(value: unknown, identity: unknown, names: Names): string {
  if (!isObject(value)) return names.get(value) ?? `${value}`
  const { _id, name, dataType, title } = value
  const label = names.get(_id) ?? name ?? names.get(dataType) ?? title
  if (label !== undefined && label !== null) return `${label}`
  if (identity !== undefined && Object.values(value).includes(identity)) return `${identity}`
  return Object.values(value)
    .map((each) => names.get(each) ?? (typeof each === 'object' ? JSON.stringify(each) : `${each}`))
    .join(', ')
}
