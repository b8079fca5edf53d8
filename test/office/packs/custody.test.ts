/** What becomes of packs: which events are possible in which state, and that the counts of each place always reconcile. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type EventType, type PackState, stateAfter, transitions } from '#office/packs/events/rules'
import { firstOf } from '../../present'
import { runs } from '../../proof'
import { type PackStudy, packStudy } from './pack.study'

/** For each state, what may happen, and the state after it; everything else is refused. */
const possible: Record<PackState, Partial<Record<EventType, PackState>>> = {
  inStock: {
    ...{ moved: 'inStock', temperatureExcursion: 'quarantined', quarantined: 'quarantined', lost: 'lost' },
    ...{ damaged: 'damaged', dispensed: 'dispensed', destroyed: 'destroyed' },
  },
  quarantined: {
    ...{ moved: 'quarantined', temperatureExcursion: 'quarantined', released: 'inStock', lost: 'lost' },
    ...{ damaged: 'damaged', destroyed: 'destroyed' },
  },
  dispensed: { lost: 'lost', damaged: 'damaged', unassigned: 'inStock', returned: 'returned' },
  returned: { moved: 'returned', lost: 'lost', damaged: 'damaged', destroyed: 'destroyed' },
  lost: { found: 'quarantined' },
  damaged: { moved: 'damaged', lost: 'lost', destroyed: 'destroyed' },
  destroyed: {},
}
const states = Object.keys(possible) as PackState[]
const types: EventType[] = ['received', ...(Object.keys(transitions) as Exclude<EventType, 'received'>[])]

test.each(states)('in the state %s exactly these events are possible', (state) => {
  const found = types.flatMap((type) => {
    const after = stateAfter(type, state)
    return after ? [[type, after]] : []
  })
  expect(Object.fromEntries(found)).toEqual(possible[state])
})

/** The events that bring a new pack into each state. */
const ways: Record<PackState, object[]> = {
  inStock: [],
  quarantined: [{ type: 'quarantined', reason: 'Recall' }],
  dispensed: [{ assign: true }],
  returned: [{ assign: true }, { type: 'returned', units: 3 }],
  lost: [{ type: 'lost', reason: 'Not found' }],
  damaged: [{ type: 'damaged', reason: 'Wet' }],
  destroyed: [{ type: 'destroyed', reason: 'Incinerated' }],
}

async function inState(s: PackStudy, state: PackState) {
  const { _id } = await s.one({ name: 'K-1', assignedToSite: s.north })
  for (const way of ways[state]) {
    const { status } = await ('assign' in way ? s.assign(s.anna, _id) : s.record(_id, way))
    expect(status).toBe(200)
  }
  return _id
}

test.each(states)(
  'over HTTP, a pack in the state %s refuses every other event, and nothing is written',
  async (state) => {
    const s = await packStudy()
    const id = await inState(s, state)
    const before = await s.owner.do('readPack', id)
    expect(before.state).toBe(state)
    const { events } = await s.owner.do('listPackEvents', id)
    for (const type of types) {
      if (possible[state][type] || type === 'received') continue
      const answer =
        type === 'dispensed'
          ? await s.assign(s.anna, id)
          : type === 'unassigned'
            ? await s.owner.call('DELETE', `${s.at}/participants/${s.anna}/packs/${id}`)
            : await s.record(id, { type, reason: 'x', ...(type === 'moved' && { site: s.south }) })
      expect([type, answer.status]).toEqual([type, 400])
      expect(answer.body.message).toMatch(/^The pack .+\.$/)
    }
    expect(await s.owner.do('readPack', id)).toEqual(before)
    expect((await s.owner.do('listPackEvents', id)).events).toEqual(events)
  },
)

test('a whole life: who, when, why, and what is known of each event', async () => {
  const { owner, one, record, assign, anna, north, now, clock, trial } = await packStudy()
  const { _id } = await one({ name: 'K-1' })
  const start = now()
  clock('2026-03-05T12:00:00Z')
  await record(_id, { type: 'moved', site: north, occurredAt: '2026-03-03T09:00:00Z' })
  const excursion = { lowestTemperature: 9.5, highestTemperature: 14, minutes: 90 }
  await record(_id, { type: 'temperatureExcursion', reason: 'Fridge open', ...excursion })
  await record(_id, { type: 'released', reason: 'Stable up to 25 °C' })
  await assign(anna, _id, { occurredAt: '2026-03-05T12:00:00Z', reason: 'Visit 2' })
  clock('2026-03-20T12:00:00Z')
  await record(_id, { type: 'returned', units: 4 })
  await record(_id, { type: 'destroyed', reason: 'Certificate 4711' })
  const { events } = await owner.do('listPackEvents', _id)
  const common = { pack: _id, createdBy: owner._id, fromSite: null, units: null, reason: null, participant: null }
  const none = { lowestTemperature: null, highestTemperature: null, minutes: null }
  const [first, second, third] = [start, '2026-03-05T12:00:00.000000Z', '2026-03-20T12:00:00.000000Z']
  const at2 = { ...common, ...none, createdAt: second, occurredAt: second, site: north }
  const at3 = { ...at2, createdAt: third, occurredAt: third, participant: anna }
  expect(events.map(({ _id: _, ...event }) => event)).toEqual([
    { ...common, ...none, type: 'received', state: 'inStock', site: null, createdAt: first, occurredAt: first },
    { ...at2, type: 'moved', state: 'inStock', occurredAt: '2026-03-03T09:00:00.000000Z' },
    { ...at2, type: 'temperatureExcursion', state: 'quarantined', reason: 'Fridge open', ...excursion },
    { ...at2, type: 'released', state: 'inStock', reason: 'Stable up to 25 °C' },
    { ...at2, type: 'dispensed', state: 'dispensed', reason: 'Visit 2', participant: anna },
    { ...at3, type: 'returned', state: 'returned', units: 4 },
    { ...at3, type: 'destroyed', state: 'destroyed', reason: 'Certificate 4711' },
  ])
  const { entries } = await owner.do('readLogs', trial, { type: 'recordPackEvent' })
  expect(entries).toHaveLength(5)
  expect(firstOf(entries).event).toMatchObject({
    packId: _id,
    recorded: { type: 'destroyed', reason: 'Certificate 4711' },
  })
  expect(await owner.do('readPack', _id)).toMatchObject({ state: 'destroyed', participant: anna, unitsReturned: 4 })
})

const invalid: [object, number, string][] = [
  [{ type: 'lost' }, 422, 'reason'],
  [{ type: 'destroyed', reason: '  ' }, 422, 'reason'],
  [{ type: 'moved' }, 422, 'site'],
  [{ type: 'lost', reason: 'x', site: null }, 422, 'site'],
  [{ type: 'lost', reason: 'x', units: 3 }, 422, 'units'],
  [{ type: 'lost', reason: 'x', minutes: 3 }, 422, 'minutes'],
  [
    { type: 'temperatureExcursion', reason: 'x', lowestTemperature: 9, highestTemperature: 8 },
    422,
    'lowestTemperature',
  ],
  [{ type: 'received' }, 422, 'type'],
  [{ type: 'dispensed' }, 422, 'type'],
  [{ type: 'unassigned' }, 422, 'type'],
  [{ type: 'lost', reason: 'x', occurredAt: '2026-03-02T12:00:01Z' }, 400, 'future'],
  [{ type: 'lost', reason: 'x', occurredAt: '2026-03-02T11:59:59Z' }, 400, 'event before it'],
  [{ type: 'moved', site: null }, 400, 'where it is already'],
  [{ type: 'moved', site: 'f'.repeat(24) }, 400, 'no such site'],
]
test.each(invalid)('an event is refused: %j', async (body, status, where) => {
  const { one, record } = await packStudy()
  const answer = await record((await one())._id, body)
  expect(answer.status).toBe(status)
  if (status === 422) expect(Object.keys(answer.body.validations.json)).toEqual([where])
  else expect(answer.body.message).toContain(where)
})

describe('several packs', () => {
  test('get one event each, or none gets one', async () => {
    const { owner, create, record, south, trial } = await packStudy()
    const ids = (await create({}, {}, {})).map(({ _id }) => _id)
    const { events } = await owner.do('recordPackEvents', { ids, type: 'moved', site: south, reason: 'Shipment 3' })
    expect(events.map(({ pack, site, reason }) => [pack, site, reason])).toEqual(
      ids.map((id) => [id, south, 'Shipment 3']),
    )
    expect((await owner.do('readLogs', trial, { type: 'recordPackEvent' })).total).toBe(3)
    await record(ids[2]!, { type: 'lost', reason: 'x' })
    const { status } = await owner.call('POST', '/packs/events', { ids, type: 'destroyed', reason: 'x' })
    expect(status).toBe(400)
    const found = await Promise.all(ids.map((id) => owner.do('readPack', id)))
    expect(found.map(({ state }) => state)).toEqual(['inStock', 'inStock', 'lost'])
  })
})

describe('nothing is lost in silence', () => {
  test('the database itself refuses to change or delete events, and packs with a history', async () => {
    const s = await packStudy()
    const { $client: sqlite } = s.db
    const id = await inState(s, 'returned')
    for (const sql of ['UPDATE packEvents SET reason = 1', 'DELETE FROM packEvents', 'DELETE FROM packs'])
      expect(() => sqlite.run(sql)).toThrow(/append-only|are kept/)
    expect((await s.owner.call('DELETE', `/packs/${id}`)).body.message).toBe(
      'The pack “K-1” has a history (“dispensed”), so it cannot be deleted. Record it as lost, damaged or destroyed instead.',
    )
  })

  test('a pack that only was received can be deleted, one that was taken back cannot', async () => {
    const { owner, one, assign, anna, trial } = await packStudy()
    const [a, b] = [await one({ name: 'K-1' }), await one({ name: 'K-2' })]
    await assign(anna, b._id)
    await owner.do('unassignPack', trial, anna, b._id)
    expect((await owner.call('DELETE', `/packs/${a._id}`)).status).toBe(200)
    expect((await owner.call('DELETE', `/packs/${b._id}`)).status).toBe(400)
  })

  test('a participant who got a pack, and a site that held one, cannot be deleted; the trial can, with everything', async () => {
    const s = await packStudy()
    const { owner, at, anna, bert, north, south, trial, db } = s
    await inState(s, 'returned')
    const reason = 'registered twice'
    const single = await owner.call('DELETE', `${at}/participants/${anna}`, { reason })
    expect([single.status, single.body.message]).toEqual([
      400,
      '1 pack was dispensed to “P-1”, so the participant cannot be deleted. Withdraw them and erase their personal information instead.',
    ])
    const many = await owner.call('DELETE', `${at}/participants`, { participants: [bert, anna], reason })
    expect(many.status).toBe(400)
    expect((await owner.call('GET', `${at}/participants/${bert}`)).status).toBe(200)
    const site = await owner.call('DELETE', `/sites/${north}`)
    expect([site.status, site.body.message]).toEqual([
      400,
      '“North Hospital” cannot be deleted: it has packs in its accountability log, which must be kept. Set its activityStatus to closed.',
    ])
    await owner.do('deleteSite', south)
    await owner.do('deleteTrial', trial)
    for (const table of ['packTypes', 'packs', 'packEvents'])
      expect(db.$client.query(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 })
  })
})

test('whatever happens, the books of each place balance, and the state is that of the last event', async () => {
  const s = await packStudy()
  const { owner, at, anna, bert, north, south, drug, trial } = s
  const places = [null, north, south] as const
  const step = fc.record({
    pack: fc.nat(5),
    type: fc.constantFrom(...types),
    place: fc.constantFrom(...places),
    who: fc.constantFrom(anna, bert),
    units: fc.nat(9),
  })
  const run = async (steps: { pack: number; type: EventType; place: string | null; who: string; units: number }[]) => {
    const packs = (
      await s.create(...places.flatMap((place) => [{ assignedToSite: place }, { assignedToSite: place }]))
    ).map(({ _id }) => _id)
    for (const { pack, type, place, who, units } of steps) {
      const id = packs[pack]!
      if (type === 'dispensed') await s.assign(who, id)
      else if (type === 'unassigned') await owner.call('DELETE', `${at}/participants/${who}/packs/${id}`)
      else if (type === 'moved') await s.record(id, { type, site: place })
      else if (type === 'returned') await s.record(id, { type, units })
      else await s.record(id, { type, reason: 'x' })
    }
    const { balances } = await owner.do('readPackAccountability', trial)
    expect(balances.map(({ difference }) => difference).filter(Boolean)).toEqual([])
    expect(balances.every(({ packType }) => packType === drug)).toBe(true)
    const received = balances.reduce((sum, each) => sum + each.received, 0)
    expect(s.db.$client.query('SELECT count(*) AS n FROM packs').get()).toEqual({ n: received })
    const wrong = s.db.$client.query(
      `SELECT p._id FROM packs p JOIN packEvents e ON e.pack = p._id
       WHERE e._id = (SELECT max(_id) FROM packEvents WHERE pack = p._id)
       AND (e.state <> p.state OR e.site IS NOT p.assignedToSite
         OR (p.participant IS NOT NULL AND p.state IN ('inStock', 'quarantined')))`,
    )
    expect(wrong.all()).toEqual([])
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 15 }), run), { numRuns: runs(15) })
  const { lines } = await owner.do('readPackAccountability', trial, { site: north })
  const { balances } = await owner.do('readPackAccountability', trial, { site: north })
  const { received, movedIn } = firstOf(balances)
  // A pack that came back is one line of the log.
  expect(lines.length).toBeLessThanOrEqual(received + movedIn)
  expect(lines.length).toBeGreaterThanOrEqual(received)
})
