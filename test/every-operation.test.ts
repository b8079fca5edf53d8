/** Requirements of every operation, in a loop over their list: so they hold for a new operation too. */
import { expect, test } from 'bun:test'
import { participantKeys } from '#access/keys'
import { operations } from '#app'
import { type AnyOperation, callersOf } from '#http/operation'
import { type Everything, everything } from './everything'
import { type Person, world } from './harness'
import { later } from './spec/later'
import { configurationAndData, configurationOnly, dataOnly, neither } from './spec/locks'

const nameOf = (op: AnyOperation) => `${op.method} ${op.path}`
const whoMay = (op: AnyOperation): readonly string[] => callersOf(op)
const isOpen = (op: AnyOperation) => whoMay(op).includes('anyone')

const specified = (await Bun.file(`${import.meta.dir}/spec/operations.tsv`).text())
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'))
  .map(([, method, path, caller, needs]) => ({
    name: `${method} ${path!.replace(/\{(\w+)\}/g, ':$1')}`,
    caller,
    needs,
  }))

/** The path of an operation in this world; `change` replaces some of its parameters. */
const pathOf = (op: AnyOperation, every: Everything, change: Record<string, string> = {}) =>
  op.path.replace(/:(\w+)/g, (_, param: string) => {
    // A parameter may have several meanings: a token is that of a set-up link, or of a stage.
    const value = change[param] ?? every.params[`${op.path.split('/')[1]}/${param}`] ?? every.params[param]
    if (value === undefined) throw new Error(`test/everything.ts has no ${param}`)
    return value
  }) + (every.queries[nameOf(op)] ?? '')

const bodyOf = (op: AnyOperation, every: Everything) => (op.body ? (every.bodies[nameOf(op)] ?? {}) : undefined)

const ask = (person: Person, op: AnyOperation, every: Everything, change?: Record<string, string>) =>
  person.call(op.method, pathOf(op, every, change), bodyOf(op, every))

/** Calls each of these operations, and lists those with a wrong response. */
async function unlike(
  list: readonly AnyOperation[],
  expected: number,
  asking: (op: AnyOperation) => Promise<{ status: number; body: unknown }>,
) {
  const wrong: string[] = []
  for (const op of list) {
    const { status, body } = await asking(op)
    if (status !== expected) wrong.push(`${nameOf(op)}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
  }
  return wrong
}

/** All stored data, except the audit trail and the times at which callers were last seen. */
function stored({ db }: Everything) {
  const tables = db.$client
    .query<{ name: string }, []>(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all()
    .filter(({ name }) => !/^(auditEntries|auditHeads|users|apiKeys|sessions|participantTokens|stamps)$/.test(name))
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      (db.$client.query(`SELECT * FROM "${name}"`).all() as Record<string, unknown>[]).map(
        ({ lastSeenAt: _, ...row }) => row,
      ),
    ]),
  )
}

test('each operation exists once', () => {
  const names = operations.map(nameOf)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('every specified operation is here, or on the list of those that later parts bring', () => {
  const names = new Set(operations.map(nameOf))
  const missing = specified.map(({ name }) => name).filter((name) => !names.has(name))
  expect(missing.sort()).toEqual([...later].sort())
})

test('who may call an operation is what the contract says', () => {
  const wrong = operations.flatMap((op) => {
    const row = specified.find(({ name }) => name === nameOf(op))
    if (!row) return []
    const expected = row.caller === 'public' ? 'anyone' : row.caller!.split(',').sort().join()
    const actual = whoMay(op).toSorted().join()
    return actual === expected ? [] : [`${nameOf(op)}: ${actual}, not ${expected}`]
  })
  expect(wrong).toEqual([])
})

test('an operation that needs a permission says which, and the contract agrees', () => {
  const wrong = operations.flatMap((op) => {
    const words = specified
      .find(({ name }) => name === nameOf(op))
      ?.needs?.match(/\b(trial|site|trials)\.\w+/g)
      ?.map((word) => word.split('.')[1]!)
    if (!words) return []
    const needs = [op.needs ?? []]
      .flat()
      .map((need: string | { anywhere: string }) => (typeof need === 'string' ? need : need.anywhere))
    return needs.some((need: string) => words.includes(need.split('.')[1]!))
      ? []
      : [`${nameOf(op)}: ${needs}, not ${words}`]
  })
  expect(wrong).toEqual([])
})

test('every operation that changes something leaves an entry in the audit trail', () => {
  expect(operations.filter((op) => op.method !== 'GET' && !op.logs).map(nameOf)).toEqual([])
})

test('limits are those of the contract', () => {
  const wrong = operations.flatMap((op) => {
    const limit = /(\d+) per minute/.exec(specified.find(({ name }) => name === nameOf(op))?.needs ?? '')?.[1]
    return limit === undefined || op.limit === Number(limit) ? [] : [`${nameOf(op)}: ${op.limit}, not ${limit}`]
  })
  expect(wrong).toEqual([])
})

test('401 without a key, with a wrong one, and with the other kind of caller’s', async () => {
  const every = await everything()
  const before = stored(every)
  const closed = operations.filter((op) => !isOpen(op))
  const wrongKey = every.person({ Authorization: `Bearer tbk_${'x'.repeat(43)}` })
  const wrongToken = every.person({ Authorization: `Bearer ${'x'.repeat(43)}` })
  const basic = every.person({ Authorization: 'Basic eDp5' })
  const cookie = every.person({ Cookie: 'trialbox_session=nothing' })
  for (const person of [every.nobody, wrongKey, wrongToken, basic, cookie]) {
    expect(await unlike(closed, 401, (op) => ask(person, op, every))).toEqual([])
  }
  expect(stored(every)).toEqual(before)
  const staffOnly = closed.filter((op) => !whoMay(op).includes('participant'))
  const participant = await every.signIn()
  expect(await unlike(staffOnly, 401, (op) => ask(participant, op, every))).toEqual([])
  const participantOnly = closed.filter((op) => whoMay(op).join() === 'participant')
  expect(await unlike(participantOnly, 401, (op) => ask(every.owner, op, every))).toEqual([])
})

test('422 for a body that is no JSON, has an unknown field, or is no object', async () => {
  const every = await everything()
  const participant = await every.signIn()
  const session = await every.signInStaff(every.owner)
  const before = stored(every)
  const taking = operations.filter((op) => op.body)
  const as = (op: AnyOperation) =>
    whoMay(op).includes('participant') ? participant : whoMay(op).includes('session') ? session : every.owner
  const raw = (content: string) => (op: AnyOperation) =>
    as(op).call(op.method, pathOf(op, every), undefined, { raw: content })
  expect(await unlike(taking, 422, raw('{"name": '))).toEqual([])
  expect(await unlike(taking, 422, raw('[]'))).toEqual([])
  expect(await unlike(taking, 422, raw('"text"'))).toEqual([])
  // A participant's answers are keyed by data type: keys that are no field of the stage are ignored.
  const named = taking.filter((op) => op.path !== '/participants/trials/:trialId/stages/:stageId/responses')
  for (const name of ['thereIsNoSuchField', 'constructor', 'hasOwnProperty', '__proto__']) {
    const odd = (op: AnyOperation) => {
      const fields = JSON.stringify(bodyOf(op, every)).slice(1, -1)
      return raw(`{${fields}${fields && ','}"${name}":1}`)(op)
    }
    every.clock(60_000_000) // rate limits count by minute
    expect(await unlike(named, 422, odd)).toEqual([])
  }
  expect(stored(every)).toEqual(before)
})

test.each(['nonsense', 'constructor', '__proto__'])('422 for a query parameter that there is not: %s', async (name) => {
  const every = await everything()
  const participant = await every.signIn()
  const list = operations.filter((op) => !whoMay(op).includes('session'))
  const wrong = await unlike(list, 422, (op) => {
    const path = pathOf(op, every)
    const as = whoMay(op).join() === 'participant' ? participant : every.owner
    return as.call(op.method, `${path}${path.includes('?') ? '&' : '?'}${name}=1`, bodyOf(op, every))
  })
  expect(wrong).toEqual([])
})

test('404 for what does not exist, whatever parameter names it', async () => {
  const every = await everything()
  const before = stored(every)
  const wrong: string[] = []
  for (const op of operations) {
    if (isOpen(op) || whoMay(op).some((who) => who === 'participant' || who === 'session')) continue
    for (const [, param] of op.path.matchAll(/:(\w+)/g)) {
      for (const nothing of ['f'.repeat(24), 'nonsense', '0']) {
        const { status, body } = await ask(every.owner, op, every, { [param!]: nothing })
        if (status !== 404)
          wrong.push(`${nameOf(op)} ${param}=${nothing}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
      }
    }
  }
  expect(wrong).toEqual([])
  expect(stored(every)).toEqual(before)
})

test('404 for everything of another team', async () => {
  const every = await everything()
  const before = stored(every)
  const { owner: other } = every.neighbours()
  const { teams: _t, teamMembers: _m, ...kept } = before
  const scoped = operations.filter(
    (op) => whoMay(op).includes('staff') && op.path.includes(':') && !op.path.includes(':jobId'),
  )
  expect(await unlike(scoped, 404, (op) => ask(other, op, every))).toEqual([])
  const { teams: _n, teamMembers: _o, ...after } = stored(every)
  expect(after).toEqual(kept)
})

test('403 for those who see it but may not, and the trial’s log says so', async () => {
  const every = await everything()
  const { owner, trial, staff } = every
  const outsider = staff(trial, ['trial.manageWallet'])
  const before = stored(every)
  const guarded = operations.filter(
    (op) =>
      op.needs !== 'nothing' &&
      whoMay(op).includes('staff') &&
      !op.path.startsWith('/teams/') &&
      !op.path.includes('/users/:userId/roles'),
  )
  expect(await unlike(guarded, 403, (op) => ask(outsider, op, every))).toEqual([])
  expect(stored(every)).toEqual(before)
  const { entries, total } = await owner.get(`/trials/${trial}/logs?type=accessRefused`)
  expect(total).toBe(guarded.length)
  expect(entries[0]).toMatchObject({ type: 'accessRefused', userEmail: outsider.email })
})

test('a person of another site sees neither the participant nor anything of theirs', async () => {
  const every = await everything()
  const { owner, trial, staff } = every
  const elsewhere = await owner.post(`/trials/${trial}/sites`, { name: 'South', id: 'S1' })
  const nurse = staff(trial, ['site.admin', ...participantKeys.map((key) => `site.${key}`)], elsewhere._id)
  const about = operations.filter((op) => whoMay(op).includes('staff') && /:(participantId|responseId)/.test(op.path))
  expect(await unlike(about, 404, (op) => ask(nurse, op, every))).toEqual([])
})

test('a locked trial refuses every change of its configuration, a locked database every change of its data', async () => {
  const every = await everything()
  const participant = await every.signIn()
  const as = (op: AnyOperation) => (whoMay(op).includes('participant') ? participant : every.owner)
  for (const [changes, column] of [
    ['configuration', 'isLocked'],
    ['data', 'isDatabaseLocked'],
  ] as const) {
    every.db.$client.run(`UPDATE trials SET isLocked = 0, isDatabaseLocked = 0`)
    every.db.$client.run(`UPDATE trials SET ${column} = 1`)
    const before = stored(every)
    const list = operations.filter((op) => op.changes === changes)
    expect(list.length).toBeGreaterThan(5)
    expect(await unlike(list, 403, (op) => ask(as(op), op, every))).toEqual([])
    expect(stored(every)).toEqual(before)
  }
})

const unsafe = operations.filter(({ method }) => method !== 'GET')
const refusals = [
  ['isLocked', 'The trial is locked', [...configurationOnly, ...configurationAndData]],
  ['isDatabaseLocked', 'The database is locked', [...dataOnly, ...configurationAndData]],
] as const

/** Everything, with a date for the anchor too, under this lock. */
async function locked(column: string): Promise<Everything> {
  const every = await everything()
  const { db, owner, trial, bert, params } = every
  await owner.put(`/trials/${trial}/participants/${bert}/anchors/${params.anchorId}`, { datetime: every.now() })
  db.$client.run(`UPDATE trials SET ${column} = 1`)
  return every
}

test('which lock refuses an operation is judged once for each that changes something', () => {
  const judged = [...configurationOnly, ...dataOnly, ...configurationAndData, ...neither]
  expect(unsafe.map(nameOf).filter((name) => !judged.includes(name))).toEqual([])
  expect(judged.filter((name, at) => judged.indexOf(name) !== at)).toEqual([])
})

test.each(refusals)(
  '%s refuses exactly the operations that it is said to refuse',
  async (column, message, refused) => {
    let every = await locked(column)
    let isFresh = true
    const wrong: string[] = []
    for (const op of unsafe) {
      const expected = refused.includes(nameOf(op))
      // A refused call changes nothing; a successful one may delete what the next one needs.
      if (!isFresh) every = await locked(column)
      const participant = whoMay(op).includes('participant') ? await every.signIn() : undefined
      const { status, body } = await ask(participant ?? every.owner, op, every)
      isFresh = status !== 200
      const isRefused = status === 403 && body.message.startsWith(message)
      if (isRefused !== expected) wrong.push(`${nameOf(op)}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
    }
    expect(wrong).toEqual([])
  },
  60_000,
)

test('one request too many in a minute is 429, and the next minute forgives it', async () => {
  const limited = operations.filter((op) => op.limit !== undefined && !isOpen(op) && !whoMay(op).includes('session'))
  expect(limited.length).toBeGreaterThan(2)
  for (const op of limited) {
    const every = await everything()
    every.clock('2026-03-02T12:05:00Z')
    for (let count = 0; count < op.limit!; count++) {
      // Counted before validation, so that a guess counts too.
      expect(
        (await every.owner.call(op.method, `${pathOf(op, every)}&x`.replace(/^([^?]*)&/, '$1?'), bodyOf(op, every)))
          .status,
      ).not.toBe(429)
    }
    const refused = await ask(every.owner, op, every)
    expect(refused.status).toBe(429)
    expect(refused.body['Allowed limit']).toBe(`${op.limit} per 1 minute`)
    expect(refused.headers.get('retry-after')).toBe('60')
    every.clock(60_000_000)
    expect((await ask(every.owner, op, every)).status).not.toBe(429)
  }
})

test('--rate-limit limits every operation without a limit of its own, per account', async () => {
  const { owner, trial, invite } = world({ rateLimit: 3 })
  const id = trial()
  for (let count = 0; count < 3; count++) expect((await owner.call('GET', `/trials/${id}`)).status).toBe(200)
  expect((await owner.call('GET', '/users/me')).status).toBe(429)
  expect((await invite().call('GET', '/users/me')).status).toBe(200)
})

test('what no operation matches is 404, in the same form', async () => {
  const { owner } = await everything()
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['PATCH', '/health'],
    ['POST', '/trials'],
    ['OPTIONS', '/users/me'],
    ['GET', '/trials//groups'],
  ] as const) {
    const { status, body } = await owner.call(method, path)
    expect([path, status]).toEqual([path, 404])
    expect(body.message).toBeString()
  }
})

test('a request that is too large is refused before it is read', async () => {
  const { owner, trial } = await everything()
  const { status } = await owner.call('POST', `/trials/${trial}/groups`, { name: 'x'.repeat(2 << 20) })
  expect(status).toBe(413)
})
