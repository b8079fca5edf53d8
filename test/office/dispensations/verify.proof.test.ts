/** What `verify` and `doctor` say of dispensed packs. */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordRemainingChanges } from '#audit/append'
import { command as doctor } from '#cli/doctor'
import { command as verify } from '#cli/verify'
import type { Id } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import { verifyDispensing, wrongPacks } from '#office/dispensations/verify'
import { openDataDirectory } from '#server/process/dataDirectory'
import { verifyAll } from '../../db/upgrade.shared'
import { firstOf } from '../../present'
import { freshFolder } from '../../server/process/folder'
import { type DispensationStudy, dispensationStudy } from './dispensation.study'

/** A study in which got packs at the allocation and later, one of which was replaced. */
async function dispensed(change: Record<string, unknown> = {}) {
  const s = await dispensationStudy(change)
  const packs: Id[] = []
  for (const n of [1, 2, 3]) packs.push((await s.dispense(n)).body.packs[0]._id)
  await s.owner.do('recordPackEvent', packs[0]!, { type: 'lost', reason: 'Left on a train.' })
  packs.push((await s.dispense(1, { replaces: packs[0] })).body.packs[0]._id)
  s.service.flush()
  return { ...s, packs }
}

/**
 * Gives a pack to a participant as versions before did: by hand, whatever its type. It is recorded, so that nothing was changed behind the
 * back of the service.
 */
function assignAsBefore(s: DispensationStudy, n: number, packType: Id, at = s.now()) {
  const moment = parseInstant(at)!
  const { _id, name } = s.db.$client
    .query(`SELECT _id, name FROM packs WHERE packType = ? AND assignedToSite = ? AND state = 'inStock' LIMIT 1`)
    .get(packType, s.north) as { _id: Id; name: string }
  s.db.$client.run(`UPDATE packs SET state = 'dispensed', participant = ?, assignedAt = ? WHERE _id = ?`, [
    s.person(n),
    moment,
    _id,
  ])
  s.db.$client.run(
    `INSERT INTO packEvents (pack, _id, createdAt, createdBy, occurredAt, packType, type, state, site, participant)
     VALUES (?, 'ffffffffffffffffffffffff', ?, ?, ?, ?, 'dispensed', 'dispensed', ?, ?)`,
    [_id, moment, s.owner._id, moment, packType, s.north, s.person(n)],
  )
  recordRemainingChanges(s.db, moment)
  s.service.flush()
  return { _id, name }
}

/** What a command prints about dispensing, in a data directory with the database of the study. */
async function printed(command: typeof verify, s: DispensationStudy) {
  const data = join(freshFolder(), 'data')
  const { directory, lock } = openDataDirectory(data)
  writeFileSync(directory.database, s.db.$client.serialize())
  lock.release()
  const lines: string[] = []
  const call = { flags: { data, port: '0' }, words: [], env: {}, print: (line: string) => lines.push(line) }
  const code = await command.run(call)
  return { code, lines: lines.filter((line) => line.slice(7).startsWith('dispensing')) }
}

test('what randomisations gave fits, also what was replaced, taken back, moved and dispensed anew', async () => {
  const s = await dispensed()
  verifyAll(s.db.$client)
  expect(verifyDispensing(s.db.$client)).toBe('8 packs that randomisations gave are of the arms of their participants')
  expect(wrongPacks(s.db.$client)).toEqual([])
  const open = await dispensed({ isBlinded: false })
  const own = firstOf((await open.dispense(2)).body.packs as { _id: Id }[])._id
  await open.owner.do('unassignPack', open.trial, open.person(2), own)
  await open.owner.do('updatePack', own, { assignedToSite: open.south })
  open.service.flush()
  verifyAll(open.db.$client)
  expect(wrongPacks(open.db.$client)).toEqual([])
})

describe('a change in the database is found', () => {
  const changes: [string, (s: Awaited<ReturnType<typeof dispensed>>) => string][] = [
    [
      'of the participants of two packs',
      ({ packs: [, a, b] }) =>
        `UPDATE packs SET participant = (SELECT o.participant FROM packs AS o WHERE o._id = iif(packs._id = '${a}', '${b}', '${a}'))
         WHERE _id IN ('${a}', '${b}')`,
    ],
    [
      'of the types of two packs',
      ({ packs: [, a, b] }) =>
        `UPDATE packs SET packType = (SELECT o.packType FROM packs AS o WHERE o._id = iif(packs._id = '${a}', '${b}', '${a}'))
         WHERE _id IN ('${a}', '${b}')`,
    ],
    [
      'of a pack of a dispensation',
      ({ packs: [, a, b] }) => `DROP TRIGGER dispensedPacksAreNotChanged;
         UPDATE dispensedPacks SET pack = '${a}' WHERE pack = '${b}'`,
    ],
    [
      'of the arm of a participant',
      () => `DROP TRIGGER allocationsAreNotChanged;
         UPDATE allocations SET arm = (SELECT arm FROM allocations WHERE number = 2) WHERE number = 1`,
    ],
    [
      'of the type of a pack with that of all its events',
      ({ packs: [a, b] }) => `DROP TRIGGER packEventsAreNotChanged;
         UPDATE packEvents SET packType = (SELECT packType FROM packs WHERE _id = '${b}') WHERE pack = '${a}';
         UPDATE packs SET packType = (SELECT packType FROM packs WHERE _id = '${b}') WHERE _id = '${a}'`,
    ],
    [
      'of a pack that is gone',
      ({ packs: [, a] }) =>
        `PRAGMA foreign_keys = OFF; DROP TRIGGER packsAreKept; DELETE FROM packs WHERE _id = '${a}'`,
    ],
  ]
  test.each(changes)('%s', async (_, change) => {
    const s = await dispensed()
    verifyDispensing(s.db.$client)
    for (const statement of change(s).split(';')) s.db.$client.run(statement)
    expect(() => verifyDispensing(s.db.$client)).toThrow(/^the pack “/)
  })
})

test('the command names the pack that was exchanged in the database, not only its row', async () => {
  const s = await dispensed()
  const [, a, b] = s.packs
  s.db.$client.run(
    `UPDATE packs SET participant = (SELECT o.participant FROM packs AS o WHERE o._id = iif(packs._id = '${a}', '${b}', '${a}'))
     WHERE _id IN ('${a}', '${b}')`,
  )
  const { code, lines } = await printed(verify, s)
  expect([code, lines]).toEqual([
    1,
    [expect.stringMatching(/^fault {2}dispensing +the pack “K-.*” of “R-[23]” was dispensed/)],
  ])
})

describe('a pack of another arm that somebody chose', () => {
  test.each([
    ['of whoever has the other arm', 1, 'sham'],
    ['of whoever has no arm', 9, 'verum'],
  ] as const)('%s is named by both, and damages nothing', async (_, n, type) => {
    const s = await dispensed()
    const { _id, name } = assignAsBefore(s, n, s[type])
    verifyAll(s.db.$client)
    const sentence = `the pack “${name}” of “R-${n}”, trial `
    const found = await printed(verify, s)
    expect([found.code, found.lines]).toEqual([
      0,
      [expect.stringMatching(/^ok/), expect.stringMatching(new RegExp(`^note .*${sentence}.* is not of their arm`))],
    ])
    for (const line of found.lines) expect(line).not.toMatch(/Verum|Sham|Kestrel|Plover/)
    const examined = await printed(doctor, s)
    expect([examined.code, examined.lines]).toEqual([
      1,
      [expect.stringMatching(new RegExp(`^fault .*${sentence}.*they have it$`))],
    ])
    await s.owner.do('recordPackEvent', _id, { type: 'returned' })
    s.service.flush()
    expect((await printed(doctor, s)).lines).toEqual([expect.stringMatching(new RegExp(`^ok .*${sentence}`))])
  })

  test('of their own arm, or before the sealing, is none', async () => {
    const s = await dispensed()
    assignAsBefore(s, 1, s.verum)
    expect(wrongPacks(s.db.$client)).toEqual([])
    const t = await dispensed()
    assignAsBefore(t, 1, t.sham, '2026-02-01T00:00:00Z')
    expect(wrongPacks(t.db.$client)).toEqual([])
    expect((await printed(verify, t)).code).toBe(0)
  })
})
