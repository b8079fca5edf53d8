/** Notes in our exports with the properties that a format cannot hold, so that an import of the file loses nothing. */
import { isDeepStrictEqual } from 'node:util'
import type { ImportPlan, PlannedComponent, PlannedStage } from '#design/stages/importPlan'
import { unreadable } from '#kernel/fault'
import { isObject } from '#kernel/json'
import { reason } from '#kernel/refusals/reason'
import { cut, textFaults } from '#kernel/text'
import type { ExtraProperties } from './draft'

/** Reads a note; undefined if the text is not one. Throws an `unreadable` for a note with text that cannot be stored. */
export function extraFrom(text: string | undefined): ExtraProperties | undefined {
  if (!text?.trim().startsWith('{')) return undefined
  let extra: unknown
  try {
    extra = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(extra)) return undefined
  const [fault] = textFaults(extra, 1)
  if (fault)
    throw unreadable(
      reason('noteUnusable', { note: cut(text, 200), field: fault.path.join('.'), problem: fault.problem }),
    )
  return extra as ExtraProperties
}

/**
 * Writes a note, in characters that every format and its readers leave unchanged: only ASCII, nothing that is markup in
 * XML, no `_x`, with which Excel begins an escape, and no `${`, with which an XLSForm names a field.
 */
export const extraText = (extra: ExtraProperties): string =>
  JSON.stringify(extra).replace(
    /[&<>\u007f-\uffff]|_(?=x)|\$(?=\{)/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The fields of `wanted` that differ from `found`; null for fields that only `found` has. undefined if nothing differs. */
function difference(wanted: object, found: object, without: readonly string[]): Record<string, unknown> | undefined {
  const [a, b] = [wanted as Record<string, unknown>, found as Record<string, unknown>]
  const differing: Record<string, unknown> = {}
  for (const field of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (without.includes(field) || isDeepStrictEqual(a[field] ?? null, b[field] ?? null)) continue
    differing[field] = a[field] ?? null
  }
  return Object.keys(differing).length ? differing : undefined
}

/** The data types of a plan by their codes in lower case. */
export const typesOf = ({ dataTypes }: ImportPlan) => new Map(dataTypes.map((type) => [type.code.toLowerCase(), type]))

/**
 * The notes for each stage and each of its components.
 * @param wanted the plan that is exported
 * @param found the export without notes, read again: the notes are the difference
 * @param shares whether the format gives the same field to several stages
 */
export function extrasOf(
  wanted: ImportPlan,
  found: ImportPlan,
  shares: boolean,
): { stages: ExtraProperties['stage'][]; components: (ExtraProperties | undefined)[][] } {
  const [types, others] = [typesOf(wanted), typesOf(found)]
  const noted = new Set<string>()

  function noteOf(component: PlannedComponent, other: PlannedComponent | undefined): ExtraProperties | undefined {
    const key = component.dataType ?? undefined
    const known = key !== undefined && noted.has(key)
    if (key !== undefined) noted.add(key)
    const type = key === undefined ? undefined : types.get(key)
    const back = others.get(other?.dataType ?? '')
    const extra: ExtraProperties = {}
    if (known && !shares) extra.same = key
    else if (type && !known) {
      const differing = difference(type, back ?? {}, [])
      if (differing) extra.type = differing
    }
    const differing = difference(component, other ?? {}, ['id', 'dataType'])
    if (differing) extra.component = differing as ExtraProperties['component']
    // Without notes it is hidden, since its formula cannot be read; with those of others it may be computed, and is not hidden by itself.
    if (type?.format === 'calculation' && back?.format !== 'calculation')
      extra.component = { ...extra.component, isHidden: component.isHidden ?? null }
    return Object.keys(extra).length ? extra : undefined
  }

  return {
    stages: wanted.stages.map(
      (stage, n) => difference(stage, found.stages[n] ?? {}, ['components']) as Partial<PlannedStage>,
    ),
    components: wanted.stages.map((stage, n) =>
      stage.components.map((component, m) => noteOf(component, found.stages[n]?.components[m])),
    ),
  }
}

export type PlanExtras = ReturnType<typeof extrasOf>

/** Adds the fields of a note to the object, in place; null removes a field. */
export function withExtras<T extends object>(object: T, extra: object | undefined): T {
  for (const [field, value] of Object.entries(extra ?? {})) {
    if (field === '__proto__') continue
    if (value === null) delete (object as Record<string, unknown>)[field]
    else (object as Record<string, unknown>)[field] = value
  }
  return object
}
