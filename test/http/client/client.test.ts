/** The client that `trialbox openapi --client ts` writes: types, calls, pages, jobs and repetition. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientSource } from '#http/client/generate'
import { operations } from '#start/app'
import { fromSource, runProgram, startServer, testServerLine } from '../../program'
import { proof } from '../../proof'
import { freshFolder, root } from '../../server/process/folder'

const folder = () => {
  const path = freshFolder()
  writeFileSync(join(path, 'trialbox.ts'), clientSource(operations))
  writeFileSync(join(path, 'study.ts'), readFileSync(join(import.meta.dir, 'study.txt'), 'utf8'))
  return path
}

/** Calls that must not compile: misspelt fields, missing parts, the wrong form of an answer. */
const WRONG = [
  "api.createGroup({ params: { trialId: 'a' }, body: { nam: 'A' } })",
  "api.createGroup({ params: { trialId: 'a' } })",
  "api.createGroup({ body: { name: 'A' } })",
  "api.createGroup({ params: { trialId: 1 }, body: { name: 'A' } })",
  "api.listParticipants({ params: { trialId: 'a' }, query: { sort: 'colour' } })",
  "(await api.listParticipants({ params: { trialId: 'a' }, query: { format: 'csv' } })).participants",
  "(await api.listParticipants({ params: { trialId: 'a' } })).csv",
  "(await api.registerParticipants({ params: { trialId: 'a' }, body: { participantId: 'P' } })).participants",
  "(await api.readTrial({ params: { trialId: 'a' } })).nam",
  'api.makeCoffee()',
]
const HEAD = "import { client } from './trialbox'\nconst api = client({ url: '' })\n"

const STRICT =
  '--ignoreConfig --noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --target esnext --module esnext --moduleResolution bundler --lib esnext,dom,dom.iterable --types bun'

const checkTypes = (path: string, ...files: string[]) =>
  runProgram(
    { command: [join(root, 'node_modules/.bin/tsc')], cwd: root },
    ...STRICT.split(' '),
    ...files.map((file) => join(path, file)),
  )

test('the command prints it, and nothing else', async () => {
  const { code, out, err } = await runProgram(fromSource, 'openapi', '--client', 'ts')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toBe(`${clientSource(operations).trimEnd()}\n`)
  expect((await runProgram(fromSource, 'openapi', '--client', 'java')).err).toContain('--client must be ts, not "java"')
})

test('it depends on nothing, casts nothing, and has a method for each operation', () => {
  const source = clientSource(operations)
  expect(source).not.toMatch(/\bimport\b[^'"\n]*from|\brequire\(|\bas (any|never|unknown)\b|@ts-/)
  for (const { id } of operations) expect(source.match(new RegExp(`^ {2}${id}(\\(|: \\{)`, 'gm'))).toHaveLength(1)
})

proof(
  'a short program uses it strictly typed and without a cast, against a running server; wrong calls do not compile',
  async () => {
    const path = folder()
    const program = readFileSync(join(path, 'study.ts'), 'utf8')
    expect(program.trim().split('\n').length).toBeLessThanOrEqual(42)
    expect(program).not.toMatch(/\bas\b|\bany\b/)
    const lines = WRONG.map((line) => `// @ts-expect-error\nvoid ${line}\n`)
    writeFileSync(join(path, 'wrong.ts'), `${HEAD}${lines.join('')}export {}\n`)
    const [types, server] = await Promise.all([
      checkTypes(path, 'study.ts', 'wrong.ts'),
      startServer(fromSource, ['--test', '--port', '0'], testServerLine),
    ])
    expect(types).toMatchObject({ code: 0, out: '' })
    const { url, apiKey } = server.found
    const run = await runProgram({ command: [process.execPath], cwd: path }, join(path, 'study.ts'), url, apiKey)
    await server.stop()
    expect(run.err).toBe('')
    expect(JSON.parse(run.out)).toEqual({
      count: 101,
      lines: 102,
      batch: 100,
      one: 'Q-1',
      value: 6.5,
      refused: 400,
      record: 'string',
    })
  },
  180_000,
)

describe('a call', () => {
  type Made = { client(connection: object): Record<string, (options?: object) => Promise<Record<string, unknown>>> }
  let made: Made
  beforeAll(async () => {
    made = await import(join(folder(), 'trialbox.ts'))
  })
  const sent: { url: string; init: RequestInit }[] = []
  afterEach(() => void sent.splice(0))

  /** A client whose requests get these answers, one after the other; an error is a network fault. */
  const answering = (...answers: (Response | Error)[]) =>
    made.client({
      url: 'https://trials.example.org/',
      key: 'tbk_1',
      fetch: async (url: string, init: RequestInit) => {
        sent.push({ url, init })
        const next = answers.shift()
        if (next instanceof Error) throw next
        return next ?? Response.json({ _id: 'a' })
      },
    })
  const keys = () => sent.map(({ init }) => new Headers(init.headers).get('idempotency-key'))
  const create = { params: { trialId: 'a/b' }, body: { name: 'A' } }

  test('fills the path, encodes it, and sends the key', async () => {
    await answering().createGroup!(create)
    expect(sent[0]!.url).toBe('https://trials.example.org/trials/a%2Fb/groups')
    expect(new Headers(sent[0]!.init.headers).get('authorization')).toBe('Bearer tbk_1')
    await answering().listParticipants!({ params: { trialId: 'a' }, query: { page: 2, term: 'ä &', site: undefined } })
    expect(sent[1]!.url).toBe('https://trials.example.org/trials/a/participants?page=2&term=%C3%A4+%26')
  })

  test('that writes is repeated after a network fault, with the same key', async () => {
    await answering(new Error('reset'), new Error('reset')).createGroup!(create)
    expect(sent).toHaveLength(3)
    expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(keys()).size).toBe(1)
    await answering().createGroup!({ ...create, idempotencyKey: 'mine' })
    expect(keys().at(-1)).toBe('mine')
    await answering().listGroups!({ params: { trialId: 'a' } })
    expect(keys().at(-1)).toBeNull()
  })

  test('is repeated if the response is cut on its way', async () => {
    const cut = new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue('{"_id"')
          controller.error(new Error('reset'))
        },
      }),
    )
    expect(await answering(cut).createGroup!(create)).toEqual({ _id: 'a' })
    expect(new Set(keys()).size).toBe(1)
    expect(sent).toHaveLength(2)
  })

  test('whose response holds a secret is not repeated: the service would perform it twice', async () => {
    const failed = answering(new Error('reset')).createApiKey!({ body: { name: 'A' } })
    expect(await failed.catch((error: Error) => error.message)).toBe('reset')
    expect(sent).toHaveLength(1)
    expect(keys()).toEqual([null])
  })

  test('waits as long as a 429 says, and then fails', async () => {
    const limited = () => Response.json({ message: 'Too many.' }, { status: 429, headers: { 'Retry-After': '0' } })
    await answering(limited()).listGroups!({ params: { trialId: 'a' } })
    expect(sent).toHaveLength(2)
    const failed = answering(...Array.from({ length: 9 }, limited)).listGroups!({ params: { trialId: 'a' } })
    expect(await failed.catch((error: { status: number }) => error.status)).toBe(429)
    expect(sent).toHaveLength(6)
  })

  test('rejects with what the service says', async () => {
    const body = { message: 'Not valid.', validations: { json: { name: ['Must be text.'] } } }
    const failed = answering(Response.json(body, { status: 422 })).createGroup!(create)
    const { message, ...rest } = body
    const refusal = await failed.catch((error: Error) => [error.message, { ...error }])
    expect(refusal).toEqual([message, expect.objectContaining({ ...rest, status: 422 })])
  })
})
