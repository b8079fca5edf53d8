/** Writes responses: only the fields that the model names, moments as text, personal information only for those who may see it. */
import { Kind, type TObject, type TSchema, TypeGuard } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { lazily } from '#kernel/lazily'
import { instantText } from '#kernel/time'

/** Decides whether the caller may see the personal information in a row. */
export type FieldVisibility = { personal: (row: Record<string, unknown>) => boolean }

type Project = (value: never, sight: FieldVisibility) => unknown

const asIs: Project = (value) => value

type Written = (value: unknown, sight: FieldVisibility) => unknown

const projectors = new WeakMap<TSchema, Written>()

/** The function that writes values of this schema. Built when it is first called, and once a process. */
export function projector(schema: TSchema): Written {
  const known = projectors.get(schema) ?? lazily(() => build(schema) as Written)
  projectors.set(schema, known)
  return known
}

function build(schema: TSchema): Project {
  if (schema[Kind] === 'Instant')
    return ((value: number | string) => (typeof value === 'number' ? instantText(value) : value)) as Project
  if (TypeGuard.IsArray(schema)) {
    const item = build(schema.items)
    return item === asIs
      ? asIs
      : (((items: unknown[], sight: FieldVisibility) => items.map((each) => item(each as never, sight))) as Project)
  }
  if (TypeGuard.IsUnion(schema)) return union(schema.anyOf)
  if (TypeGuard.IsRecord(schema)) {
    const value = build(Object.values(schema.patternProperties)[0] as TSchema)
    if (value === asIs) return asIs
    return ((record: Record<string, unknown>, sight: FieldVisibility) => {
      const out: Record<string, unknown> = {}
      for (const key in record) out[key] = value(record[key] as never, sight)
      return out
    }) as Project
  }
  if (TypeGuard.IsObject(schema)) return object(schema)
  return asIs
}

/**
 * Generates the code that writes an object field by field, as TypeBox generates code to check one. A submission's response
 * has 150 fields, and a loop over their schemas took twice as long (measured).
 */
function object(schema: TObject): Project {
  const names = Object.keys(schema.properties)
  const projects = names.map((name) => build(schema.properties[name]!))
  const lines = names.map((name, at) => {
    const key = JSON.stringify(name)
    const condition = schema.properties[name]!.personal ? ' && sight.personal(row)' : ''
    const output = projects[at] === asIs ? 'value' : `value === null ? null : projects[${at}](value, sight)`
    return `value = row[${key}]; if (value !== undefined${condition}) out[${key}] = ${output};`
  })
  const body = `return (row, sight) => { const out = {}; let value; ${lines.join(' ')} return out }`
  return new Function('projects', body)(projects) as Project
}

/** Writes a union by its first shape whose required fields and literals are all present; of other types, by the first that fits. */
function union(branches: TSchema[]): Project {
  const real = branches
    .filter((branch) => !TypeGuard.IsNull(branch))
    .map((schema) => ({ fits: lazily(() => testOf(schema)), project: build(schema) }))
  if (real.every(({ project }) => project === asIs)) return asIs
  return ((value: unknown, sight: FieldVisibility) => {
    if (value === null) return null
    const branch = real.length === 1 ? real[0] : real.find(({ fits }) => fits(value))
    return branch ? branch.project(value as never, sight) : value
  }) as Project
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
      literals.every(([name, field]) => (value as Record<string, unknown>)[name] === field.const)
  }
  if (schema[Kind] === 'Instant') return (value) => typeof value === 'number'
  const compiled = TypeCompiler.Compile(schema)
  return (value) => compiled.Check(value)
}
