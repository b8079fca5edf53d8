/** No operation stores text that a database cannot give back: half of a surrogate pair, or NUL. */
import { expect, test } from 'bun:test'
import { TypeGuard } from '@sinclair/typebox'
import type { AnyOperation } from '#http/operation'
import { operations } from '#start/app'
import { isOneLine, type TSchema } from '#wire/schema'
import { bodyOf, callersIn, nameOf, pathOf, stored } from './every-operation.shared'
import { type Everything, everything } from './everything'
import type { Answer } from './harness'

/** JSON of texts that cannot be stored, with a part of the sentence that says so. */
const bad = {
  '"\\ud800"': 'half of a surrogate pair',
  '"a \\uDC00\\uD83D b"': 'half of a surrogate pair',
  '"a\\u0000b"': 'NUL',
  '{"in": [{"deep": ["\\udfff"]}]}': 'in.0.deep.0: Is not well-formed',
  '{"key \\ud83d": 1}': 'The name of this field',
}

/** Sends requests to operations. Lists those whose answer is not 422 with a problem of this field. */
async function notRefused(
  every: Everything,
  list: readonly AnyOperation[],
  expected: (op: AnyOperation) => { where: string; field: string; text: string },
  request: (op: AnyOperation) => Promise<Answer>,
) {
  every.clock(60_000_000) // rate limits count by minute
  const wrong: string[] = []
  for (const op of list) {
    const { status, body } = await request(op)
    const { where, field, text } = expected(op)
    const inFhir = (body.issue ?? []).map(({ diagnostics }: { diagnostics: string }) => diagnostics)
    const problems: string[] = op.fhir
      ? inFhir.filter((diagnostics: string) => diagnostics.startsWith(`${field}: `))
      : (body.validations?.[where]?.[field] ?? [])
    if (status === 422 && problems.some((problem) => problem.includes(text))) continue
    wrong.push(`${nameOf(op)}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
  }
  return wrong
}

test('bodies: values and names of fields, at any depth', async () => {
  const every = await everything()
  const { as } = await callersIn(every)
  const before = stored(every)
  const taking = operations.filter((op) => op.body)
  for (const [json, text] of Object.entries(bad)) {
    const raw = (op: AnyOperation) => {
      const fields = JSON.stringify(bodyOf(op, every)).slice(1, -1)
      return as(op).call(op.method, pathOf(op, every), undefined, { raw: `{${fields}${fields && ','}"name":${json}}` })
    }
    expect(await notRefused(every, taking, () => ({ where: 'json', field: 'name', text }), raw)).toEqual([])
  }
  const key = (op: AnyOperation) => as(op).call(op.method, pathOf(op, every), undefined, { raw: '{"\\ud800":1}' })
  const named = { where: 'json', field: '\ufffd', text: 'The name of this field' }
  expect(await notRefused(every, taking, () => named, key)).toEqual([])
  expect(stored(every)).toEqual(before)
})

test.each([
  ['%ED%A0%80', 'Is not well-formed'],
  ['%C0%80', 'Is not well-formed'],
  ['%FF', 'Is not well-formed'],
  ['50%', 'Is not well-formed'],
  ['%zz', 'Is not well-formed'],
  ['a%00b', 'NUL'],
])('query strings and paths: %s', async (text, problem) => {
  const every = await everything()
  const { as } = await callersIn(every)
  const before = stored(every)
  const inQuery = (op: AnyOperation) => {
    const path = pathOf(op, every)
    return as(op).call(op.method, `${path}${path.includes('?') ? '&' : '?'}term=${text}`, bodyOf(op, every))
  }
  expect(
    await notRefused(every, operations, () => ({ where: 'query', field: 'term', text: problem }), inQuery),
  ).toEqual([])
  const names = (op: AnyOperation) => [...op.path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const wrong: string[] = []
  // Nothing has such an id: the path names nothing, whatever characters it has.
  for (const op of operations.filter((each) => names(each).length > 0)) {
    const change = { [names(op).at(-1)!]: `x${text}` }
    const { status, body } = await as(op).call(op.method, pathOf(op, every, change), bodyOf(op, every))
    const message: string = op.fhir ? body.issue[0].diagnostics : body.message
    if (status !== 404 || !message.startsWith('There is no such ')) wrong.push(`${nameOf(op)}: ${status} ${message}`)
  }
  expect(wrong).toEqual([])
  expect(stored(every)).toEqual(before)
})

test('a refusal names the place by its whole path', async () => {
  const { owner, url, ids } = await everything()
  const raw = `{"response":{"${ids.symptom}":{"value":"\\ud800"}}}`
  const { body } = await owner.call('PUT', url(), undefined, { raw })
  const problem = 'Is not well-formed Unicode: it holds half of a surrogate pair.'
  expect(body.details.fields).toEqual({ [`response.${ids.symptom}.value`]: problem })
  expect(body.validations.json.response).toEqual([`${ids.symptom}.value: ${problem}`])
})

test('well-formed text of any plane is stored and given back as it was sent', async () => {
  const { owner, trial } = await everything()
  for (const name of ['Ärzte 😀', '𝒳 and \u{10FFFF}', 'replaced \ufffd', '50 % of %ED']) {
    const raw = JSON.stringify({ name }).replace(
      /[^\x20-\x7e]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    const { body } = await owner.call('POST', `/trials/${trial}/groups`, undefined, { raw })
    expect(body.name).toBe(name)
  }
  expect((await owner.call('GET', `/trials/${trial}/participants?term=50%25+%F0%9F%98%80`)).status).toBe(200)
})

test('a refusal repeats no half of a surrogate pair', async () => {
  const { owner, trial } = await everything()
  const expression = `1 + ${'😀'.repeat(11)}`
  for (const raw of ['{"\\ud800x":"\\udfff"}', JSON.stringify({ name: 'c', format: 'calculation', expression })]) {
    const { status, body } = await owner.call('POST', `/trials/${trial}/data-types`, undefined, { raw })
    expect(status).toBe(422)
    expect(JSON.stringify(body)).not.toMatch(/\\ud[89a-f]/)
  }
})

/** The objects keyed by text in a model, inner ones included. */
function keyedIn(model: TSchema | undefined): TSchema[] {
  if (!model) return []
  if (TypeGuard.IsRecord(model)) return [model, ...keyedIn(Object.values<TSchema>(model.patternProperties)[0])]
  if (TypeGuard.IsUnion(model)) return model.anyOf.flatMap(keyedIn)
  if (TypeGuard.IsArray(model)) return keyedIn(model.items)
  return TypeGuard.IsObject(model) ? Object.values(model.properties).flatMap(keyedIn) : []
}

test('objects keyed by text: a value is checked whatever its key is', async () => {
  const records = (operations as readonly AnyOperation[]).flatMap((op) => keyedIn(op.body))
  expect(records.length).toBeGreaterThan(3)
  for (const { patternProperties } of records) {
    for (const key of ['', 'a', 'a\nb', '\u2028', '__proto__'])
      expect([key, new RegExp(Object.keys(patternProperties)[0]!).test(key)]).toEqual([key, true])
  }
  const { owner, url } = await everything()
  for (const key of ['a', 'a\nb', '\u2028']) {
    const { status, body } = await owner.call('PUT', url(), { response: { [key]: null } })
    expect([status, body.validations]).toEqual([
      422,
      { json: { response: [`${key}: Must be an object with a value, such as the number 6 under "value".`] } },
    ])
  }
})

/** The text fields of a schema, each with the name of the field that holds it. */
function textsIn(schema: TSchema, name = ''): { name: string; text: TSchema }[] {
  if (TypeGuard.IsString(schema)) return [{ name, text: schema }]
  if (TypeGuard.IsObject(schema))
    return Object.entries(schema.properties).flatMap(([field, inner]) => textsIn(inner, field))
  if (TypeGuard.IsArray(schema)) return textsIn(schema.items, name)
  return TypeGuard.IsUnion(schema) ? schema.anyOf.flatMap((branch) => textsIn(branch, name)) : []
}

test('where text is required, spaces alone are refused; they count in passwords and in search terms', async () => {
  const every = await everything()
  const { as } = await callersIn(every)
  const before = stored(every)
  const required = operations.flatMap((op) =>
    op.body ? textsIn(op.body).flatMap(({ name, text }) => (text.minLength ? [{ op, name, text }] : [])) : [],
  )
  const withSpaces = required.filter(({ text }) => text.pattern === undefined).map(({ name }) => name)
  expect([...new Set(withSpaces)].sort()).toEqual([
    'code',
    'currentPassword',
    'participantId',
    'password',
    'term',
    'trialCode',
  ])
  const fields = required.filter(
    ({ op, name, text }) =>
      (text.pattern === '\\S' || isOneLine(text.pattern)) &&
      TypeGuard.IsObject(op.body) &&
      Object.entries(op.body.properties).some((field) => field[0] === name && field[1] === text),
  )
  expect(fields.length).toBeGreaterThan(60)
  for (const { op, name, text } of fields) {
    const body = { ...bodyOf(op, every), [name]: ' \u00a0'.padEnd(text.minLength) }
    const blank = (each: AnyOperation) => as(each).call(each.method, pathOf(each, every), body)
    expect(await notRefused(every, [op], () => ({ where: 'json', field: name, text: 'blank' }), blank)).toEqual([])
  }
  expect(stored(every)).toEqual(before)
})

test('names, and ids that a study gives, are one line: a line break in one is refused', async () => {
  const every = await everything()
  const { as } = await callersIn(every)
  const before = stored(every)
  const oneLine = operations.flatMap((op) =>
    op.body && TypeGuard.IsObject(op.body)
      ? Object.entries(op.body.properties).flatMap(([name, field]) =>
          textsIn(field, name).some(({ name: of, text }) => of === name && isOneLine(text.pattern)) &&
          !TypeGuard.IsArray(field)
            ? [{ op, name }]
            : [],
        )
      : [],
  )
  expect([...new Set(oneLine.map(({ name }) => name))].sort()).toEqual(NAMES)
  expect(oneLine.length).toBeGreaterThan(30)
  const others = operations.flatMap((op) => {
    const properties: Record<string, TSchema> = op.body && TypeGuard.IsObject(op.body) ? op.body.properties : {}
    const field = properties.name
    return field && !textsIn(field).some(({ text }) => isOneLine(text.pattern)) ? [op.id] : []
  })
  expect(others.sort()).toEqual(FILE_NAMES)
  for (const { op, name } of oneLine) {
    for (const broken of ['Ward 1\nWard 2', 'Ward 1\r', 'Ward\u20281', 'Ward\u00851']) {
      const send = (each: AnyOperation) =>
        as(each).call(each.method, pathOf(each, every), { ...Object(bodyOf(each, every)), [name]: broken })
      const refused = () => ({ where: 'json', field: name, text: 'Must be one line' })
      expect(await notRefused(every, [op], refused, send)).toEqual([])
    }
  }
  expect(stored(every)).toEqual(before)
}, 180_000)

/** Their `name` is that of a file on a device. */
const FILE_NAMES = ['requestScreeningUpload', 'requestStageTokenUpload']

const NAMES = [
  'batchNumber',
  'brandName',
  'contactName',
  'doseLevel',
  'fullName',
  'id',
  'name',
  'participantId',
  'witness',
]
