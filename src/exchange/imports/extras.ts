/** What a format cannot say of a field or stage, noted beside it by our exports, so that importing them loses nothing. */
import { isDeepStrictEqual } from 'node:util'
import type { ImportPlan, PlannedComponent, PlannedStage } from '#design/stages/importPlan'
import { isObject } from '#kernel/json'
import type { Extra } from './draft'

/** The note of an export; undefined where the text is none. */
export function extraFrom(text: string | undefined): Extra | undefined {
  if (!text?.trim().startsWith('{')) return undefined
  try {
    const extra: unknown = JSON.parse(text)
    return isObject(extra) ? (extra as Extra) : undefined
  } catch {
    return undefined
  }
}

/** A note in characters that every format and its readers leave as they are. */
export const extraText = (extra: Extra): string =>
  JSON.stringify(extra).replace(
    /[&<>\u007f-\uffff]|_(?=x)/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The fields in which `wanted` differs from `found`; null for those it has not. */
function difference(wanted: object, found: object, without: readonly string[]): Record<string, unknown> | undefined {
  const [a, b] = [wanted as Record<string, unknown>, found as Record<string, unknown>]
  const differing: Record<string, unknown> = {}
  for (const field of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (without.includes(field) || isDeepStrictEqual(a[field] ?? null, b[field] ?? null)) continue
    differing[field] = a[field] ?? null
  }
  return Object.keys(differing).length ? differing : undefined
}

const typesOf = ({ dataTypes }: ImportPlan) => new Map(dataTypes.map((type) => [type.code.toLowerCase(), type]))

/** What must be noted of each stage and each of its components, for `found` (the export, read back) to become `wanted`. */
export function extrasOf(
  wanted: ImportPlan,
  found: ImportPlan,
  shares: boolean,
): { stages: Extra['stage'][]; components: (Extra | undefined)[][] } {
  const [types, others] = [typesOf(wanted), typesOf(found)]
  const told = new Set<string>()

  function ofComponent(component: PlannedComponent, other: PlannedComponent | undefined): Extra | undefined {
    const key = component.dataType ?? undefined
    const known = key !== undefined && told.has(key)
    if (key !== undefined) told.add(key)
    const type = key === undefined ? undefined : types.get(key)
    const back = others.get(other?.dataType ?? '')
    const extra: Extra = {}
    if (known && !shares) extra.same = key
    else if (type && !known) {
      const differing = difference(type, back ?? {}, [])
      if (differing) extra.type = differing
    }
    const differing = difference(component, other ?? {}, ['id', 'dataType'])
    if (differing) extra.component = differing as Extra['component']
    return Object.keys(extra).length ? extra : undefined
  }

  return {
    stages: wanted.stages.map(
      (stage, n) => difference(stage, found.stages[n] ?? {}, ['components']) as Partial<PlannedStage>,
    ),
    components: wanted.stages.map((stage, n) =>
      stage.components.map((component, m) => ofComponent(component, found.stages[n]?.components[m])),
    ),
  }
}

export type Extras = ReturnType<typeof extrasOf>

/** The object with what an export noted beside the format; null takes a field away. */
export function withExtras<T extends object>(object: T, extra: object | undefined): T {
  for (const [field, value] of Object.entries(extra ?? {})) {
    if (field === '__proto__') continue
    if (value === null) delete (object as Record<string, unknown>)[field]
    else (object as Record<string, unknown>)[field] = value
  }
  return object
}
