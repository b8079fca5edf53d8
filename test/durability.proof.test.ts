/** Every write that got a response is stored, although the process is killed repeatedly while it writes. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { checks } from '#cli/checks'
import { ask, banner, firstKey, fromSource, runProgram, startServer } from './program'
import { freshFolder } from './server/process/folder'

const ROUNDS = 3 // `npm run kills` does more
const WRITERS = 8

type Api = { url: string; key: string; team: string }

/** A kind of write that the test repeats. */
type Writer = {
  /** Creates what the writes need, once; returns what `write` receives. */
  prepare(api: Api): Promise<Record<string, string>>
  /** Does the n-th write, and returns the value by which `read` finds it. @throws if the server does not respond */
  write(api: Api, prepared: Record<string, string>, n: number): Promise<string>
  /** All writes that are stored. */
  read(api: Api, prepared: Record<string, string>): Promise<Set<string>>
}

async function done(api: Api, method: string, path: string, body?: unknown) {
  const answer = await ask(api.url + path, { method, key: api.key, body })
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

const makeTrial = async (api: Api): Promise<string> =>
  (await done(api, 'POST', `/teams/${api.team}/trials`, { name: 'Trial' }))._id

const groups: Writer = {
  prepare: async (api) => ({ trial: await makeTrial(api) }),
  write: async (api, { trial }, n) => {
    const { _id } = await done(api, 'POST', `/trials/${trial}/groups`, { name: `Group ${n}` })
    return `${_id} Group ${n}`
  },
  read: async (api, { trial }) => {
    const { groups } = await done(api, 'GET', `/trials/${trial}/groups`)
    return new Set(groups.map(({ _id, name }: { _id: string; name: string }) => `${_id} ${name}`))
  },
}

const submissions: Writer = {
  async prepare(api) {
    const trial = await makeTrial(api)
    const pulse = { name: 'Pulse', code: 'pulse', format: 'integer' }
    const { _id: type } = await done(api, 'POST', `/trials/${trial}/data-types`, pulse)
    const stage = { name: 'Diary', adHoc: true, components: [{ id: 'pulse', title: 'Pulse', dataType: type }] }
    const { _id: stageId } = await done(api, 'POST', `/trials/${trial}/stages`, stage)
    const { _id: participant } = await done(api, 'POST', `/trials/${trial}/participants`, { participantId: 'P-1' })
    return { trial, type, stage: stageId, participant }
  },
  async write(api, { trial, type, stage, participant }, n) {
    const path = `/trials/${trial}/participants/${participant}/responses/${stage}`
    const { _id } = await done(api, 'PUT', path, { response: { [type!]: { value: n } } })
    return `${_id} ${n}`
  },
  async read(api, { trial, type, participant }) {
    const { responses } = await done(api, 'GET', `/trials/${trial}/participants/${participant}/responses`)
    type Entered = { _id: string; response: Record<string, { value: number }> }
    return new Set(responses.map(({ _id, response }: Entered) => `${_id} ${response[type!]!.value}`))
  },
}

const start = (data: string) => startServer(fromSource, ['--tls', 'off', '--port', '0', '--data', data], banner)

test.each([
  ['groups', groups],
  ['submissions', submissions],
] as const)(
  '%s that got a response are stored after every kill',
  async (_what, writer) => {
    const data = join(freshFolder(), 'data')
    let server = await start(data)
    const { url, setup } = server.found
    let api: Api = { url, ...(await firstKey(url, setup!)) }
    const prepared = await writer.prepare(api)
    const written = new Set<string>()
    let n = 0

    for (let round = 0; round < ROUNDS; round++) {
      const target = written.size + 20 + Math.floor(Math.random() * 60)
      const { promise: enough, resolve } = Promise.withResolvers<void>()
      const writers = Array.from({ length: WRITERS }, async () => {
        for (;;) {
          const mine = await writer.write(api, prepared, n++).catch((error) => {
            if (/^(POST|PUT|GET) /.test(error.message)) throw error // a response, but not the expected one
          })
          if (mine === undefined) return
          written.add(mine)
          if (written.size >= target) resolve()
        }
      })
      await Promise.race([enough, Promise.all(writers)])
      await server.stop('SIGKILL')
      await Promise.all(writers)
      expect(written.size).toBeGreaterThanOrEqual(target)

      expect(await runProgram(fromSource, 'verify', '--data', data)).toMatchObject({ code: 0, err: '' })
      server = await start(data)
      api = { ...api, url: server.found.url }
      const found = await writer.read(api, prepared)
      expect([...written].filter((each) => !found.has(each))).toEqual([])
    }

    expect((await server.stop()).code).toBe(0)
    const sqlite = new Database(join(data, 'trialbox.db'), { readonly: true })
    for (const { run } of checks) run(sqlite) // throws if anything is inconsistent
    const { entries } = sqlite.query('SELECT count(*) AS entries FROM auditEntries').get() as { entries: number }
    expect(entries).toBeGreaterThan(written.size)
    sqlite.close()
  },
  180_000,
)
