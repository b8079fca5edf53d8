import { describe, expect, test } from 'bun:test'
import type { Id } from '#kernel/id'
import { afterKill } from '../../harness'
import { firstOf } from '../../present'
import { secretNames } from '../randomisation/randomisation.study'
import { type DispensationStudy, dispensationStudy } from './dispensation.study'

const BLIND = [
  ...['_id', 'createdAt', 'createdBy', 'doseLevel', 'number', 'packs', 'participant', 'participantId', 'quantity'],
  ...['randomisation', 'reason', 'replaces', 'site'],
]

describe('a blinded nurse', () => {
  test('gets packs of the arm of each participant, and sees no arm', async () => {
    const s = await dispensationStudy()
    for (const [n, type] of [
      [1, s.verum],
      [2, s.sham],
      [3, s.verum],
      [4, s.sham],
    ] as const) {
      const { status, body } = await s.dispense(n, {}, s.nurse)
      expect([status, Object.keys(body).sort()]).toEqual([200, BLIND])
      expect(body).toMatchObject({ number: n, participantId: `R-${n}`, quantity: 1, doseLevel: null, site: s.north })
      const [pack] = body.packs as { _id: Id; name: string }[]
      expect(Object.keys(pack!).sort()).toEqual(['_id', 'name'])
      expect(s.typeOf(pack!._id)).toBe(type)
      expect(await s.owner.do('readPack', pack!._id)).toMatchObject({ state: 'dispensed', participant: s.person(n) })
    }
    expect(s.counts()).toEqual({ dispensations: 4, packs: 4, events: 8, entries: 4 })
  })

  test('gets as many packs at once as asked for, by name', async () => {
    const s = await dispensationStudy()
    const { body } = await s.dispense(2, { quantity: 3, reason: 'Visit 2 and 3' }, s.nurse)
    const packs = body.packs as { _id: Id; name: string }[]
    expect(packs.map(({ _id }) => s.typeOf(_id))).toEqual([s.sham, s.sham, s.sham])
    const names = packs.map(({ name }) => name)
    expect(names).toEqual([...names].sort())
    expect(body).toMatchObject({ number: 1, quantity: 3, reason: 'Visit 2 and 3' })
    // The events are recorded by name, too.
    const events = s.db.$client
      .query(`SELECT p.name FROM packEvents AS e JOIN packs AS p ON p._id = e.pack
        WHERE e.type = 'dispensed' AND e.reason = 'Visit 2 and 3' ORDER BY e._id`)
      .values()
    expect(events.flat()).toEqual(names)
  })

  test('cannot assign a pack of either type by hand, nor can anybody: one text for every type', async () => {
    const s = await dispensationStudy()
    const hands = [s.owner, s.staff(s.trial, ['trial.assignPacks']), s.staff(s.trial, ['site.assignPacks'], s.north)]
    const refusals = new Set<string>()
    const packs = s.db.$client
      .query(`SELECT _id FROM packs WHERE assignedToSite = ? ORDER BY packType, state`)
      .values(s.north)
      .flat() as Id[]
    for (const by of hands) {
      for (const pack of packs) {
        const refused = await by.call('PUT', `/trials/${s.trial}/participants/${s.person(5)}/packs/${pack}`)
        refusals.add(JSON.stringify([refused.status, refused.body]))
      }
    }
    expect([...refusals]).toEqual([
      expect.stringContaining('A sealed randomisation gives packs of this type: nobody chooses who gets which.'),
    ])
    expect(JSON.parse([...refusals][0]!)[0]).toBe(400)
    const available = `/trials/${s.trial}/participants/${s.person(5)}/packs?availableOnly=true` as const
    expect((await s.owner.get<'listParticipantPacks'>(available)).packs).toEqual([])
  })
})

test('before the sealing packs are assigned by hand; of an open randomisation nobody chooses them either', async () => {
  const s = await dispensationStudy({ isBlinded: false })
  const other = (await s.owner.do('createPackType', s.trial, { name: 'Rescue' }))._id
  const { packs } = await s.owner.do('createPacks', s.trial, { packType: other, name: 'Z-1' })
  const give = (pack: Id) => s.owner.call('PUT', `/trials/${s.trial}/participants/${s.person(5)}/packs/${pack}`)
  const draft = {
    ...s.body({ name: 'Later', arms: [{ name: 'A', packType: other }, { name: 'B' }] }),
    isBlinded: false,
  }
  const { _id } = await s.owner.do('createRandomisation', s.trial, draft)
  expect((await give(firstOf(packs)._id)).status).toBe(200)
  await s.owner.do('unassignPack', s.trial, s.person(5), firstOf(packs)._id)
  await s.owner.do('sealRandomisation', _id)
  expect((await give(firstOf(packs)._id)).status).toBe(400)
  const { body } = await s.dispense(1)
  expect((await give(body.packs[0]._id)).body.message).toStartWith('A sealed randomisation')
})

describe('a dispensation is refused', () => {
  const elsewhere = (s: DispensationStudy) => s.staff(s.trial, ['site.dispense'], s.south)
  const cases: [string, (s: DispensationStudy) => Promise<unknown> | unknown, [number, object?, string?]][] = [
    ['of whoever was not allocated', () => {}, [5, {}, '“R-5” was not allocated by “Main randomisation”.']],
    [
      'of whoever has withdrawn',
      (s) => s.owner.do('updateParticipant', s.trial, s.person(1), { isWithdrawn: true }),
      [1, {}, 'The participant “R-1” has withdrawn.'],
    ],
    [
      'of whoever is archived',
      (s) => s.owner.do('updateParticipant', s.trial, s.person(1), { isArchived: true }),
      [1, {}, 'The participant “R-1” is archived.'],
    ],
    ['at a site of somebody else', () => {}, [1, { site: 'south' }, 'The participant does not belong to this site.']],
    [
      'of somebody at two sites who names none',
      (s) => s.owner.do('addSiteMember', s.south, s.person(1)),
      [1, {}, 'The participant belongs to several sites: say whose packs to use.'],
    ],
    [
      'of a pack that is still in use',
      () => {},
      [1, { replaces: 'own' }, 'Record it as lost, damaged or returned before it is replaced.'],
    ],
    [
      'of a pack of somebody else',
      () => {},
      [1, { replaces: 'other' }, '“Main randomisation” did not give this pack to “R-1”.'],
    ],
    [
      'of a pack that is not there',
      () => {},
      [1, { replaces: '65f1c0de0123456789abcdef' }, '“Main randomisation” did not give this pack to “R-1”.'],
    ],
    ['of more than fit into one request', () => {}, [1, { quantity: 21 }]],
    ['of none', () => {}, [1, { quantity: 0 }]],
    ['with a dose level that is not there', () => {}, [1, { doseLevel: '20 mg' }]],
    ['with a visit, which it does not have', () => {}, [1, { visit: '65f1c0de0123456789abcdef' }]],
    ['with half an emoji as reason', () => {}, [1, { reason: '\ud83d' }]],
    ['with a blank reason', () => {}, [1, { reason: ' ' }]],
  ]
  test.each(cases)('%s', async (_, prepare, [n, more = {}, message]) => {
    const s = await dispensationStudy()
    await prepare(s)
    const { allocations } = await s.owner.do('listAllocations', s.sealed)
    const words: Record<string, Id> = {
      own: allocations[0]!.pack!._id,
      other: allocations[1]!.pack!._id,
      south: s.south,
    }
    const body = Object.fromEntries(Object.entries(more).map(([field, value]) => [field, words[value] ?? value]))
    const before = s.counts()
    const refused = await s.dispense(n, body)
    expect(refused.status).toBe(message === undefined ? 422 : 400)
    if (message !== undefined) expect(refused.body.message).toContain(message)
    expect(s.counts()).toEqual(before)
  })

  test('without the permission there (403), of another site and of another trial (404), and of a draft (400)', async () => {
    const s = await dispensationStudy()
    expect((await s.dispense(1, {}, elsewhere(s))).status).toBe(404)
    for (const words of [['trial.randomise', 'trial.assignPacks', 'trial.writePacks', 'trial.write'], ['trial.read']])
      expect((await s.dispense(1, {}, s.staff(s.trial, words))).status).toBe(403)
    expect((await s.owner.call('POST', s.url, { participant: '65f1c0de0123456789abcdef' })).status).toBe(404)
    const stranger = s.asPerson({})
    expect((await stranger.call('POST', s.url, { participant: s.person(1) })).status).toBe(401)
    await s.owner.do('addSiteMember', s.south, s.person(1))
    expect((await s.dispense(1, { site: s.north }, elsewhere(s))).status).toBe(403)
    expect((await s.dispense(1, { site: s.south }, elsewhere(s))).status).toBe(200)
    const arms = [{ name: 'A' }, { name: 'B' }]
    const draft = await s.draft({ name: 'Draft', arms })
    const at = `/randomisations/${draft}/dispensations` as const
    const refused = await s.owner.call('POST', at, { participant: s.person(1) })
    expect([refused.status, refused.body.message]).toEqual([400, '“Draft” is not sealed yet.'])
    await s.owner.do('sealRandomisation', draft)
    await s.allocate(draft, s.person(1))
    const none = await s.owner.call('POST', at, { participant: s.person(1) })
    expect([none.status, none.body.message]).toEqual([400, '“Draft” gives no packs.'])
  })
})

describe('stock', () => {
  test.each(['verum', 'sham'] as const)('of every arm is needed, whichever lacks: %s', async (missing) => {
    const s = await dispensationStudy()
    s.leave(s[missing], 1)
    const refusals = new Set<string>()
    for (const n of [1, 2]) {
      const { status, body } = await s.dispense(n, { quantity: 2 }, s.nurse)
      refusals.add(JSON.stringify([status, body.message, body.details]))
    }
    expect([...refusals]).toHaveLength(1)
    expect([...refusals][0]).toContain('Too few packs are left')
    expect((await s.dispense(missing === 'verum' ? 1 : 2, {}, s.nurse)).status).toBe(200)
    expect((await s.dispense(missing === 'verum' ? 2 : 1, {}, s.nurse)).status).toBe(400)
  })

  test('is that of the participant’s site now, also after a transfer', async () => {
    const s = await dispensationStudy()
    await s.owner.do('removeSiteMember', s.north, s.person(1))
    await s.owner.do('addSiteMember', s.south, s.person(1))
    expect((await s.dispense(1, {}, s.nurse)).status).toBe(404)
    const { body } = await s.dispense(1, {}, s.staff(s.trial, ['site.dispense'], s.south))
    expect(body.site).toBe(s.south)
    expect(await s.owner.do('readPack', body.packs[0]._id)).toMatchObject({
      assignedToSite: s.south,
      packType: s.verum,
    })
  })

  test('tells nothing to whoever is refused for another reason: it is looked at last', async () => {
    const s = await dispensationStudy()
    await s.owner.do('updateParticipant', s.trial, s.person(1), { isWithdrawn: true })
    const before = await s.dispense(1, {}, s.nurse)
    s.leave(s.verum, 0)
    expect(await s.dispense(1, {}, s.nurse)).toMatchObject({ status: before.status, body: before.body })
  })

  test('two nurses who ask for the last pack at once: one gets it', async () => {
    const s = await dispensationStudy()
    s.leave(s.verum, 1)
    const answers = await Promise.all([1, 3].map((n) => s.dispense(n, {}, s.nurse)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(s.counts()).toMatchObject({ dispensations: 1, packs: 1 })
  })

  test('of an open randomisation: that of the participant’s arm counts, and the first to expire is given', async () => {
    const s = await dispensationStudy({ isBlinded: false })
    s.leave(s.sham, 0)
    const first = s.db.$client
      .query(
        `SELECT name FROM packs WHERE packType = ? AND assignedToSite = ? AND state = 'inStock' ORDER BY name LIMIT 1`,
      )
      .get(s.verum, s.north) as { name: string }
    const { body } = await s.dispense(1, {}, s.nurse)
    expect(body).toMatchObject({ armName: secretNames.arm, packs: [{ name: first.name, packType: s.verum }] })
    const refused = await s.dispense(2, {}, s.nurse)
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringContaining('No pack for this participant'),
    ])
  })
})

test('the same request twice with one Idempotency-Key dispenses once; without, two are two', async () => {
  const s = await dispensationStudy()
  const ask = () =>
    s.owner.call('POST', s.url, { participant: s.person(1) }, { headers: { 'Idempotency-Key': 'twice' } })
  const [one, other] = await Promise.all([ask(), ask()])
  expect(one.body).toEqual(other.body)
  expect(s.counts().dispensations).toBe(1)
  expect((await s.dispense(1)).body.number).toBe(2)
})

test('who may list sees those of their participants, in pages, and of one participant', async () => {
  const s = await dispensationStudy()
  for (let n = 0; n < 26; n++) await s.dispense((n % 4) + 1)
  const all = await s.owner.do('listDispensations', s.sealed)
  expect([all.dispensations.length, all.nextPageAvailable]).toEqual([26, false])
  expect(all.dispensations.map(({ number }) => number)).toEqual(Array.from({ length: 26 }, (_, n) => n + 1))
  expect(all.dispensations[0]).toMatchObject({ armName: secretNames.arm, packs: [{ packType: s.verum }] })
  const later = await s.nurse.do('listDispensations', s.sealed, { after: 20, participant: s.person(1) })
  expect(later.dispensations.map(({ number }) => number)).toEqual([21, 25])
  expect(Object.keys(later.dispensations[0]!).sort()).toEqual(BLIND)
  expect((await s.staff(s.trial, ['site.dispense'], s.south).do('listDispensations', s.sealed)).dispensations).toEqual(
    [],
  )
  for (const words of [['trial.listPacks'], ['trial.assignPacks']])
    expect((await s.staff(s.trial, words).call('GET', s.url)).status).toBe(403)
  const insert = s.db.$client.prepare(
    `INSERT INTO dispensations SELECT substr(_id, 1, 20) || printf('%04d', $n), createdAt, createdBy, trial, randomisation, participant, $n, doseLevel, quantity,
       site, replaces, reason FROM dispensations WHERE number = 1`,
  )
  for (let n = 27; n <= 101; n++) insert.run({ n })
  const [page, next] = [await s.owner.call('GET', s.url), await s.owner.call('GET', `${s.url}?after=100`)]
  expect([page.body.dispensations.length, page.body.nextPageAvailable]).toEqual([100, true])
  expect([next.body.dispensations.length, next.body.nextPageAvailable]).toEqual([1, false])
})

describe('a replacement', () => {
  const report = (s: DispensationStudy, pack: Id, type: string) =>
    s.owner.do('recordPackEvent', pack, { type, ...(type === 'returned' ? {} : { reason: 'Broken.' }) })

  test.each(['lost', 'damaged', 'returned'])('of a pack that is %s is of its type, once', async (type) => {
    const s = await dispensationStudy()
    const [pack] = (await s.dispense(2)).body.packs as { _id: Id; name: string }[]
    await report(s, pack!._id, type)
    const { status, body } = await s.dispense(2, { replaces: pack!._id, reason: 'Broken' }, s.nurse)
    expect([status, Object.keys(body).sort()]).toEqual([200, BLIND])
    const { _id, name } = pack!
    expect(body).toMatchObject({ number: 2, quantity: 1, replaces: { _id, name } })
    expect(s.typeOf(body.packs[0]._id)).toBe(s.sham)
    const again = await s.dispense(2, { replaces: pack!._id })
    expect([again.status, again.body.message]).toEqual([
      400,
      `The pack “${pack!.name}” was replaced already, by the dispensation 2.`,
    ])
    await report(s, body.packs[0]._id, 'lost')
    expect((await s.dispense(2, { replaces: body.packs[0]._id }, s.nurse)).status).toBe(200)
  })

  test('of the pack of the allocation; several at once and another dose level cannot be', async () => {
    const s = await dispensationStudy()
    const { allocations } = await s.owner.do('listAllocations', s.sealed, { participant: s.person(1) })
    const replaces = allocations[0]!.pack!._id
    await report(s, replaces, 'damaged')
    for (const more of [{ quantity: 2 }, { doseLevel: 'x' }])
      expect((await s.dispense(1, { replaces, ...more })).status).toBe(422)
    // Types of all arms must be in stock here, too.
    s.leave(s.sham, 0)
    expect((await s.dispense(1, { replaces })).body.message).toStartWith('Too few packs are left')
    s.db.$client.run(`UPDATE packs SET state = 'inStock' WHERE state = 'quarantined'`)
    const { body } = await s.dispense(1, { replaces, quantity: 1 })
    expect(s.typeOf(body.packs[0]._id)).toBe(s.verum)
  })
})

test('a pack that was dispensed blinded is not taken back; of an open randomisation it is', async () => {
  const blinded = await dispensationStudy()
  const open = await dispensationStudy({ isBlinded: false })
  for (const [s, status] of [
    [blinded, 400],
    [open, 200],
  ] as const) {
    const { body } = await s.dispense(1)
    const at = `/trials/${s.trial}/participants/${s.person(1)}/packs/${body.packs[0]._id}` as const
    expect((await s.owner.call('DELETE', at)).status).toBe(status)
  }
})

test('it goes on after the closing, while the database is locked, and after the unblinding, when arms are shown', async () => {
  const s = await dispensationStudy()
  await s.owner.do('closeRandomisation', s.sealed)
  s.db.$client.run('UPDATE trials SET isLocked = 1, isDatabaseLocked = 1')
  expect((await s.dispense(1, {}, s.nurse)).status).toBe(200)
  const admin = await s.confirmed(['trial.admin'])
  await admin.do('unblindRandomisation', s.sealed, { reason: 'The end' })
  s.leave(s.sham, 0)
  const { status, body } = await s.dispense(1, {}, s.nurse)
  expect([status, body.armName]).toEqual([200, secretNames.arm])
})

test('each pack has an entry in the audit trail, which names arm and type only to who sees arms', async () => {
  const s = await dispensationStudy()
  const { body } = await s.dispense(1, { quantity: 2, reason: 'Holiday' })
  const { entries } = await s.owner.do('readLogs', s.trial, { type: 'dispensePack' })
  const packs = (body.packs as { _id: Id }[]).map(({ _id }) => _id)
  expect(entries.map(({ event }) => event.packId as Id).sort()).toEqual(packs.sort())
  expect(entries[0]).toMatchObject({
    participantId: 'R-1',
    event: { number: 1, quantity: 2, reason: 'Holiday', concealed: { packType: s.verum } },
  })
  const blind = await s
    .staff(s.trial, ['trial.readLogs', 'trial.readParticipants'])
    .do('readLogs', s.trial, { type: 'dispensePack' })
  expect(blind.entries).toHaveLength(2)
  expect(JSON.stringify(blind)).not.toContain('concealed')
})

describe('a blinded nurse cannot measure the stock by what is refused', () => {
  /** The largest quantity that is not refused, as far as refusals tell it. */
  const refused = async (s: DispensationStudy, quantity: number, more: object = {}) => {
    const { status, body } = await s.dispense(1, { quantity, ...more }, s.nurse)
    return status === 200 ? 'given' : `${status} ${body.message}`
  }
  const text = (s: unknown) => expect.stringMatching(new RegExp(`^400 Too few packs are left: .*${s}$`))

  test('after a refusal every quantity but one is refused, until packs arrive', async () => {
    const s = await dispensationStudy()
    s.leave(s.sham, 7)
    const first = await refused(s, 8)
    expect(first).toEqual(text('Until packs arrive there, ask for a quantity of 1.'))
    // These are in stock, and would tell that seven are.
    for (const quantity of [7, 3, 2, 20]) expect([quantity, await refused(s, quantity)]).toEqual([quantity, first])
    expect(await refused(s, 1)).toBe('given')
    expect(await refused(s, 2)).toBe(first)
    // Whoever sees arms is not limited, and takes nothing back from those who are.
    expect((await s.dispense(1, { quantity: 2 })).status).toBe(200)
    expect(await refused(s, 2)).toBe(first)
    // Another place, and what arrives elsewhere, change nothing.
    await s.owner.do('createPacks', s.trial, { packType: s.sham, name: 'Elsewhere', assignedToSite: s.south })
    expect(await refused(s, 2)).toBe(first)
    await s.owner.do('createPacks', s.trial, { packType: s.sham, name: 'Arrived', assignedToSite: s.north })
    expect(await refused(s, 2)).toBe('given')
  })

  test('also after a restart', async () => {
    const s = await dispensationStudy()
    s.leave(s.sham, 7)
    const first = await refused(s, 8)
    await s.service.services.commit(() => {}) // the note of the refusal is the transaction after it
    const after = afterKill(s)
    const headers = { ...s.nurse.credentials, 'Content-Type': 'application/json' }
    const ask = async (quantity: number) => {
      const body = JSON.stringify({ participant: s.person(1), quantity })
      const answer = await after.handle(
        new Request(`http://localhost${s.url}`, { method: 'POST', headers, body }),
        null,
      )
      return answer.status === 200 ? 'given' : `${answer.status} ${(await answer.json()).message}`
    }
    expect(await ask(2)).toBe(first)
    expect(await ask(1)).toBe('given')
  })

  test('also by another dose level, and by requests at once', async () => {
    const s = await dispensationStudy((made) => ({
      arms: made.arms.map((arm) => ({
        ...arm,
        dispensing: ['low', 'high'].map((doseLevel) => ({
          doseLevel,
          packType: arm.packType,
          quantity: doseLevel === 'low' ? 1 : 2,
        })),
      })),
    }))
    s.leave(s.sham, 9)
    const answers = await Promise.all([10, 9, 8, 7, 6, 5, 4, 3, 2].map((quantity) => refused(s, quantity)))
    expect(answers.filter((answer) => answer === 'given')).toEqual([])
    for (const doseLevel of ['high', 'low']) expect(await refused(s, 2, { doseLevel })).not.toBe('given')
    expect(await refused(s, 1, { doseLevel: 'high' })).toBe('given')
  })
})
