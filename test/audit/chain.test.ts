import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { appendEntry } from '#audit/append'
import { headLine, headsIn, verifyDeletedChains, verifyHeads } from '#audit/heads'
import { erasePersonal, headsOf } from '#audit/store'
import { verifyChains } from '#audit/verify'
import { drizzleOf } from '#db/open'
import { openNew } from '../newDatabase'
import { runs } from '../proof'

const trail = () => drizzleOf(openNew())

const text = fc.option(fc.string({ maxLength: 20 }), { nil: null })
const act = fc.record({
  chain: fc.constantFrom('a', 'b', 'service'),
  createdAt: fc.nat(),
  type: fc.string({ minLength: 1, maxLength: 10 }),
  userType: fc.constantFrom('user', 'participant', 'system'),
  user: text,
  userEmail: text,
  apiToken: text,
  participant: fc.constantFrom('anna', 'ben', null),
  event: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
  personal: fc.option(fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }), { nil: undefined }),
  address: text,
  device: text,
} as const)

/** Every column of an entry, with a change that a person makes directly in the database. */
const tampering = {
  createdAt: 'createdAt = createdAt + 1',
  type: `type = type || '!'`,
  userType: `userType = CASE userType WHEN 'system' THEN 'user' ELSE 'system' END`,
  user: `user = coalesce(user, '') || '!'`,
  userEmail: `userEmail = coalesce(userEmail, '') || '!'`,
  apiToken: `apiToken = coalesce(apiToken, '') || '!'`,
  participant: `participant = coalesce(participant, '') || '!'`,
  event: `event = event || ' '`,
  address: `address = coalesce(address, '') || '!'`,
  device: `device = coalesce(device, '') || '!'`,
  personal: `personal = coalesce(personal, '{}') || ' '`,
  personalHash: `personalHash = coalesce(personalHash, '') || '!'`,
  hash: `hash = '0' || hash`,
}

const triggers = ['auditIsNotChanged', 'auditPersonalIsOnlyErased', 'auditIsKept']

test('chains are valid after any writes; after any manipulation verify names the first entry that does not match', () => {
  const cases = fc.record({
    acts: fc.array(act, { minLength: 1, maxLength: 12 }),
    victim: fc.nat(),
    change: fc.constantFrom(...Object.values(tampering), 'DELETE'),
    erase: fc.boolean(),
  })
  fc.assert(
    fc.property(cases, ({ acts, victim, change, erase }) => {
      const db = trail()
      const { $client: sqlite } = db
      for (const each of acts) appendEntry(db, each)
      if (erase) erasePersonal(db, 'anna')
      const chains = new Map<string, number>()
      for (const { chain } of acts) chains.set(chain, (chains.get(chain) ?? 0) + 1)
      const whole = [...chains].map(([chain, entries]) => ({ chain, entries, hash: expect.any(String) }))
      expect(verifyChains(sqlite).sort(byChain)).toEqual(whole.sort(byChain))

      const row = (victim % acts.length) + 1
      const { chain, number } = sqlite
        .query<{ chain: string; number: number }, [number]>('SELECT chain, number FROM auditEntries WHERE _id = ?')
        .get(row)!
      for (const trigger of triggers) sqlite.run(`DROP TRIGGER ${trigger}`)
      sqlite.run(
        change === 'DELETE'
          ? `DELETE FROM auditEntries WHERE _id = ${row}`
          : `UPDATE auditEntries SET ${change} WHERE _id = ${row}`,
      )
      const report = verifyChains(sqlite).find((each) => each.chain === chain)
      // Without its last entry, the chain is still valid: only the stored length shows that one is missing.
      const wasLast = number === chains.get(chain)
      expect(report?.fault?.number).toBe(change === 'DELETE' && !wasLast ? number + 1 : number)
      sqlite.close()
    }),
    { numRuns: runs(60) },
  )
})

const byChain = (a: { chain: string }, b: { chain: string }) => (a.chain < b.chain ? -1 : 1)

test.each([...Object.values(tampering), 'number = number + 1', `chain = 'b'`, `personal = '{}'`])(
  'a trigger of the database refuses: %s',
  (change) => {
    const db = trail()
    appendEntry(db, { chain: 'a', createdAt: 1, type: 't', userType: 'user', event: {}, personal: { name: 'Anna' } })
    expect(() => db.$client.run(`UPDATE auditEntries SET ${change}`)).toThrow('the audit trail is append-only')
    expect(() => db.$client.run('DELETE FROM auditEntries')).toThrow('the audit trail is append-only')
    expect(verifyChains(db.$client)).toEqual([{ chain: 'a', entries: 1, hash: expect.any(String) }])
  },
)

test('personal information of one participant can be erased once, and the chain is still valid', () => {
  const db = trail()
  for (const participant of ['anna', 'ben']) {
    appendEntry(db, {
      chain: 'a',
      createdAt: 1,
      type: 't',
      userType: 'user',
      event: {},
      participant,
      personal: { name: participant },
    })
  }
  erasePersonal(db, 'anna')
  const rows = db.$client
    .query<{ personal: string | null }, []>('SELECT personal FROM auditEntries ORDER BY number')
    .all()
  expect(rows.map(({ personal }) => personal && JSON.parse(personal).content)).toEqual([null, { name: 'ben' }])
  expect(verifyChains(db.$client)).toEqual([{ chain: 'a', entries: 2, hash: expect.any(String) }])
})

test('the same personal information is hashed differently each time, so that nobody can guess a name from its hash', () => {
  const db = trail()
  for (let n = 0; n < 2; n++)
    appendEntry(db, { chain: 'a', createdAt: 1, type: 't', userType: 'user', event: {}, personal: { name: 'Anna' } })
  const hashes = db.$client.query<{ personalHash: string }, []>('SELECT personalHash FROM auditEntries').all()
  expect(new Set(hashes.map(({ personalHash }) => personalHash)).size).toBe(2)
})

describe('the stored end of a chain', () => {
  const one = { createdAt: 1, type: 't', userType: 'user', event: {} } as const
  const cut = () => {
    const db = trail()
    for (let n = 0; n < 5; n++) appendEntry(db, { ...one, chain: 'a' })
    const heads = headsOf(db.$client)
    db.$client.run('DROP TRIGGER auditIsKept')
    return { $client: db.$client, heads, db }
  }

  test.each([1, 2, 5])('shows that the last %d entries were removed', (count) => {
    const { $client: sqlite } = cut()
    sqlite.run('DELETE FROM auditEntries WHERE number > ?', [5 - count])
    expect(verifyChains(sqlite)[0]?.fault).toEqual({
      number: 6 - count,
      problem: `the chain recorded 5 entries, and ${5 - count} are there`,
    })
  })

  test('shows it also after more entries were written', () => {
    const { $client: sqlite, db } = cut()
    sqlite.run('DELETE FROM auditEntries WHERE number > 3')
    for (let n = 0; n < 2; n++) appendEntry(db, { ...one, chain: 'a', type: 'other' })
    expect(verifyChains(sqlite)[0]?.fault).toEqual({ number: 6, problem: 'entry 4 is missing' })
  })

  test('stored elsewhere shows it also after the stored end was changed', () => {
    const { $client: sqlite, db, heads } = cut()
    sqlite.run('DELETE FROM auditEntries WHERE number > 3')
    sqlite.run('DROP TRIGGER auditHeadsOnlyGrow')
    sqlite.run('UPDATE auditHeads SET entries = 3, hash = (SELECT hash FROM auditEntries WHERE number = 3)')
    for (let n = 0; n < 2; n++) appendEntry(db, { ...one, chain: 'a', type: 'other' })
    expect(verifyChains(sqlite)[0]?.fault).toBeUndefined()
    expect(() => verifyHeads(sqlite, heads)).toThrow(
      'chain a no longer contains the entry with which it ended: entry 5',
    )
  })

  test.each([
    `UPDATE auditHeads SET entries = entries - 1`,
    `UPDATE auditHeads SET hash = 'x'`,
    `UPDATE auditHeads SET entries = entries + 1, hash = 'x'`,
    'DELETE FROM auditHeads',
  ])('is protected by a trigger: %s', (change) => {
    const { $client: sqlite } = cut()
    expect(() => sqlite.run(change)).toThrow('the audit trail is append-only')
  })

  test('must be recorded by a team if the trial was deleted', () => {
    const { $client: sqlite } = cut()
    expect(() => verifyDeletedChains(sqlite)).not.toThrow()
    sqlite.run(`INSERT INTO deletedChains VALUES ('a', 1, 5, 'x')`)
    sqlite.run(`DELETE FROM auditEntries`)
    expect(verifyChains(sqlite)).toEqual([])
    expect(() => verifyDeletedChains(sqlite)).toThrow('chain a is marked as deleted with its trial')
  })
})

test('the ends of chains can be noted and compared later', () => {
  const db = trail()
  const one = { createdAt: 1, type: 't', userType: 'user', event: {} } as const
  for (const chain of ['a', 'service', 'a']) appendEntry(db, { ...one, chain })
  const text = `ok  audit trail\n${headsOf(db.$client).map(headLine).join('\n')}\n`
  expect(headsIn(text)).toEqual(headsOf(db.$client))
  appendEntry(db, { ...one, chain: 'a' })
  expect(() => verifyHeads(db.$client, headsIn(text))).not.toThrow()
  expect(() => verifyHeads(db.$client, headsIn(text.replace(/[0-9a-f]{64}/, '0'.repeat(64))))).toThrow('chain a')
})
