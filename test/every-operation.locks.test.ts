import { expect, test } from 'bun:test'
import type { AnyOperation } from '#http/operation'
import { operations } from '#start/app'
import { ask, nameOf, stored, whoMay, wrongResponses } from './every-operation.shared'
import { type Everything, everything } from './everything'
import { PASSWORD } from './harness'
import { ofToday, part } from './proof'
import { configurationAndData, configurationOnly, dataOnly, neither } from './spec/locks'

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
    expect(await wrongResponses(list, 403, (op) => ask(as(op), op, every))).toEqual([])
    expect(stored(every)).toEqual(before)
  }
})

const unsafe = operations.filter(({ method }) => method !== 'GET')

const refusals = [
  ['isLocked', 'The trial is locked', [...configurationOnly, ...configurationAndData]],
  ['isDatabaseLocked', 'The database is locked', [...dataOnly, ...configurationAndData]],
] as const

/** One of everything, and a date for the anchor, under this lock. */
async function locked(column: string): Promise<Everything> {
  const every = await everything()
  const { db, owner, trial, bert, params } = every
  await owner.do('setAnchorDate', trial, bert, params.anchorId, { datetime: every.now() })
  db.$client.run(`UPDATE trials SET ${column} = 1`)
  return every
}

/** The owner in the web app, who has confirmed their identity. */
async function confirmed({ owner, signInStaff }: Everything) {
  const person = await signInStaff(owner)
  await person.do('confirmIdentity', { password: PASSWORD })
  return person
}

test('the list of locks has every operation that changes something once', () => {
  const judged = [...configurationOnly, ...dataOnly, ...configurationAndData, ...neither]
  expect(unsafe.map(nameOf).filter((name) => !judged.includes(name))).toEqual([])
  expect(judged.filter((name, at) => judged.indexOf(name) !== at)).toEqual([])
})

test.each(refusals)(
  `%s refuses exactly the operations of its list (${part})`,
  async (column, message, refused) => {
    let every = await locked(column)
    let isFresh = true
    const wrong: string[] = []
    for (const op of ofToday(unsafe)) {
      const expected = refused.includes(nameOf(op))
      // A refused call changes nothing; a successful one may delete what the next one needs.
      if (!isFresh) every = await locked(column)
      const participant = whoMay(op).includes('participant') ? await every.signIn() : undefined
      // What needs a confirmation is asked for with one, so that the lock is what refuses.
      const staff = op.fresh && expected ? await confirmed(every) : every.owner
      const { status, body } = await ask(participant ?? staff, op, every)
      isFresh = status !== 200
      const isRefused = status === 403 && body.message.startsWith(message)
      if (isRefused !== expected) wrong.push(`${nameOf(op)}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
    }
    expect(wrong).toEqual([])
  },
  180_000,
)
