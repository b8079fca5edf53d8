/** The OpenAPI document follows the rules of OpenAPI 3.1 and JSON Schema, and matches the operations. */
import { describe, expect, test } from 'bun:test'
import { compileExpression } from '#design/dataTypes/expressions'
import { functions } from '#design/dataTypes/functions'
import { openapi } from '#http/docs/document'
import { operations } from '#start/app'
import { fromSource, runProgram } from '../../program'
import { all, document, type Json, read, resolved, walk } from './document.shared'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

const operationsOf = (from: Json) =>
  Object.entries(from.paths!).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  )

describe('the document', () => {
  test('names the service and the version of OpenAPI', () => {
    expect(document.openapi as unknown).toBe('3.1.0')
    expect(document.info).toMatchObject({ title: 'Trialbox', license: { name: 'MIT' } })
    expect(document.servers).toMatchObject([{ url: '/' }])
    const names = document.tags!.map(({ name }) => name as unknown as string)
    expect(names).toEqual([...new Set(names)].sort())
    for (const { operation } of operationsOf(document)) expect(names).toContain(operation.tags![0] as unknown as string)
  })

  test('has every operation once, with a unique id', () => {
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

  test('names exactly the functions of calculations in fields for expressions', () => {
    for (const operation of [
      document.paths!['/trials/{trialId}/data-types']!.post!,
      document.paths!['/data-types/{dataTypeId}']!.put!,
    ]) {
      const { expression } = resolved(operation.requestBody!.content!['application/json']!.schema!).properties!
      const [, named] = /Functions: ([a-z0-9, ]+)\./.exec(expression!.description as unknown as string)!
      expect(named!.split(', ').sort()).toEqual(['if', ...functions.keys()].sort())
      for (const name of named!.split(', ')) {
        const compiled = compileExpression(`${name}()`)
        if ('problem' in compiled) expect(compiled.problem.code).not.toBe('functionUnknown')
      }
      expect(expression!.description as unknown as string).toContain('/manual/calculations')
    }
  })

  test('has only references with a target', () => {
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

  test('declares every path parameter, and nothing twice', () => {
    for (const { path, operation } of operationsOf(document)) {
      const parameters = (operation.parameters ?? []) as unknown as Record<string, unknown>[]
      const inPath = parameters.filter((each) => each.in === 'path')
      expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      for (const each of inPath) expect(each).toMatchObject({ required: true, schema: { type: 'string' } })
      const named = parameters.map((each) => each.$ref ?? `${each.in} ${each.name}`)
      expect(new Set(named).size).toBe(named.length)
    }
  })

  test('names declared security schemes only, and the right ones for each caller', () => {
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

  test('of a csv it says both forms of the answer, of a job the _id, for programs that make clients', () => {
    const found: string[] = []
    for (const { path, operation } of operationsOf(document)) {
      const { content } = operation.responses!['200']!
      const usual = content?.['application/json']?.schema
      const forms = usual ? ((usual.anyOf as unknown as Json[] | undefined) ?? [usual]).map(resolved) : []
      const isCsv = forms.some(({ properties, required }) => properties?.csv && `${required}` === 'csv')
      if (operation.operationId && content && 'text/csv' in content) found.push(path)
      expect([path, content?.['text/csv']?.schema?.type]).toEqual([path, isCsv ? 'string' : undefined])
      for (const { properties } of forms)
        if (properties?.jobId)
          expect([path, `${resolved(properties.jobId).type}`]).toEqual([path, expect.stringMatching(/^string/)])
    }
    expect(found).toContain('/trials/{trialId}/responses')
    expect(found.length).toBeGreaterThan(5)
  })

  test('lists a success and the refusals that apply', () => {
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
        const media = path.includes('/fhir/') ? 'application/fhir+json' : 'application/json'
        expect(shown.content![media]!.schema).toBeDefined()
      }
    }
  })
})

test('trialbox openapi prints the same document as a server', async () => {
  const { code, out, err } = await runProgram(fromSource, 'openapi')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(JSON.parse(out)).toEqual(read(openapi(operations)))
  expect(out).not.toContain('/test/clock')
})
