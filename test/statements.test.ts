/** How many SQL statements a submission runs in a commit that it shares with others (docs/performance.md, "What a submission costs"). */

import type { Statement } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import type { Sqlite } from '#db/open'
import { study } from './study'

/** Counts the statements that run, as scripts/bench/statements.ts does. */
function countStatements(sqlite: Sqlite) {
  const { query } = sqlite
  let count = 0
  const words = new Set(['get', 'all', 'run', 'values'])
  sqlite.query = ((sql: string) => {
    const statement: Statement = query.call(sqlite, sql)
    return new Proxy(statement, {
      get(of, name) {
        const value = Reflect.get(of, name, of)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          if (words.has(String(name))) count++
          return Reflect.apply(value, of, given)
        }
      },
    })
  }) as typeof query
  return {
    end() {
      sqlite.query = query
      return count
    },
  }
}

const PEOPLE = 12

async function people() {
  const s = await study()
  const registered = await s.owner.do('registerParticipants', s.trial, {
    participants: Array.from({ length: PEOPLE }, (_, n) => ({ participantId: `S-${n}` })),
  })
  const ids = registered.participants.map(({ _id }) => _id)
  let pulse = 60
  /** One submission of each of these, in one commit. */
  const submit = async (some: readonly string[]) => {
    pulse++
    const counter = countStatements(s.db.$client)
    const answers = await Promise.all(some.map((_id) => s.enter({ pulse }, {}, s.owner, s.url(_id))))
    expect(answers.map(({ status }) => status)).toEqual(some.map(() => 200))
    return counter.end()
  }
  return { ids, submit }
}

test('a further submission of the same commit runs ten statements, and an amendment ten', async () => {
  const { ids, submit } = await people()
  await submit(ids.slice(0, 1)) // what is read once
  const [two, nine] = [await submit(ids.slice(1, 3)), await submit(ids.slice(3))]
  expect((nine - two) / (PEOPLE - 3 - 2)).toBe(10)
  const [few, all] = [await submit(ids.slice(0, 2)), await submit(ids)]
  expect((all - few) / (PEOPLE - 2)).toBe(10)
})
