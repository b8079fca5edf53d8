/** Checks input against its model. */
import { Kind, OptionalKind, type TObject, type TSchema, TypeGuard } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler, type ValueError, ValueErrorType } from '@sinclair/typebox/compiler'
import { isObject, type JsonObject } from '#kernel/json'
import { once } from '#kernel/once'
import { at, type Reason, reason } from '#kernel/refusals/reason'
import { parseInstant } from '#kernel/time'
import { leafErrors, problem as problemOf } from './errorTexts'

/** The problems of a value: by top-level field, and the first at each path, such as `participants.0.participantId`. */
export type Problems = { problems: Record<string, Reason[]>; paths: Record<string, Reason> }

/** The result of a check: the value, or its problems. */
export type CheckResult = { value: unknown; problems?: undefined } | Problems

/** What a body may carry besides the fields that its operation sets (docs/contract.md, "Requests"). */
export type BodyFields = {
  /** Fields that reads return and no operation sets, such as `_id`: they are ignored. */
  readOnly: ReadonlySet<string>
  /** Fields that another operation sets, each with its method and path. */
  setElsewhere: ReadonlyMap<string, string>
  /** Fields that are lists of things of the same noun, as in a registration of several participants. */
  batches: ReadonlySet<string>
}

/** A segment of a JSON pointer, without its escapes. */
const pointerText = (segment: string) => segment.replaceAll('~1', '/').replaceAll('~0', '~')

/**
 * The problems of a value; in `problems`, one further inside has its inner path in `at` (docs/contract.md, "Errors").
 * @param branch the shape that the value has, of a body that may have several
 */
function problemsOf(errors: Iterable<ValueError>, fields: BodyFields | undefined, branch?: Branch): Problems {
  // A field may be called `constructor`.
  const problems: Problems['problems'] = Object.create(null)
  const paths: Problems['paths'] = Object.create(null)
  let count = 0
  for (const error of leafErrors(errors)) {
    const path = error.path.split('/').slice(1).map(pointerText)
    const [field = '_schema', ...inner] = path
    const full = [field, ...inner].join('.')
    if (full in paths) continue // one problem for each place: those that follow from it would only confuse
    if (++count > 100) break
    const problem = elsewhereProblem(error, path, fields) ?? branchProblem(error, path, branch) ?? problemOf(error)
    paths[full] = problem
    ;(problems[field] ??= []).push(inner.length ? at(inner.join('.'), problem) : problem)
  }
  return { problems, paths }
}

/** For a field that only another operation sets. @param operation its method and path */
export const setElsewhere = (operation: string): Reason => reason('setElsewhere', { operation })

/** For a field that only another operation sets: which one. Undefined for any other problem. */
function elsewhereProblem({ type }: ValueError, path: readonly string[], fields: BodyFields | undefined) {
  if (type !== ValueErrorType.ObjectAdditionalProperties || !fields) return undefined
  const [first, , field, ...deeper] = path
  const name =
    path.length === 1 ? first! : field !== undefined && !deeper.length && fields.batches.has(first!) ? field : ''
  const other = fields.setElsewhere.get(name)
  return other === undefined ? undefined : setElsewhere(other)
}

/** For a field of another shape of the body: which field of this shape excludes it. Undefined for any other problem. */
function branchProblem({ type }: ValueError, path: readonly string[], branch: Branch | undefined) {
  if (type !== ValueErrorType.ObjectAdditionalProperties || path.length > 1 || !branch) return undefined
  return branch.known.has(path[0]!) ? reason('otherShape', { fields: branch.required }) : undefined
}

type Decoder = (value: unknown) => unknown

/** Returns a function that turns moments of the wire into `Instant`s, in place; undefined if the schema has no moments. */
function decoder(schema: TSchema): Decoder | undefined {
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

/** One of the shapes that a body may have. `known` are the fields of all of them. */
type Branch = { required: readonly string[]; known: ReadonlySet<string>; compiled: TypeCheck<TSchema> }

/** The shapes that a body may have, so that problems are reported for the shape whose required fields it has. */
function branchesOf(schema: TSchema): Branch[] {
  if (!TypeGuard.IsUnion(schema)) return []
  const shapes = schema.anyOf.filter((branch): branch is TObject => TypeGuard.IsObject(branch))
  if (shapes.length < schema.anyOf.length) return []
  const known = new Set(shapes.flatMap(({ properties }) => Object.keys(properties)))
  return shapes.map((shape) => ({ required: shape.required ?? [], known, compiled: TypeCompiler.Compile(shape) }))
}

type Check = (value: unknown) => CheckResult

const checkers = new WeakMap<TSchema, Map<BodyFields | undefined, Check>>()

/**
 * Returns the function that checks a JSON value. It is compiled at its first call, and once per process.
 * @param fields what a body may carry besides; the read-only fields are deleted before the check
 */
export function checker(schema: TSchema, fields?: BodyFields): Check {
  const known = checkers.get(schema) ?? new Map<BodyFields | undefined, Check>()
  checkers.set(schema, known)
  const check = known.get(fields) ?? once(() => compile(schema, fields))
  known.set(fields, check)
  return check
}

function compile(schema: TSchema, fields?: BodyFields): Check {
  const compiled = TypeCompiler.Compile(schema)
  const decode = decoder(schema)
  const branches = branchesOf(schema)
  const wrongKeys = Object.entries((schema.wrongKeys ?? {}) as Record<string, Reason>)
  return (value) => {
    if (isObject(value)) {
      for (const field of fields?.readOnly ?? []) if (field in value) delete value[field]
      for (const [key, problem] of wrongKeys) {
        if (Object.hasOwn(value, key)) return { problems: { [key]: [problem] }, paths: { [key]: problem } }
      }
    }
    if (!compiled.Check(value)) {
      const fitting = branches.find(({ required }) => required.every((field) => Object.hasOwn(Object(value), field)))
      const branch = fitting ?? branches[0]
      return problemsOf((branch?.compiled ?? compiled).Errors(value), fields, branch)
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

/** Returns a function that checks a query string; it refuses parameters that the schema does not name, or that are given twice. */
export function queryChecker(schema: TObject): (query: URLSearchParams) => CheckResult {
  const check = checker(schema)
  return (query) => {
    const value: Record<string, unknown> = Object.create(null)
    const repeated = [...query.keys()].find((name, at, names) => names.indexOf(name) !== at)
    if (repeated !== undefined) {
      const problem = reason('twiceInQuery')
      return { problems: { [repeated]: [problem] }, paths: { [repeated]: problem } }
    }
    for (const [name, raw] of query) {
      const field = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
      if (field && raw === '' && field[OptionalKind]) continue // `?term=` means the same as no `term`
      value[name] = field ? coerce(field, raw) : raw
    }
    return check(value)
  }
}
