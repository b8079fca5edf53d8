/** Checks input against its model, and describes in plain sentences what is wrong. */
import { Kind, OptionalKind, type TObject, type TSchema, TypeGuard } from '@sinclair/typebox'
import { TypeCompiler, type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { isObject, type JsonObject } from '#kernel/json'
import { lazily } from '#kernel/lazily'
import type { FieldProblems } from '#kernel/problem'
import { parseInstant } from '#kernel/time'

/** The result of a check: the value, or the problems by top-level field. */
export type CheckResult = { value: unknown; problems?: undefined } | { problems: FieldProblems }

/** What a wrong value should have been, as a sentence. */
function sentence(error: ValueError): string {
  const schema = error.schema as TSchema & Record<string, unknown>
  if (error.type === ValueErrorType.ObjectRequiredProperty) return 'Missing data for required field.'
  if (error.type === ValueErrorType.ObjectAdditionalProperties) return 'Unknown field.'
  if (typeof schema.problem === 'string') return schema.problem
  switch (error.type) {
    case ValueErrorType.String:
      return 'Must be text.'
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1 ? 'Must not be empty.' : `Must be at least ${schema.minLength} characters.`
    case ValueErrorType.StringMaxLength:
      return `Must be at most ${schema.maxLength} characters.`
    case ValueErrorType.StringPattern:
      return schema.pattern === '\\S' ? 'Must not be blank.' : 'Is not valid.'
    case ValueErrorType.Boolean:
      return 'Must be true or false.'
    case ValueErrorType.Number:
      return 'Must be a number.'
    case ValueErrorType.Integer:
      return 'Must be a whole number.'
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `Must be at least ${schema.minimum}.`
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `Must be at most ${schema.maximum}.`
    case ValueErrorType.Array:
      return 'Must be a list.'
    case ValueErrorType.ArrayMinItems:
      return `Must have at least ${schema.minItems} entries.`
    case ValueErrorType.ArrayMaxItems:
      return `Must have at most ${schema.maxItems} entries.`
    case ValueErrorType.Object:
      return 'Must be an object.'
    case ValueErrorType.Union:
      return unionSentence(error, schema)
    default:
      return 'Is not valid.'
  }
}

/** For "a value or null": what is wrong with the value itself. */
function unionSentence(error: ValueError, schema: TSchema): string {
  const branches = (schema.anyOf as TSchema[]).filter((branch) => branch[Kind] !== 'Null')
  if (branches.length === 1) {
    for (const inner of error.errors[schema.anyOf.indexOf(branches[0]!)] ?? []) {
      const within = inner.path.slice(error.path.length)
      return within ? `${within.slice(1).replaceAll('/', '.')}: ${sentence(inner)}` : sentence(inner)
    }
  }
  return 'Is not of an allowed form.'
}

/** A segment of a JSON pointer, without its escapes. */
const pointerText = (segment: string) => segment.replaceAll('~1', '/').replaceAll('~0', '~')

/** Problems by top-level field; a problem further inside begins with its inner path (docs/contract.md, "Errors"). */
function problemsOf(errors: Iterable<ValueError>, root: string): FieldProblems {
  const problems: FieldProblems = Object.create(null) // a field may be called `constructor`
  const reported = new Set<string>()
  let count = 0
  for (const error of errors) {
    if (reported.has(error.path)) continue // one problem for each place: those that follow from it would only confuse
    reported.add(error.path)
    if (++count > 100) break
    const [, field, ...inner] = error.path.split('/').map(pointerText)
    const problem = inner.length ? `${inner.join('.')}: ${sentence(error)}` : sentence(error)
    ;(problems[field ?? root] ??= []).push(problem)
  }
  return problems
}

type Decode = (value: unknown) => unknown

/** Returns a function that turns moments of the wire into `Instant`s, in place; undefined if the schema has no moments. */
function decoder(schema: TSchema): Decode | undefined {
  if (schema[Kind] === 'Instant') return (value) => parseInstant(value as string)
  if (TypeGuard.IsArray(schema)) {
    const item = decoder(schema.items)
    return item && ((items) => (items as unknown[]).map(item))
  }
  if (TypeGuard.IsUnion(schema)) {
    const branches = schema.anyOf.filter((branch) => branch[Kind] !== 'Null')
    if (!branches.some((branch) => decoder(branch))) return undefined
    const tests = branches.map((branch) => ({ fits: TypeCompiler.Compile(branch), decode: decoder(branch) }))
    return (value) => {
      const branch = tests.find((test) => test.fits.Check(value))
      return branch?.decode ? branch.decode(value) : value
    }
  }
  if (TypeGuard.IsRecord(schema)) {
    const each = decoder(Object.values(schema.patternProperties)[0] as TSchema)
    if (!each) return undefined
    return (value) => {
      const record = value as JsonObject
      for (const key in record) record[key] = each(record[key])
      return record
    }
  }
  if (TypeGuard.IsObject(schema)) {
    const fields = Object.entries(schema.properties).flatMap(([name, field]) => {
      const decode = decoder(field)
      return decode ? [[name, decode] as const] : []
    })
    if (!fields.length) return undefined
    return (value) => {
      const object = value as JsonObject
      for (const [name, decode] of fields) if (object[name] != null) object[name] = decode(object[name])
      return object
    }
  }
  return undefined
}

/** The shapes that a body may have, so that problems are reported for the shape whose required fields it has. */
const branchesOf = (schema: TSchema) =>
  TypeGuard.IsUnion(schema) && schema.anyOf.every((branch) => TypeGuard.IsObject(branch))
    ? schema.anyOf.map((branch) => ({ required: branch.required ?? [], compiled: TypeCompiler.Compile(branch) }))
    : []

type Check = (value: unknown) => CheckResult

const checkers = new WeakMap<TSchema, Map<string, Check>>()

/**
 * Returns the function that checks a JSON value. It is compiled at its first call, and once per process.
 * @param ignored read-only fields of an object, which are deleted before the check (docs/contract.md, "Requests")
 */
export function checker(schema: TSchema, ignored: Iterable<string> = []): Check {
  const names = [...ignored]
  const key = names.join()
  const known = checkers.get(schema) ?? new Map<string, Check>()
  checkers.set(schema, known)
  const check = known.get(key) ?? lazily(() => compile(schema, names))
  known.set(key, check)
  return check
}

function compile(schema: TSchema, readOnly: readonly string[]): Check {
  const compiled = TypeCompiler.Compile(schema)
  const decode = decoder(schema)
  const branches = branchesOf(schema)
  return (value) => {
    if (isObject(value)) for (const field of readOnly) if (field in value) delete value[field]
    if (!compiled.Check(value)) {
      const branch = branches.find(({ required }) => required.every((field) => Object.hasOwn(Object(value), field)))
      return { problems: problemsOf((branch ?? branches[0] ?? { compiled }).compiled.Errors(value), '_schema') }
    }
    return { value: decode ? decode(value) : value }
  }
}

/** Converts the text of a query parameter to the type that its schema asks for; returns the text itself if it does not fit. */
function coerce(schema: TSchema, raw: string): unknown {
  if (TypeGuard.IsInteger(schema) || TypeGuard.IsNumber(schema)) return /^-?\d+(\.\d+)?$/.test(raw) ? Number(raw) : raw
  if (TypeGuard.IsBoolean(schema))
    return raw === 'true' || raw === '1' ? true : raw === 'false' || raw === '0' ? false : raw
  if (TypeGuard.IsUnion(schema) && schema.anyOf.some((branch) => TypeGuard.IsNull(branch))) {
    return raw === '' || raw === 'null' ? null : coerce(schema.anyOf.find((branch) => !TypeGuard.IsNull(branch))!, raw)
  }
  return raw
}

/** Returns a function that checks a query string; it refuses parameters that the schema does not name. */
export function queryChecker(schema: TObject): (query: URLSearchParams) => CheckResult {
  const check = checker(schema)
  return (query) => {
    const value: Record<string, unknown> = Object.create(null)
    for (const [name, raw] of query) {
      const field = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
      if (field && raw === '' && field[OptionalKind]) continue // `?term=` means the same as no `term`
      value[name] = field ? coerce(field, raw) : raw
    }
    return check(value)
  }
}
