/** Writes responses: only the fields that the model names, moments as text, personal information if the caller may see it. */
import { Kind, type TObject, type TSchema, TypeGuard } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { JsonObject } from '#kernel/json'
import { once } from '#kernel/once'
import { instantText } from '#kernel/time'

/** Decides whether the caller may see the personal information in a row. */
export type FieldVisibility = { personal: (row: JsonObject) => boolean }

type Projection = (value: unknown, visibility: FieldVisibility) => unknown

const unchanged: Projection = (value) => value

const projectors = new WeakMap<TSchema, Projection>()

/** Returns the function that writes values of this schema. It is built at its first call, and once per process. */
export function projector(schema: TSchema): Projection {
  const project = projectors.get(schema) ?? once(() => build(schema))
  projectors.set(schema, project)
  return project
}

function build(schema: TSchema): Projection {
  if (schema[Kind] === 'Instant') return (value) => (typeof value === 'number' ? instantText(value) : value)
  if (TypeGuard.IsArray(schema)) {
    const item = build(schema.items)
    return item === unchanged
      ? unchanged
      : (items, visibility) => (items as unknown[]).map((each) => item(each, visibility))
  }
  if (TypeGuard.IsUnion(schema)) return union(schema.anyOf)
  if (TypeGuard.IsRecord(schema)) {
    const value = build(Object.values(schema.patternProperties)[0] as TSchema)
    if (value === unchanged) return unchanged
    return (record, visibility) => {
      const out: JsonObject = {}
      for (const key in record as JsonObject) out[key] = value((record as JsonObject)[key], visibility)
      return out
    }
  }
  if (TypeGuard.IsObject(schema)) return object(schema)
  return unchanged
}

/**
 * Generates the code that writes an object field by field, as TypeBox generates code to check one. A submission's response
 * has 150 fields, and a loop over their schemas took twice as long (measured).
 */
function object(schema: TObject): Projection {
  const names = Object.keys(schema.properties)
  const projects = names.map((name) => build(schema.properties[name]!))
  const lines = names.map((name, at) => {
    const key = JSON.stringify(name)
    const condition = schema.properties[name]!.personal ? ' && visibility.personal(row)' : ''
    const output = projects[at] === unchanged ? 'value' : `value === null ? null : projects[${at}](value, visibility)`
    return `value = row[${key}]; if (value !== undefined${condition}) out[${key}] = ${output};`
  })
  const body = `return (row, visibility) => { const out = {}; let value; ${lines.join(' ')} return out }`
  return new Function('projects', body)(projects) as Projection
}

/** Writes a union by the first shape whose required fields and literals the value has; other types by the first that fits. */
function union(branches: TSchema[]): Projection {
  const shapes = branches
    .filter((branch) => !TypeGuard.IsNull(branch))
    .map((schema) => ({ fits: once(() => testOf(schema)), project: build(schema) }))
  if (shapes.every(({ project }) => project === unchanged)) return unchanged
  return (value, visibility) => {
    if (value === null) return null
    const branch = shapes.length === 1 ? shapes[0] : shapes.find(({ fits }) => fits(value))
    return branch ? branch.project(value, visibility) : value
  }
}

function testOf(schema: TSchema): (value: unknown) => boolean {
  if (TypeGuard.IsObject(schema)) {
    const required = schema.required ?? []
    // Shapes that differ by a literal, such as their `type`.
    const literals = Object.entries(schema.properties).filter(
      ([name, field]) => TypeGuard.IsLiteral(field) && required.includes(name),
    )
    return (value) =>
      typeof value === 'object' &&
      value !== null &&
      required.every((field) => field in value) &&
      literals.every(([name, field]) => (value as JsonObject)[name] === field.const)
  }
  if (schema[Kind] === 'Instant') return (value) => typeof value === 'number'
  const compiled = TypeCompiler.Compile(schema)
  return (value) => compiled.Check(value)
}
