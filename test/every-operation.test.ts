/** Requirements of every operation, in a loop over their list, so that they hold for new operations too. */
import { expect, test } from 'bun:test'
import { participantKeys } from '#access/keys'
import type { AnyOperation } from '#http/operation'
import { operations } from '#start/app'
import {
  ask,
  bodyOf,
  callersIn,
  isOpen,
  nameOf,
  pathOf,
  stored,
  whoMay,
  wrongResponses,
} from './every-operation.shared'
import { everything } from './everything'

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

test('each operation exists once', () => {
  const names = operations.map(nameOf)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('every specified operation exists', () => {
  const names = new Set(operations.map(nameOf))
  const missing = specified.map(({ name }) => name).filter((name) => !names.has(name))
  expect(missing).toEqual([])
})

test('the callers of each operation are those of the contract', () => {
  const wrong = operations.flatMap((op) => {
    const row = specified.find(({ name }) => name === nameOf(op))
    if (!row) return []
    const expected = row.caller === 'public' ? 'anyone' : row.caller!.split(',').sort().join()
    const actual = whoMay(op).toSorted().join()
    return actual === expected ? [] : [`${nameOf(op)}: ${actual}, not ${expected}`]
  })
  expect(wrong).toEqual([])
})

test('an operation that needs a permission names the one of the contract', () => {
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

test('every operation that changes something adds an audit entry', () => {
  expect(operations.filter((op) => op.method !== 'GET' && !op.logs).map(nameOf)).toEqual([])
})

test('limits are those of the contract', () => {
  const wrong = operations.flatMap((op) => {
    const limit = /(\d+) per minute/.exec(specified.find(({ name }) => name === nameOf(op))?.needs ?? '')?.[1]
    return limit === undefined || op.limit === Number(limit) ? [] : [`${nameOf(op)}: ${op.limit}, not ${limit}`]
  })
  expect(wrong).toEqual([])
})

test('401 without a key, with a wrong one, and with that of another kind of caller', async () => {
  const every = await everything()
  const before = stored(every)
  const closed = operations.filter((op) => !isOpen(op))
  const wrongKey = every.person({ Authorization: `Bearer tbk_${'x'.repeat(43)}` })
  const wrongToken = every.person({ Authorization: `Bearer ${'x'.repeat(43)}` })
  const basic = every.person({ Authorization: 'Basic eDp5' })
  const cookie = every.person({ Cookie: 'trialbox_session=nothing' })
  for (const person of [every.nobody, wrongKey, wrongToken, basic, cookie]) {
    expect(await wrongResponses(closed, 401, (op) => ask(person, op, every))).toEqual([])
  }
  expect(stored(every)).toEqual(before)
  const staffOnly = closed.filter((op) => !whoMay(op).includes('participant'))
  const participant = await every.signIn()
  expect(await wrongResponses(staffOnly, 401, (op) => ask(participant, op, every))).toEqual([])
  const participantOnly = closed.filter((op) => whoMay(op).join() === 'participant')
  expect(await wrongResponses(participantOnly, 401, (op) => ask(every.owner, op, every))).toEqual([])
})

test('422 for a body that is not JSON, has an unknown field, or is not an object', async () => {
  const every = await everything()
  const { as } = await callersIn(every)
  const before = stored(every)
  const taking = operations.filter((op) => op.body)
  const raw = (content: string) => (op: AnyOperation) =>
    as(op).call(op.method, pathOf(op, every), undefined, { raw: content })
  expect(await wrongResponses(taking, 422, raw('{"name": '))).toEqual([])
  expect(await wrongResponses(taking, 422, raw('[]'))).toEqual([])
  expect(await wrongResponses(taking, 422, raw('"text"'))).toEqual([])
  // A participant's answers are keyed by data type, and keys that are not fields of the stage are ignored.
  const named = taking.filter((op) => op.path !== '/participants/trials/:trialId/stages/:stageId/responses')
  for (const name of ['thereIsNoSuchField', 'constructor', 'hasOwnProperty', '__proto__']) {
    const odd = (op: AnyOperation) => {
      const fields = JSON.stringify(bodyOf(op, every)).slice(1, -1)
      return raw(`{${fields}${fields && ','}"${name}":1}`)(op)
    }
    every.clock(60_000_000) // rate limits count by minute
    expect(await wrongResponses(named, 422, odd)).toEqual([])
  }
  expect(stored(every)).toEqual(before)
})

test.each(['nonsense', 'constructor', '__proto__'])('422 for an unknown query parameter: %s', async (name) => {
  const every = await everything()
  const participant = await every.signIn()
  const list = operations.filter((op) => !whoMay(op).includes('session'))
  const wrong = await wrongResponses(list, 422, (op) => {
    const path = pathOf(op, every)
    const as = whoMay(op).join() === 'participant' ? participant : every.owner
    return as.call(op.method, `${path}${path.includes('?') ? '&' : '?'}${name}=1`, bodyOf(op, every))
  })
  expect(wrong).toEqual([])
})

test('422 for a query parameter that is given twice: one of the two would be dropped', async () => {
  const every = await everything()
  const { as } = await callersIn(every)
  const before = stored(every)
  for (const op of operations) {
    for (const name of Object.keys(op.query?.properties ?? {})) {
      const path = pathOf(op, every).split('?')[0]!
      const { body } = await as(op).call(op.method, `${path}?${name}=1&${name}=1`, bodyOf(op, every))
      const problems = op.fhir
        ? body.issue.map(({ diagnostics }: { diagnostics: string }) => diagnostics.replace(`${name}: `, ''))
        : body.validations.query[name]
      expect([nameOf(op), problems]).toEqual([nameOf(op), ['Is given more than once.']])
    }
    every.clock(60_000_000) // rate limits count by minute
  }
  expect(stored(every)).toEqual(before)
})

test('404 for an unknown id in any parameter', async () => {
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
  expect(await wrongResponses(scoped, 404, (op) => ask(other, op, every))).toEqual([])
  const { teams: _n, teamMembers: _o, ...after } = stored(every)
  expect(after).toEqual(kept)
})

/** Whether managing the wallet is enough for the operation. */
const isOfWallet = (op: AnyOperation) => [op.needs].flat().includes('trial.manageWallet')

test('403 for people who see the object but lack the permission, with an entry in the trial’s log', async () => {
  const every = await everything()
  const { owner, trial, staff } = every
  const outsider = staff(trial, ['trial.manageWallet'])
  const other = staff(trial, ['trial.readLogs'])
  const before = stored(every)
  const guarded = operations.filter(
    (op) =>
      op.needs !== 'nothing' &&
      whoMay(op).includes('staff') &&
      !op.path.startsWith('/teams/') &&
      !op.path.includes('/users/:userId/roles'),
  )
  expect(await wrongResponses(guarded, 403, (op) => ask(isOfWallet(op) ? other : outsider, op, every))).toEqual([])
  expect(stored(every)).toEqual(before)
  const { entries, total } = await owner.do('readLogs', trial, { type: 'accessRefused' })
  expect(total).toBe(guarded.length)
  expect(entries[0]).toMatchObject({ type: 'accessRefused', userEmail: outsider.email })
})

test('a person of another site sees neither the participant nor their data', async () => {
  const every = await everything()
  const { owner, trial, staff } = every
  const elsewhere = await owner.do('createSite', trial, { name: 'South', id: 'S1' })
  const nurse = staff(trial, ['site.admin', ...participantKeys.map((key) => `site.${key}`)], elsewhere._id)
  const about = operations.filter((op) => whoMay(op).includes('staff') && /:(participantId|responseId)/.test(op.path))
  expect(await wrongResponses(about, 404, (op) => ask(nurse, op, every))).toEqual([])
})

test('a request that matches no operation is 404, in the same form', async () => {
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
