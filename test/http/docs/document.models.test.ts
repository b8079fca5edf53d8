/** Names, models and examples of the OpenAPI document: what a generator of clients needs. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { TypeGuard } from '@sinclair/typebox'
import { openapi } from '#http/docs/document'
import { examples } from '#http/docs/examples'
import { operation } from '#http/operation'
import { checker } from '#wire/check'
import {
  type AnswerForms,
  id,
  list,
  maybe,
  orNull,
  personal,
  shape,
  type TObject,
  type TSchema,
  text,
  withDescription,
} from '#wire/schema'
import { all, document, type Json, read, walk } from './document.shared'

const schemas = document.components!.schemas!

test('it is a valid document of OpenAPI 3.1', async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
  expect(result).toMatchObject({ valid: true })
})

describe('the id of an operation', () => {
  test('is a verb and its noun, short and unique', () => {
    const ids = all.map((op) => op.id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const each of ids) expect(each).toMatch(/^[a-z]{3,}([A-Z][a-z]+)+$/)
    expect(ids.filter((each) => each.length > 26)).toEqual([])
  })

  test('never changes: programs call it', () => {
    const frozen = readFileSync('test/spec/operationIds.txt', 'utf8').trim().split('\n')
    expect(all.map((op) => `${op.id} ${op.method} ${op.path}`).sort()).toEqual(frozen)
  })
})

describe('models', () => {
  test('every noun is written once, and referred to', () => {
    const seen = new Map<string, string>()
    const twice: string[] = []
    walk({ paths: document.paths, schemas }, (object, path) => {
      if (object.properties === undefined || Object.keys(object.properties).length < 2) return
      const text = JSON.stringify([object.properties, object.required, object.additionalProperties])
      if (seen.has(text)) twice.push(`${seen.get(text)} and ${path}`)
      seen.set(text, path)
    })
    expect(twice).toEqual([])
  })

  test('every object in a list is named', () => {
    const unnamed: string[] = []
    walk({ paths: document.paths, schemas }, ({ properties }, path) => {
      if (properties && path.endsWith('/items')) unnamed.push(path)
    })
    expect(unnamed).toEqual([])
  })

  test('every body and response is named, or has a field of its own', () => {
    const unnamed: string[] = []
    walk(document.paths, (object, path) => {
      if (!path.endsWith('/application~1json') && !path.endsWith('/application/json')) return
      const schema = object.schema!
      for (const each of (schema.anyOf ?? [schema]) as unknown as Json[])
        if (each.$ref === undefined && Object.keys(each.properties ?? {}).length > 1) unnamed.push(path)
    })
    expect(unnamed).toEqual([])
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'Trial',
        'DataType',
        'Stage',
        'Participant',
        'Response',
        'Query',
        'Site',
        'Group',
        'Role',
      ]),
    )
  })

  const Thing = shape('Thing', { _id: id(), note: maybe(personal(text(0, 9))) })
  const sample = (returns: TSchema, body: TSchema = shape('ThingInput', { note: text(0, 9) })) =>
    operation({
      id: 'changeThing',
      method: 'PUT',
      path: '/things',
      summary: 'Change a thing',
      needs: 'nothing',
      body,
      returns,
      run: () => ({}),
    })

  test('a reference keeps the description of its use, null, and lists', () => {
    const inner = shape('Things', {
      first: withDescription('The first one.', Thing),
      last: orNull(Thing),
      all: list(Thing),
      own: maybe(personal(Thing)),
    })
    const { Things } = (read(openapi([sample(inner)])) as Json).components!.schemas!
    const ref = { $ref: '#/components/schemas/Thing' }
    expect(Things!.properties as unknown).toEqual({
      first: { ...ref, description: 'The first one.' },
      last: { anyOf: [ref, { type: 'null' }] },
      all: { type: 'array', items: ref, maxItems: 10_000 },
      own: { ...ref, description: expect.stringContaining('Personal information') },
    })
  })

  test('a model of bodies and responses has two names, since a body may have no other fields', () => {
    const { components } = read(openapi([sample(Thing, shape('Wrapped', { note: text(0, 9), thing: Thing }))])) as Json
    expect(components!.schemas!.Thing).not.toHaveProperty('additionalProperties')
    expect(components!.schemas!.ThingInput).toMatchObject({ additionalProperties: false })
  })

  test('two models of one name are a defect', () => {
    expect(() => openapi([sample(Thing)])).not.toThrow()
    const clash = shape('Outer', { a: Thing, b: shape('Thing', { other: id() }) })
    expect(() => openapi([sample(clash)])).toThrow('Two models are called Thing.')
  })
})

describe('what a caller can send', () => {
  test('no field is listed that is always refused', () => {
    const refused: string[] = []
    walk(document, (object, path) => {
      // A submission may carry what the service wrote into the answer as it was read.
      for (const [name, field] of Object.entries(
        (object.additionalProperties as unknown) === false ? (object.properties ?? {}) : {},
      ))
        if (!Object.keys(field).length && name !== 'value' && !path.endsWith('/SentEntry'))
          refused.push(`${path}.${name}`)
    })
    expect(refused).toEqual([])
    const { properties } = schemas.TrialCreation!
    expect(Object.keys(properties!).sort()).toEqual([
      'copyFrom',
      'description',
      'files',
      'name',
      'prompt',
      'restrictRegistration',
    ])
  })

  test('no list is optional because of another form of the answer', () => {
    const optional: string[] = []
    for (const [name, schema] of Object.entries(schemas)) {
      if (!schema.properties?.csv) continue
      expect({ name, fields: Object.keys(schema.properties) }).toEqual({ name, fields: ['csv'] })
      expect(schema.required as unknown).toEqual(['csv'])
    }
    for (const op of all) {
      const forms: AnswerForms = op.returns.byQuery?.others ?? {}
      if (!forms.csv) continue
      const { usual } = op.returns.byQuery
      for (const [field, schema] of Object.entries((usual as TObject).properties))
        if (TypeGuard.IsArray(schema) && !usual.required.includes(field)) optional.push(`${op.id} ${field}`)
    }
    expect(optional).toEqual([])
  })

  test('every body has an example that its operation accepts', () => {
    const bodies = all.filter((op) => op.body)
    expect(Object.keys(examples).sort()).toEqual(bodies.map((op) => op.id).sort())
    for (const op of bodies) {
      const { problems } = checker(op.body!)(structuredClone(examples[op.id]))
      expect({ id: op.id, problems }).toEqual({ id: op.id, problems: undefined })
      const path = op.path.replace(/:(\w+)/g, '{$1}')
      const { requestBody } = document.paths![path]![op.method.toLowerCase()]!
      expect(requestBody!.content!['application/json']!.example as unknown).toEqual(examples[op.id])
    }
  })
})
