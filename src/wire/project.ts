/** What goes out: only the fields the model names, moments as text, personal information only for those who may see it. */
import { Kind, type TObject, type TSchema, TypeGuard } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { lazily } from '#kernel/lazily'
import { instantText } from '#kernel/time'

/** Whether the caller may see the personal information in a row. */
export type Sight = { personal: (row: Record<string, unknown>) => boolean }

type Project = (value: never, sight: Sight) => unknown

const asIs: Project = (value) => value

type Written = (value: unknown, sight: Sight) => unknown

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
      : (((items: unknown[], sight: Sight) => items.map((each) => item(each as never, sight))) as Project)
  }
  if (TypeGuard.IsUnion(schema)) return union(schema.anyOf)
  if (TypeGuard.IsRecord(schema)) {
    const value = build(Object.values(schema.patternProperties)[0] as TSchema)
    if (value === asIs) return asIs
    return ((record: Record<string, unknown>, sight: Sight) => {
      const out: Record<string, unknown> = {}
      for (const key in record) out[key] = value(record[key] as never, sight)
      return out
    }) as Project
  }
  if (TypeGuard.IsObject(schema)) return object(schema)
  return asIs
}

/**
 * An object is written field by field by a function made for its shape, as TypeBox makes one to check it: a submission's
 * answer alone has 150 fields, and a loop over their descriptions took twice as long.
 */
function object(schema: TObject): Project {
  const names = Object.keys(schema.properties)
  const projects = names.map((name) => build(schema.properties[name]!))
  const lines = names.map((name, at) => {
    const key = JSON.stringify(name)
    const seen = schema.properties[name]!.personal ? ' && sight.personal(row)' : ''
    const written = projects[at] === asIs ? 'value' : `value === null ? null : projects[${at}](value, sight)`
    return `value = row[${key}]; if (value !== undefined${seen}) out[${key}] = ${written};`
  })
  const body = `return (row, sight) => { const out = {}; let value; ${lines.join(' ')} return out }`
  return new Function('projects', body)(projects) as Project
}

/** A union of shapes is written by the first whose required fields and words are all there; else by the first that fits. */
function union(branches: TSchema[]): Project {
  const real = branches
    .filter((branch) => !TypeGuard.IsNull(branch))
    .map((schema) => ({ fits: lazily(() => fitting(schema)), project: build(schema) }))
  if (real.every(({ project }) => project === asIs)) return asIs
  return ((value: unknown, sight: Sight) => {
    if (value === null) return null
    const branch = real.length === 1 ? real[0] : real.find(({ fits }) => fits(value))
    return branch ? branch.project(value as never, sight) : value
  }) as Project
}

function fitting(schema: TSchema): (value: unknown) => boolean {
  if (TypeGuard.IsObject(schema)) {
    const required = schema.required ?? []
    // Shapes that differ by a word, such as their `type`.
    const words = Object.entries(schema.properties).filter(
      ([name, field]) => TypeGuard.IsLiteral(field) && required.includes(name),
    )
    return (value) =>
      typeof value === 'object' &&
      value !== null &&
      required.every((field) => field in value) &&
      words.every(([name, { const: word }]) => (value as Record<string, unknown>)[name] === word)
  }
  if (schema[Kind] === 'Instant') return (value) => typeof value === 'number'
  const compiled = TypeCompiler.Compile(schema)
  return (value) => compiled.Check(value)
}
