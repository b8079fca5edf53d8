import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { openapi } from '#http/docs/document'
import { jsonSchema } from '#http/docs/schema'
import { anywhere, operation } from '#http/operation'
import { operations } from '#start/app'
import {
  flag,
  id,
  instant,
  keyed,
  list,
  maybe,
  oneOf,
  orNull,
  personal,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'
import { document, type Json, read, walk } from './document.shared'

const sample = operation({
  id: 'updateSample',
  method: 'PUT',
  path: '/trials/:trialId/samples/:sampleId',
  summary: 'Change a sample',
  description: 'What is not sent stays.',
  needs: ['trial.writePacks', anywhere('trial.readSites')],
  needsByField: { name: 'trial.admin', at: 'nothing' },
  feature: 'ai',
  changes: 'data',
  fresh: true,
  limit: 10,
  logs: 'updateSample',
  body: shape({ name: maybe(text(2, 100)), at: maybe(orNull(instant())) }),
  query: shape({ limit: maybe(withDescription('How many.', whole(1, 500))), sort: oneOf('name', 'id') }),
  returns: shape({ _id: id(), email: personal(text(0, 200)) }),
  run: () => ({ _id: '', email: '' }),
})

const single = read(openapi([sample])) as Json

const change = single.paths!['/trials/{trialId}/samples/{sampleId}']!.put!

const ANNOTATIONS = ['title', 'description', 'default', 'examples']

const ANY = ['type', 'enum', 'const', 'anyOf', 'allOf', 'format', ...ANNOTATIONS]

const KEYWORDS: Record<string, string[]> = {
  string: ['minLength', 'maxLength', 'pattern'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  boolean: [],
  null: [],
}
KEYWORDS.integer = KEYWORDS.number!

/** A schema holds only keywords that JSON Schema knows and that mean something for its type. */
function checkSchema(schema: Json | boolean, path: string): void {
  if (typeof schema === 'boolean' || schema.$ref !== undefined) return
  const types = [schema.type ?? []].flat() as unknown as string[]
  for (const type of types) expect({ path, known: type in KEYWORDS }).toEqual({ path, known: true })
  const known = [...ANY, ...types.flatMap((type) => KEYWORDS[type]!)]
  expect({ path, unknown: Object.keys(schema).filter((key) => !known.includes(key)) }).toEqual({ path, unknown: [] })
  if (schema.pattern) new RegExp(schema.pattern as unknown as string, 'u')
  const properties = Object.keys(schema.properties ?? {})
  for (const name of (schema.required ?? []) as unknown as string[]) expect(properties).toContain(name)
  for (const [name, inner] of Object.entries(schema.properties ?? {})) checkSchema(inner, `${path}.${name}`)
  for (const list of [schema.anyOf, schema.allOf, schema.prefixItems])
    for (const inner of list ?? []) checkSchema(inner as Json, path)
  if (schema.items) checkSchema(schema.items, `${path}[]`)
  if (schema.additionalProperties) checkSchema(schema.additionalProperties, `${path}.*`)
}

describe('schemas', () => {
  test('are plain JSON Schema everywhere', () => {
    let count = 0
    walk(document, (object, path) => {
      if (object.schema === undefined) return
      count++
      checkSchema(object.schema, path)
    })
    expect(count).toBeGreaterThan(2 * operations.length)
    for (const [name, schema] of Object.entries(document.components!.schemas!)) checkSchema(schema, name)
  })

  test.each([
    ['a moment', instant(), { type: 'string', format: 'date-time', examples: ['2026-03-01T09:30:00.000000Z'] }],
    ['an id', id('Whose.'), { type: 'string', pattern: '^[0-9a-f]{24}$', description: 'Whose.' }],
    ['words', oneOf('open', 'closed'), { type: 'string', enum: ['open', 'closed'] }],
    ['words or null', orNull(oneOf('open')), { type: ['string', 'null'], enum: ['open', null] }],
    ['text or null', orNull(text(1, 9)), { type: ['string', 'null'], minLength: 1, maxLength: 9, pattern: '\\S' }],
    ['by key', keyed(flag()), { type: 'object', additionalProperties: { type: 'boolean' } }],
    ['a list', list(whole(0), 5), { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 5 }],
    ['anything', Type.Unknown(), {}],
    ['one of two', Type.Union([Type.String(), Type.Number()]), { anyOf: [{ type: 'string' }, { type: 'number' }] }],
  ])('%s', (_name, schema, plain) => {
    expect(jsonSchema(schema, 'in')).toEqual(plain)
  })

  test('bodies accept no other fields; responses may have more, and may omit personal ones', () => {
    const model = shape({ name: text(1, 9), email: personal(text(0, 9)), note: maybe(text(0, 9)) })
    expect(jsonSchema(model, 'in')).toMatchObject({ required: ['name', 'email'], additionalProperties: false })
    const out = jsonSchema(model, 'out')
    expect(out).toMatchObject({ required: ['name'] })
    expect(out).not.toHaveProperty('additionalProperties')
    expect(out.properties).toMatchObject({ email: { description: expect.stringContaining('Personal') } })
  })
})

describe('an operation', () => {
  test('is described in sentences', () => {
    expect((change.description as unknown as string).split('\n\n')).toEqual([
      'What is not sent stays.',
      'For staff, with an API key or in the web app.',
      'Needs `trial.writePacks` or `trial.readSites` (on a site or group is enough).',
      'Fields that need a permission of their own: name (`trial.admin`).',
      'Needs an identity confirmation of the last five minutes.',
      "Needs the team's feature `ai`.",
      'Refused while the database is locked.',
      'At most 10 a minute.',
      'Leaves an entry `updateSample` in the audit trail.',
    ])
  })

  test('has its parameters, body and refusals', () => {
    expect(change).toMatchObject({
      operationId: 'updateSample',
      tags: ['Samples'],
      security: [{ apiKey: [] }, { session: [], csrf: [] }],
      requestBody: { required: false },
    })
    expect(change.parameters as unknown).toEqual([
      { name: 'trialId', in: 'path', required: true, description: 'The _id of the trial.', schema: { type: 'string' } },
      {
        name: 'sampleId',
        in: 'path',
        required: true,
        description: 'The _id of the sample.',
        schema: { type: 'string' },
      },
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'How many.',
        schema: { type: 'integer', minimum: 1, maximum: 500 },
      },
      { name: 'sort', in: 'query', required: true, schema: { type: 'string', enum: ['name', 'id'] } },
      { $ref: '#/components/parameters/idempotencyKey' },
    ])
    expect(Object.keys(change.responses!).sort()).toEqual(['200', '400', '401', '403', '404', '413', '422', '429'])
  })
})
