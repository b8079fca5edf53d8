import { Kind, OptionalKind, type TSchema, TypeGuard } from '@sinclair/typebox'
import { RICH_NODE } from '#wire/schema'

/** A JSON Schema, as OpenAPI 3.1 uses it. */
export type Schema = Record<string, unknown>

const PERSONAL = 'Personal information: omitted for callers who may not see it.'

/** Keywords that TypeBox and JSON Schema share. The marks of this project (`personal`, `problem`) are not among them. */
const KEYWORDS = [
  'type',
  'const',
  'title',
  'description',
  'default',
  'examples',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const

/** An example for each custom kind of text that JSON Schema has no keyword for. */
const EXAMPLES: Record<string, string> = {
  Instant: '2026-03-01T09:30:00.000000Z',
  Day: '2026-03-01',
  TimeOfDay: '09:30:00',
  Zone: 'Europe/Berlin',
  Language: 'de',
}

/** A node holds nodes, which no other model does. */
const richNodeSchema: Schema = {
  anyOf: [
    { type: 'string' },
    {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of an element of HTML, such as `p`.' },
        attributes: { type: 'object', additionalProperties: { type: 'string' } },
        children: { type: 'array', items: { $ref: '#/components/schemas/RichNode' } },
      },
      required: ['name', 'attributes', 'children'],
    },
  ],
}

/** `out`: fields that not every caller may see are not required, and a later version may add fields. */
export type Direction = 'in' | 'out'

/** Returns a reference to a named model. */
export type Refer = (named: TSchema, direction: Direction) => Schema

/**
 * Converts a model to plain JSON Schema.
 * @param refer stands for the named models in it; without it they are written out
 */
export function jsonSchema(schema: TSchema, direction: Direction, refer?: Refer): Schema {
  const of = (inner: TSchema) =>
    refer && inner.name !== undefined ? reference(inner, refer(inner, direction)) : jsonSchema(inner, direction, refer)
  if (schema[Kind] === RICH_NODE) return richNodeSchema
  const plain: Schema = {}
  for (const keyword of KEYWORDS) if (schema[keyword] !== undefined) plain[keyword] = schema[keyword]
  const example = EXAMPLES[schema[Kind]]
  if (example) plain.examples = [example]
  const description = descriptionOf(schema)
  if (description !== undefined) plain.description = description
  if (TypeGuard.IsUnion(schema)) return union(schema.anyOf, plain, of)
  if (TypeGuard.IsIntersect(schema)) return { ...plain, allOf: schema.allOf.map(of) }
  if (TypeGuard.IsArray(schema)) return { ...plain, items: of(schema.items) }
  if (TypeGuard.IsTuple(schema)) {
    const items = schema.items ?? []
    return { type: 'array', prefixItems: items.map(of), minItems: items.length, maxItems: items.length }
  }
  if (TypeGuard.IsRecord(schema)) {
    return { ...plain, type: 'object', additionalProperties: of(Object.values(schema.patternProperties)[0] as TSchema) }
  }
  if (TypeGuard.IsObject(schema)) {
    const fields = Object.entries(schema.properties)
    const isRequired = ([, field]: [string, TSchema]) =>
      !(OptionalKind in field) && !(direction === 'out' && field.personal)
    const required = fields.filter(isRequired).map(([name]) => name)
    return {
      ...plain,
      properties: Object.fromEntries(fields.map(([name, field]) => [name, of(field)])),
      ...(required.length ? { required } : {}),
      ...(direction === 'in' && schema.additionalProperties === false ? { additionalProperties: false } : {}),
    }
  }
  return plain
}

function descriptionOf({ description, personal }: TSchema): string | undefined {
  if (!personal) return description
  return description === undefined ? PERSONAL : `${description} ${PERSONAL}`
}

/** A reference, with what is said of this use of the model. */
function reference(schema: TSchema, to: Schema): Schema {
  const description = descriptionOf(schema)
  return description === undefined ? to : { ...to, description }
}

/** Literals become an `enum`, "a value or null" a list of two types, anything else `anyOf`. */
function union(branches: readonly TSchema[], plain: Schema, of: (schema: TSchema) => Schema): Schema {
  if (branches.every((branch) => TypeGuard.IsLiteral(branch))) {
    const values = branches.map((branch) => branch.const)
    const types = [...new Set(values.map((value) => typeof value))]
    return { ...plain, ...(types.length === 1 ? { type: types[0] } : {}), enum: values }
  }
  const [only, ...others] = branches.filter((branch) => !TypeGuard.IsNull(branch))
  if (branches.length === 2 && only && !others.length) {
    const { const: word, ...inner } = of(only)
    const words = word === undefined ? inner.enum : [word]
    if (typeof inner.type === 'string') {
      const values = Array.isArray(words) ? { enum: [...words, null] } : {}
      return { ...inner, ...plain, ...values, type: [inner.type, 'null'] }
    }
  }
  return { ...plain, anyOf: branches.map(of) }
}
