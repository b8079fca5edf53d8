import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { committer, isUnchanged, keptRows, markChanges, transactionCache } from '#db/commit'

function openShelf(afterAct?: (sqlite: Database) => void) {
  const sqlite = new Database(':memory:', { strict: true })
  sqlite.run('CREATE TABLE things (name TEXT PRIMARY KEY) STRICT')
  const put = (name: string) => sqlite.query('INSERT INTO things VALUES (?)').run(name)
  const names = () =>
    sqlite
      .query<{ name: string }, []>('SELECT name FROM things ORDER BY name')
      .all()
      .map(({ name }) => name)
  return { sqlite, put, names, ...committer(sqlite, undefined, () => afterAct?.(sqlite)) }
}

const never = <T>(run: () => T) => run as () => never

test('functions of one turn are committed together, in order', async () => {
  const { commit, put, names, sqlite } = openShelf()
  const shelve = (name: string) => {
    put(name)
    return name
  }
  const answers = await Promise.all(['b', 'a', 'c'].map((name) => commit(never(() => shelve(name)))))
  expect(answers as string[]).toEqual(['b', 'a', 'c'])
  expect(names()).toEqual(['a', 'b', 'c'])
  expect(sqlite.inTransaction).toBe(false)
})

test('a function that fails after a write is rolled back, and no other', async () => {
  const { commit, put, names } = openShelf()
  const results = await Promise.allSettled([
    commit(never(() => put('a'))),
    commit(
      never(() => {
        put('b')
        throw new Error('no')
      }),
    ),
    commit(never(() => put('c'))),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(names()).toEqual(['a', 'c'])
})

test('values noted for a turn are kept until it ends or anything of it is rolled back', async () => {
  const { commit, sqlite, put } = openShelf()
  expect(transactionCache({ $client: sqlite })).toBeUndefined()
  const seen: unknown[] = []
  const noting = (name: string, fails = false) =>
    commit(
      never(() => {
        seen.push(transactionCache({ $client: sqlite })!.get('note'))
        put(name)
        transactionCache({ $client: sqlite })!.set('note', name)
        if (fails) throw new Error('no')
      }),
    ).catch(() => {})
  await Promise.all([noting('a'), noting('b')])
  expect(seen).toEqual([undefined, 'a'])
  seen.length = 0
  await Promise.all([noting('c'), noting('d', true), noting('e')])
  // Done again with savepoints: the next function does not see what the failed one noted.
  expect(seen.slice(-3)).toEqual([undefined, 'c', undefined])
  expect(transactionCache({ $client: sqlite })).toBeUndefined()
})

test('a kept row is dropped after each act that is not known to have left it as it is (property)', async () => {
  const act = fc.record({ changes: fc.boolean(), probes: fc.boolean(), fails: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 10 }), async (acts) => {
      const { commit, put, sqlite } = openShelf()
      const on = { $client: sqlite }
      const count = () => sqlite.query<{ n: number }, []>('SELECT count(*) AS n FROM things').get()!.n
      const wrong: unknown[] = []
      const perform = (at: number) => {
        const { changes, probes, fails } = acts[at]!
        const kept = keptRows(on)!
        const known = kept.get('count')
        if (known !== undefined && known !== count()) wrong.push([known, count()])
        kept.set('count', count())
        if (changes) put(`${at}`)
        if (probes) markChanges(on, changes)
        if (isUnchanged(on) && changes) wrong.push(at)
        if (fails) throw new Error('no')
      }
      await Promise.allSettled(acts.map((_, at) => commit(never(() => perform(at)))))
      expect(wrong).toEqual([])
      expect(keptRows(on)).toBeUndefined()
    }),
  )
})

test.each([
  ['nothing follows an act', undefined],
  ['the rows of each act are recorded after it', (sqlite: Database) => markChanges({ $client: sqlite }, false)],
])('acts that are known to change nothing watched share what they read: %s', async (_, afterAct) => {
  const { commit, sqlite } = openShelf(afterAct)
  const on = { $client: sqlite }
  const seen: unknown[] = []
  const reading = (...found: boolean[]) =>
    commit(
      never(() => {
        seen.push(keptRows(on)!.get('row'))
        keptRows(on)!.set('row', seen.length)
        for (const each of found) markChanges(on, each)
      }),
    )
  // Two entries in one act: what the first found counts, too.
  await Promise.all([reading(false), reading(false, false), reading(true, false), reading(), reading(false)])
  expect(seen).toEqual([undefined, 1, 2, undefined, undefined])
})

test('after any failures, exactly the writes that were confirmed are stored (property)', async () => {
  const act = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    fails: fc.constantFrom('never', 'before', 'after'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      const { commit, put, names } = openShelf()
      const done = await Promise.allSettled(
        acts.map(({ name, fails }) =>
          commit(
            never(() => {
              if (fails === 'before') throw new Error('before')
              put(name)
              if (fails === 'after') throw new Error('after')
              return name
            }),
          ),
        ),
      )
      const returned = done.flatMap((each) => (each.status === 'fulfilled' ? [each.value as string] : []))
      expect(returned.toSorted()).toEqual(names())
    }),
  )
})

test('nothing is accepted after closing', async () => {
  const { commit, close, names, put } = openShelf()
  const last = commit(never(() => put('last')))
  close()
  await last
  expect(commit(never(() => put('later')))).rejects.toThrow('stopping')
  expect(names()).toEqual(['last'])
})

test('exactly the confirmed writes are stored, also if each act tells the next how many rows were changed (property)', async () => {
  const act = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    fails: fc.constantFrom('never', 'before', 'after'),
    notes: fc.constantFrom('nothing', 'before it writes', 'changes'),
  })
  const mark = (sqlite: Database, changes: boolean) =>
    markChanges({ $client: sqlite }, changes, sqlite.query<{ n: number }, []>('SELECT total_changes() AS n').get()!.n)
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), fc.boolean(), async (acts, isMarked) => {
      const { commit, put, names, sqlite } = openShelf((on) => {
        if (isMarked) mark(on, false)
      })
      const done = await Promise.allSettled(
        acts.map(({ name, fails, notes }) =>
          commit(
            never(() => {
              if (notes === 'before it writes') mark(sqlite, false)
              if (fails === 'before') throw new Error('before')
              put(name)
              if (notes === 'changes') mark(sqlite, true)
              if (fails === 'after') throw new Error('after')
              return name
            }),
          ),
        ),
      )
      const returned = done.flatMap((each) => (each.status === 'fulfilled' ? [each.value as string] : []))
      expect(returned.toSorted()).toEqual(names())
    }),
  )
})
