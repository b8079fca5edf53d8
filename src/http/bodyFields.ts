/**
 * What a body may carry besides the fields that its operation sets. It is decided by comparing the models of all operations,
 * so that nothing that a caller sends is dropped in silence (docs/contract.md, "Requests").
 */
import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox'
import type { BodyFields } from '#wire/check'
import { isSafe } from './call'
import type { AnyOperation } from './operation'

/** The shapes that a body or an answer may have. */
const shapesOf = (schema: TSchema | undefined): TObject[] => {
  if (!schema) return []
  if (TypeGuard.IsUnion(schema)) return schema.anyOf.flatMap(shapesOf)
  return TypeGuard.IsObject(schema) ? [schema] : []
}

/** The entries of a batch: of a body whose only field is a list of objects. */
const entriesOf = ({ properties }: TObject): TObject[] => {
  const [field, ...others] = Object.values(properties)
  return field && !others.length && TypeGuard.IsArray(field) ? shapesOf(field.items) : []
}

/** The fields of the noun that an operation sets. A deletion takes a reason, and sets nothing. */
function fieldsSetBy({ method, body, sets = [] }: AnyOperation): string[] {
  if (method === 'DELETE') return []
  const shapes = shapesOf(body).flatMap((shape) => {
    const entries = entriesOf(shape)
    return entries.length ? entries : [shape]
  })
  return [...shapes.flatMap(({ properties }) => Object.keys(properties)), ...sets]
}

/** All schemas of fields within a schema: a field that several models share is one object. */
function addFields(schema: TSchema, fields: Set<TSchema>): void {
  if (TypeGuard.IsUnion(schema)) for (const branch of schema.anyOf) addFields(branch, fields)
  else if (TypeGuard.IsArray(schema)) addFields(schema.items, fields)
  else if (TypeGuard.IsRecord(schema)) addFields(Object.values(schema.patternProperties)[0] as TSchema, fields)
  else if (TypeGuard.IsObject(schema)) {
    for (const field of Object.values(schema.properties)) {
      fields.add(field)
      addFields(field, fields)
    }
  }
}

/** The path of the list that an operation's noun is in: `/trials/:trialId/participants` of one participant. */
const listPath = ({ path }: AnyOperation) => path.replace(/\/:\w+$/, '')

/** The schemas of each field of the answer. */
function answerFields({ returns }: AnyOperation): Map<string, TSchema[]> {
  const fields = new Map<string, TSchema[]>()
  for (const { properties } of shapesOf(returns)) {
    for (const [name, schema] of Object.entries(properties)) fields.set(name, [...(fields.get(name) ?? []), schema])
  }
  return fields
}

/** A change of the whole thing is the best place to set a field, its creation the worst. */
const RANK: readonly string[] = ['PUT', 'PATCH', 'POST']

const NO_FIELDS: BodyFields = { readOnly: new Set(), setElsewhere: new Map(), batches: new Set() }

function compareOperations(operations: readonly AnyOperation[]): (op: AnyOperation) => BodyFields {
  const read = new Set<TSchema>()
  for (const op of operations) if (isSafe(op)) addFields(op.returns, read)
  const setters = operations
    .filter((op) => !isSafe(op))
    .sort((a, b) => RANK.indexOf(a.method) - RANK.indexOf(b.method))
    .map((op) => ({ op, sets: fieldsSetBy(op), answerSchemas: answerFields(op) }))

  return (op) => {
    // The keys of a body that is a record, such as answers by data type, are not fields.
    if (op.body && !shapesOf(op.body).length) return NO_FIELDS
    const answerSchemas = answerFields(op)
    /** Two answers are about the same noun if they share a field that reads return. */
    const isSameNoun = (other: ReadonlyMap<string, TSchema[]>) =>
      [...answerSchemas].some(([name, schemas]) =>
        schemas.some((schema) => read.has(schema) && other.get(name)?.includes(schema)),
      )
    const own = new Set(shapesOf(op.body).flatMap(({ properties }) => Object.keys(properties)))
    const setElsewhere = new Map<string, string>()
    for (const { op: other, sets, answerSchemas: otherSchemas } of setters) {
      if (other === op || (listPath(other) !== listPath(op) && !isSameNoun(otherSchemas))) continue
      for (const field of sets) {
        if (!own.has(field) && !setElsewhere.has(field)) setElsewhere.set(field, `${other.method} ${other.path}`)
      }
    }
    const readOnly = [...answerSchemas].flatMap(([field, schemas]) =>
      !own.has(field) &&
      !op.sets?.includes(field) &&
      !setElsewhere.has(field) &&
      schemas.some((schema) => read.has(schema))
        ? [field]
        : [],
    )
    const batches = shapesOf(op.body).filter((shape) => entriesOf(shape).length)
    return {
      readOnly: new Set(readOnly),
      setElsewhere,
      batches: new Set(batches.flatMap(({ properties }) => Object.keys(properties))),
    }
  }
}

const comparisons = new WeakMap<readonly AnyOperation[], (op: AnyOperation) => BodyFields>()

/** What the body of an operation may carry. @param operations all operations of the server; they are compared once */
export function bodyFieldsOf(op: AnyOperation, operations: readonly AnyOperation[]): BodyFields {
  let fields = comparisons.get(operations)
  if (!fields) comparisons.set(operations, (fields = oncePerOperation(compareOperations(operations))))
  return fields(op)
}

function oncePerOperation(compute: (op: AnyOperation) => BodyFields): (op: AnyOperation) => BodyFields {
  const known = new WeakMap<AnyOperation, BodyFields>()
  return (op) => {
    const fields = known.get(op) ?? compute(op)
    known.set(op, fields)
    return fields
  }
}
