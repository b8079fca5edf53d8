/** The document against the rules of OpenAPI 3.1 and JSON Schema, and against the operations it is made from. */
import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { operations } from '#app'
import { compileExpression } from '#design/dataTypes/expressions'
import { functions } from '#design/dataTypes/functions'
import { openapi } from '#http/docs/document'
import { jsonSchema } from '#http/docs/schema'
import { anywhere, operation } from '#http/operation'
import { testingOperations } from '#server/testing/operations'
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
} from '#wire/words'
import { fromSource, ran } from '../../program'

type Json = { [key: string]: Json } & Json[]

/** As a reader gets it. */
const read = (value: unknown): Json => JSON.parse(JSON.stringify(value))
const all = [...operations, ...testingOperations]
const document = read(openapi(all))

const sample = operation({
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

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const operationsOf = (from: Json) =>
  Object.entries(from.paths!).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )

/** Calls `visit` with every object of the document and the path that leads to it. */
function walk(value: unknown, visit: (object: Json, path: string) => void, path = '#'): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) visit(value as Json, path)
  for (const [key, inner] of Object.entries(value)) walk(inner, visit, `${path}/${key}`)
}

describe('the document', () => {
  test('says what it is', () => {
    expect(document.openapi as unknown).toBe('3.1.0')
    expect(document.info).toMatchObject({ title: 'Trialbox', license: { name: 'MIT' } })
    expect(document.servers).toMatchObject([{ url: '/' }])
    const names = document.tags!.map(({ name }) => name as unknown as string)
    expect(names).toEqual([...new Set(names)].sort())
    for (const { operation } of operationsOf(document)) expect(names).toContain(operation.tags![0] as unknown as string)
  })

  test('holds every operation once, under an id of its own', () => {
    const listed = operationsOf(document)
    expect(listed.map(({ path, method }) => `${method} ${path}`).sort()).toEqual(
      all.map((op) => `${op.method.toLowerCase()} ${op.path.replace(/:(\w+)/g, '{$1}')}`).sort(),
    )
    const ids = listed.map(({ operation }) => operation.operationId as unknown as string)
    expect(new Set(ids).size).toBe(ids.length)
    for (const each of ids) expect(each).toMatch(/^[a-z][A-Za-z0-9]+$/)
    for (const { method, operation } of listed) {
      expect(METHODS).toContain(method)
      expect((operation.summary as unknown as string).length).toBeGreaterThan(3)
      expect((operation.description as unknown as string).length).toBeGreaterThan(3)
    }
  })

  test('names every function of calculations where an expression is sent, and no other', () => {
    for (const operation of [
      document.paths!['/trials/{trialId}/data-types']!.post!,
      document.paths!['/data-types/{dataTypeId}']!.put!,
    ]) {
      const { expression } = operation.requestBody!.content!['application/json']!.schema!.properties!
      const [, named] = /Functions: ([a-z0-9, ]+)\./.exec(expression!.description as unknown as string)!
      expect(named!.split(', ').sort()).toEqual(['if', ...functions.keys()].sort())
      for (const name of named!.split(', ')) {
        const compiled = compileExpression(`${name}()`)
        if ('problem' in compiled) expect(compiled.problem).not.toContain('there is no function')
      }
      expect(expression!.description as unknown as string).toContain('/manual/calculations')
    }
  })

  test('leads nowhere that is not there', () => {
    let count = 0
    walk(document, (object) => {
      if (object.$ref === undefined) return
      count++
      const path = (object.$ref as unknown as string).split('/')
      expect(path.shift()).toBe('#')
      const found = path.reduce<Json | undefined>((inner, key) => inner?.[key], document)
      expect({ $ref: object.$ref, found: typeof found }).toEqual({ $ref: object.$ref, found: 'object' })
    })
    expect(count).toBeGreaterThan(operations.length)
  })

  test('declares every part of a path, and nothing twice', () => {
    for (const { path, operation } of operationsOf(document)) {
      const parameters = (operation.parameters ?? []) as unknown as Record<string, unknown>[]
      const inPath = parameters.filter((each) => each.in === 'path')
      expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      for (const each of inPath) expect(each).toMatchObject({ required: true, schema: { type: 'string' } })
      const named = parameters.map((each) => each.$ref ?? `${each.in} ${each.name}`)
      expect(new Set(named).size).toBe(named.length)
    }
  })

  test('lets a caller in by schemes that are declared, and by the right ones', () => {
    const schemes = Object.keys(document.components!.securitySchemes!)
    for (const { path, method, operation } of operationsOf(document)) {
      const ways = operation.security! as unknown as Record<string, unknown>[]
      expect(ways.length).toBeGreaterThan(0)
      for (const way of ways) for (const name of Object.keys(way)) expect(schemes).toContain(name)
      const op = all.find(
        (each) => each.method.toLowerCase() === method && each.path.replace(/:(\w+)/g, '{$1}') === path,
      )!
      const who = [op.who ?? 'staff'].flat()
      expect(ways.some((way) => 'apiKey' in way)).toBe(who.includes('staff'))
      expect(ways.some((way) => 'participantToken' in way)).toBe(who.includes('participant'))
      expect(ways.some((way) => !Object.keys(way).length)).toBe(who.includes('anyone'))
    }
  })

  test.each([
    ['put /trials/{trialId}', true],
    ['put /stages/{stageId}', true],
    ['post /trials/{trialId}/stages', true],
    ['put /sites/{siteId}', true],
    ['delete /groups/{groupId}', true],
    ['patch /trials/{trialId}/participants', true],
    ['get /trials/{trialId}', false],
    ['get /jobs/{jobId}', false],
    ['post /sessions', false],
    ['put /trials/{trialId}/participants/{participantId}/responses/{stageId}', false],
  ])('says of %s whether it may start a job for timelines: %p', (name, may) => {
    const [method, path] = name.split(' ') as [string, string]
    const { headers } = document.paths![path]![method]!.responses!['200'] as Json
    expect('X-Job' in headers!).toBe(may)
  })

  test('answers with a success and the refusals that apply', () => {
    for (const { path, operation } of operationsOf(document)) {
      const statuses = Object.keys(operation.responses!)
      expect(statuses).toContain('200')
      expect(statuses).toContain('422')
      expect(statuses).toContain('429')
      const isOpen = (operation.security as unknown as object[]).some((way) => !Object.keys(way).length)
      expect(statuses.includes('401')).toBe(!isOpen)
      if (path.includes('{')) expect(statuses).toContain('404')
      if (operation.requestBody) expect(statuses).toContain('413')
      for (const [status, response] of Object.entries(operation.responses!)) {
        const shown =
          status === '200' ? response : document.components!.responses![String(response.$ref).split('/').at(-1)!]!
        expect(shown.description as unknown).toBeString()
        expect(shown.headers!['X-Service-Version']).toBeDefined()
        expect(shown.content!['application/json']!.schema).toBeDefined()
      }
    }
  })
})

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
  test('are plain JSON Schema, wherever they stand', () => {
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
    ['text or null', orNull(text(1, 9)), { type: ['string', 'null'], minLength: 1, maxLength: 9 }],
    ['by key', keyed(flag()), { type: 'object', additionalProperties: { type: 'boolean' } }],
    ['a list', list(whole(0), 5), { type: 'array', items: { type: 'integer', minimum: 0 }, maxItems: 5 }],
    ['anything', Type.Unknown(), {}],
    ['one of two', Type.Union([Type.String(), Type.Number()]), { anyOf: [{ type: 'string' }, { type: 'number' }] }],
  ])('%s', (_name, schema, plain) => {
    expect(jsonSchema(schema, 'in')).toEqual(plain)
  })

  test('bodies take no other fields; answers may gain some, and leave personal ones out', () => {
    const model = shape({ name: text(1, 9), email: personal(text(0, 9)), note: maybe(text(0, 9)) })
    expect(jsonSchema(model, 'in')).toMatchObject({ required: ['name', 'email'], additionalProperties: false })
    const out = jsonSchema(model, 'out')
    expect(out).toMatchObject({ required: ['name'] })
    expect(out).not.toHaveProperty('additionalProperties')
    expect(out.properties).toMatchObject({ email: { description: expect.stringContaining('Personal') } })
  })
})

describe('an operation', () => {
  test('is told in sentences', () => {
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
      operationId: 'putTrialsByTrialIdSamplesBySampleId',
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

test('trialbox openapi prints what an ordinary server gives', async () => {
  const { code, out, err } = await ran(fromSource, 'openapi')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toEqual(read(openapi(operations)))
  expect(out).not.toContain('/test/clock')
})
