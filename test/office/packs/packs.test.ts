import { describe, expect, test } from 'bun:test'
import type { Id } from '#kernel/id'
import { firstOf, present } from '../../present'
import { packStudy } from './pack.study'

describe('creating', () => {
  test('one pack has defaults, and is received at trial level now', async () => {
    const { owner, drug, trial, now } = await packStudy()
    const { packs } = await owner.do('createPacks', trial, { packType: drug })
    const pack = firstOf(packs)
    expect(packs).toEqual([
      {
        ...{ _id: pack._id, createdAt: now(), createdBy: owner._id, trial, packType: drug, name: null },
        ...{ batchNumber: null, expiryDate: null, extended: {}, assignedToSite: null },
        ...{ availableToAllGroups: true, availableToGroups: [], state: 'inStock', participant: null },
        ...{ assignedAt: null, unitsReturned: null },
      },
    ])
    const { events } = await owner.do('listPackEvents', pack._id)
    expect(events).toMatchObject([
      { type: 'received', state: 'inStock', site: null, createdAt: now(), occurredAt: now(), createdBy: owner._id },
    ])
    expect(await owner.do('readPack', pack._id)).toEqual(pack)
  })

  test('five hundred of a type at once, with all fields; five hundred and one are refused', async () => {
    const { owner, at, drug, north, armA, trial } = await packStudy()
    const packs = Array.from({ length: 501 }, (_, n) => ({
      ...{ name: `K-${n}`, batchNumber: 'B-1', expiryDate: '2027-01-31', assignedToSite: north },
      ...{ extended: { tablets: n, opened: '2026-03-01T10:00:00Z' }, availableToGroups: [armA] },
      receivedAt: '2026-03-01T09:00:00Z',
    }))
    expect((await owner.call('POST', `${at}/packs`, { packType: drug, packs })).status).toBe(422)
    expect((await owner.call('POST', `${at}/packs`, { packType: drug, packs: [] })).status).toBe(422)
    const created = await owner.do('createPacks', trial, { packType: drug, packs: packs.slice(0, 500) })
    expect(created.packs).toHaveLength(500)
    expect(created.packs[7]).toMatchObject({
      ...{ name: 'K-7', batchNumber: 'B-1', expiryDate: '2027-01-31', assignedToSite: north },
      ...{ extended: { tablets: 7, opened: '2026-03-01T10:00:00.000000Z' } },
      ...{ availableToGroups: [armA], availableToAllGroups: false, packType: drug },
    })
    const { events } = await owner.do('listPackEvents', present(created.packs[7])._id)
    expect(events.map(({ occurredAt, site }) => [occurredAt, site])).toEqual([['2026-03-01T09:00:00.000000Z', north]])
    const { total } = await owner.do('readLogs', trial, { type: 'createPack' })
    expect(total).toBe(500)
  })

  const wrong: [object, number, string][] = [
    [{ name: 'x'.repeat(201) }, 422, 'packs.1.name'],
    [{ batchNumber: 'x'.repeat(101) }, 422, 'packs.1.batchNumber'],
    [{ expiryDate: '2027-02-30' }, 422, 'packs.1.expiryDate'],
    [{ extended: { tablets: 1.5 } }, 422, 'packs.1.extended.tablets'],
    [{ extended: { colour: 'red' } }, 422, 'packs.1.extended.colour'],
    [{ extended: [] }, 422, 'packs.1.extended'],
    [{ participant: '0'.repeat(24) }, 422, 'packs.1.participant'],
    [{ assignedToSite: 'f'.repeat(24) }, 400, 'site'],
    [{ availableToGroups: ['f'.repeat(24)] }, 400, 'group'],
    [{ receivedAt: '2026-03-03T00:00:00Z' }, 400, 'future'],
  ]
  test.each(wrong)('one wrong pack refuses all: %j', async (fields, status, where) => {
    const { owner, at, drug, db } = await packStudy()
    const { status: actual, body } = await owner.call('POST', `${at}/packs`, {
      packType: drug,
      packs: [{ name: 'K-1' }, { name: 'K-2', ...fields }],
    })
    expect(actual).toBe(status)
    if (status === 422) expect(Object.keys(body.details.fields)).toContain(where)
    else expect(body.message).toContain(where)
    expect(db.$client.query('SELECT count(*) AS n FROM packs').get()).toEqual({ n: 0 })
    expect(db.$client.query('SELECT count(*) AS n FROM packEvents').get()).toEqual({ n: 0 })
  })

  test('a type of another trial, and a field that the type does not have, are refused', async () => {
    const { owner, at, team, drug, trial } = await packStudy()
    const other = (await owner.do('createTrial', team, { name: 'Another' }))._id
    expect((await owner.call('POST', `/trials/${other}/packs`, { packType: drug })).status).toBe(400)
    const bare = await owner.do('createPackType', trial, { name: 'Bare', standardFields: ['name'] })
    const { status, body } = await owner.call('POST', `${at}/packs`, { packType: bare._id, batchNumber: 'B-1' })
    expect([status, body.details.fields]).toEqual([422, { batchNumber: 'The pack type does not have this field.' }])
    expect(
      firstOf((await owner.do('createPacks', trial, { packType: bare._id, batchNumber: '  ' })).packs).batchNumber,
    ).toBeNull()
  })
})

describe('changing', () => {
  test('sent fields change, others stay; extended values one by one; what a read gave can be sent back', async () => {
    const { owner, one, armA } = await packStudy()
    const pack = await one({ name: 'K-1', batchNumber: 'B-1', extended: { tablets: 28 } })
    const opened = '2026-03-01T10:00:00.000000Z'
    const changed = await owner.do('updatePack', pack._id, { extended: { opened }, expiryDate: '2027-01-31' })
    expect(changed).toEqual({ ...pack, extended: { tablets: 28, opened }, expiryDate: '2027-01-31' })
    const { participant: _p, assignedAt: _a, ...settable } = changed
    const limited = await owner.do('updatePack', pack._id, {
      ...settable,
      extended: { tablets: null },
      availableToGroups: [armA],
      availableToAllGroups: undefined,
    })
    expect(limited).toMatchObject({
      extended: { opened },
      availableToGroups: [armA],
      availableToAllGroups: false,
      name: 'K-1',
    })
    expect(await owner.do('updatePack', pack._id, { availableToGroups: [] })).toMatchObject({
      availableToAllGroups: false,
    })
    const { entries } = await owner.do('readLogs', pack.trial, { type: 'updatePack' })
    expect(entries.at(-1)?.event).toMatchObject({
      packId: pack._id,
      before: { expiryDate: null },
      after: { expiryDate: '2027-01-31' },
    })
  })

  test('the type cannot be changed, nor what the service sets', async () => {
    const { owner, one, placebo, anna } = await packStudy()
    const url = `/packs/${(await one())._id}` as const
    expect((await owner.call('PUT', url, { packType: placebo })).status).toBe(400)
    expect((await owner.call('PUT', url, { participant: anna })).body.details.fields).toEqual({
      participant:
        'This operation does not set it: use PUT /trials/:trialId/participants/:participantId/packs/:packId.',
    })
    expect((await owner.call('PUT', url, { state: 'lost' })).body.state).toBe('inStock')
  })

  test('a new site is recorded as moved, with both places', async () => {
    const { owner, one, north, south } = await packStudy()
    const { _id } = await one({ assignedToSite: north })
    await owner.do('updatePack', _id, { assignedToSite: south })
    await owner.do('updatePack', _id, { assignedToSite: south, name: 'K-1' })
    const { events } = await owner.do('listPackEvents', _id)
    expect(events.map(({ type, site, fromSite }) => [type, site, fromSite])).toEqual([
      ['received', north, null],
      ['moved', south, north],
    ])
  })

  test('a deleted group stays in packs, limits them to nobody, and may be sent back', async () => {
    const { owner, one, armB, anna, trial } = await packStudy()
    const pack = await one({ availableToGroups: [armB] })
    await owner.do('deleteGroup', armB)
    const { name, availableToGroups } = await owner.do('updatePack', pack._id, {
      availableToGroups: [armB],
      name: 'K-1',
    })
    expect([name, availableToGroups]).toEqual(['K-1', [armB]])
    expect((await owner.do('listParticipantPacks', trial, anna, { availableOnly: true })).packs).toEqual([])
  })
})

describe('many at once', () => {
  test('all are changed, each with its entry; an _id that is named twice counts once', async () => {
    const { owner, create, south, trial } = await packStudy()
    const ids = (await create({ name: 'K-1' }, { name: 'K-2' }, { name: 'K-3' })).map(({ _id }) => _id)
    const { packs } = await owner.do('updatePacks', {
      ids: [...ids, ids[0]],
      ...{ batchNumber: 'B-9', assignedToSite: south, extended: { tablets: 7 } },
    })
    expect(
      packs.map(({ name, batchNumber, assignedToSite, extended }) => [name, batchNumber, assignedToSite, extended]),
    ).toEqual(['K-1', 'K-2', 'K-3'].map((name) => [name, 'B-9', south, { tablets: 7 }]))
    expect((await owner.do('readLogs', trial, { type: 'updatePack' })).total).toBe(3)
    expect((await owner.do('listPackEvents', ids[0]!)).events.map(({ type }) => type)).toEqual(['received', 'moved'])
  })

  test('one that cannot be changed refuses all', async () => {
    const { owner, create, record, south, page, trial } = await packWithPage()
    const ids = (await create({ name: 'K-1' }, { name: 'K-2' })).map(({ _id }) => _id)
    await record(ids[1]!, { type: 'destroyed', reason: 'Broken' })
    const before = await page()
    expect((await owner.call('PUT', '/packs/update', { ids, assignedToSite: south })).status).toBe(400)
    expect((await owner.call('PUT', '/packs/update', { ids, extended: { tablets: 'many' } })).status).toBe(422)
    expect((await owner.call('PUT', '/packs/update', { ids: [...ids, 'f'.repeat(24)], name: 'x' })).status).toBe(404)
    expect((await owner.call('PUT', '/packs/update', { ids: [], name: 'x' })).status).toBe(422)
    expect((await owner.call('POST', '/packs/delete', { ids })).status).toBe(400)
    expect(await page()).toEqual(before)
    expect((await owner.do('readLogs', trial, { type: 'updatePack' })).total).toBe(0)
  })

  test('packs of two trials are refused, and those of another team are not found', async () => {
    const { owner, team, one, neighbours } = await packStudy()
    const stranger = neighbours().owner
    const other = (await owner.do('createTrial', team, { name: 'Another' }))._id
    const type = await owner.do('createPackType', other, { name: 'Other' })
    const theirs = firstOf((await owner.do('createPacks', other, { packType: type._id })).packs)
    const ids = [(await one())._id, theirs._id]
    for (const [method, url, body] of [
      ['PUT', '/packs/update', { ids, name: 'x' }],
      ['POST', '/packs/delete', { ids }],
      ['POST', '/packs/events', { ids, type: 'lost', reason: 'x' }],
    ] as const) {
      const { status, body: answer } = await owner.call(method, url, body)
      expect([status, answer.message]).toEqual([
        400,
        'These packs belong to several trials. Name the packs of one trial at a time.',
      ])
      expect((await stranger.call(method, url, body)).status).toBe(404)
    }
  })

  test('packs are deleted together, and the log keeps them', async () => {
    const { owner, create, page, trial } = await packWithPage()
    const ids = (await create({ name: 'K-1' }, { name: 'K-2' })).map(({ _id }) => _id)
    expect(await owner.do('deletePacks', { ids })).toEqual({})
    expect((await page()).packs).toEqual([])
    const { entries } = await owner.do('readLogs', trial, { type: 'deletePack' })
    expect(entries.map(({ event }) => event)).toMatchObject([{ before: { name: 'K-2' } }, { before: { name: 'K-1' } }])
  })
})

async function packWithPage() {
  const s = await packStudy()
  return { ...s, page: () => s.owner.do('listPacks', s.trial) }
}

describe('who may', () => {
  type Ask = (s: Awaited<ReturnType<typeof packStudy>>, id: Id) => readonly [string, string, object?]
  const asks: Record<string, Ask> = {
    list: ({ at }) => ['GET', `${at}/packs`],
    read: (_, id) => ['GET', `/packs/${id}`],
    events: (_, id) => ['GET', `/packs/${id}/events`],
    account: ({ at }) => ['GET', `${at}/packs/accountability`],
    create: ({ at, drug, north }) => ['POST', `${at}/packs`, { packType: drug, assignedToSite: north }],
    import: ({ at, drug }) => ['POST', `${at}/packs/import`, { packType: drug, content: 'name,site\nK-9,N1\n' }],
    change: (_, id) => ['PUT', `/packs/${id}`, { name: 'x' }],
    changeMany: (_, id) => ['PUT', '/packs/update', { ids: [id], name: 'x' }],
    assign: ({ at, anna }, id) => ['PUT', `${at}/participants/${anna}/packs/${id}`],
    unassign: ({ at, anna }, id) => ['DELETE', `${at}/participants/${anna}/packs/${id}`],
    record: (_, id) => ['POST', `/packs/${id}/events`, { type: 'temperatureExcursion', reason: 'x' }],
    recordMany: (_, id) => ['POST', '/packs/events', { ids: [id], type: 'released', reason: 'x' }],
    delete: ({ one: _ }, id) => ['DELETE', `/packs/${id}`],
    deleteMany: (_, id) => ['POST', '/packs/delete', { ids: [id] }],
  }
  const reading = ['list', 'read', 'events', 'account']
  const writing = [...reading, 'create', 'import', 'change', 'changeMany', 'record', 'recordMany']
  const assigning = ['assign', 'unassign']
  const people: [string, 'trial' | 'north', string[]][] = [
    ['trial.read', 'trial', reading],
    ['trial.write', 'trial', [...writing, ...assigning]],
    ['trial.admin', 'trial', Object.keys(asks)],
    ['trial.listPacks', 'trial', reading],
    ['trial.writePacks', 'trial', writing],
    ['trial.assignPacks', 'trial', assigning],
    ['trial.deletePacks', 'trial', [...reading, 'delete', 'deleteMany']],
    ['site.listPacks', 'north', reading],
    ['site.writePacks', 'north', writing],
    ['site.admin', 'north', [...writing, ...assigning]],
    ['site.deletePacks', 'north', reading],
    ['trial.manageWallet', 'trial', []],
  ]
  test.each(people)('%s on the %s', async (word, where, may) => {
    const s = await packStudy()
    const person = s.staff(s.trial, [word], s[where])
    if (word === 'trial.assignPacks')
      s.db.$client.run(
        `UPDATE permissions SET keys = '["trial.assignPacks","trial.readParticipants"]' WHERE user = '${person._id}'`,
      )
    const { _id } = await s.one({ assignedToSite: s.north })
    const done: string[] = []
    const others = new Set<number>()
    for (const [name, ask] of Object.entries(asks)) {
      const isDeletion = name.startsWith('delete')
      const id = isDeletion ? (await s.one({ assignedToSite: s.north }))._id : _id
      const { status } = await person.call(...(ask(s, id) as ['GET', string, object]))
      if (status === 200) done.push(name)
      else others.add(status)
    }
    expect(done.sort()).toEqual([...may].sort())
    expect([...others].filter((status) => status !== 403)).toEqual([])
  })

  test('an account of a site sees the packs of its site only, by no way others', async () => {
    const { staff, trial, north, south, one, at, anna, bert, drug, owner } = await packStudy()
    const [here, there, depot] = [
      await one({ name: 'here', assignedToSite: north }),
      await one({ name: 'there', assignedToSite: south }),
      await one({ name: 'depot' }),
    ]
    const local = staff(trial, ['site.admin'], north)
    expect((await local.do('listPacks', trial)).packs.map(({ name }) => name)).toEqual(['here'])
    for (const query of [
      `?site=${south}`,
      '?site=null',
      `?packType=${drug}&site=${south}`,
      '?term=there',
      '?term=depot',
    ])
      expect([query, (await local.get<'listPacks'>(`${at}/packs${query}` as `/trials/${string}/packs`)).packs]).toEqual(
        [query, []],
      )
    const csv = (await local.do('listPacks', trial, { format: 'csv' })).csv
    expect([csv.includes('here'), csv.includes('there'), csv.includes('depot')]).toEqual([true, false, false])
    const { balances, lines } = await local.do('readPackAccountability', trial)
    expect([balances.map(({ site }) => site), lines.map(({ name }) => name)]).toEqual([[north], ['here']])
    expect((await local.do('readPackAccountability', trial, { site: south })).lines).toEqual([])
    for (const { _id } of [there, depot]) {
      for (const [method, url, body] of [
        ['GET', `/packs/${_id}`],
        ['GET', `/packs/${_id}/events`],
        ['PUT', `/packs/${_id}`, { name: 'x' }],
        ['PUT', '/packs/update', { ids: [here._id, _id], name: 'x' }],
        ['POST', `/packs/${_id}/events`, { type: 'lost', reason: 'x' }],
        ['POST', '/packs/events', { ids: [here._id, _id], type: 'lost', reason: 'x' }],
        ['PUT', `${at}/participants/${anna}/packs/${_id}`],
        ['DELETE', `${at}/participants/${anna}/packs/${_id}`],
        ['DELETE', `/packs/${_id}`],
      ] as const)
        expect([method, url, (await local.call(method, url, body)).status]).toEqual([method, url, 404])
    }
    // It neither sends packs away, nor takes some in that are elsewhere, nor creates some at trial level.
    expect((await local.call('PUT', `/packs/${here._id}`, { assignedToSite: null })).status).toBe(403)
    expect((await local.call('PUT', `/packs/${here._id}`, { assignedToSite: south })).status).toBe(404)
    expect((await local.call('POST', `${at}/packs`, { packType: drug })).status).toBe(403)
    expect((await local.call('GET', `${at}/participants/${bert}/packs`)).status).toBe(404)
    expect((await owner.do('readPack', here._id)).assignedToSite).toBe(north)
  })

  test('the participant of a pack is left out for whoever may not see them', async () => {
    const { staff, trial, north, south, one, assign, anna, owner, at, db } = await packStudy()
    const pack = await one({ name: 'K-1', assignedToSite: north })
    await assign(anna, pack._id)
    await owner.do('removeSiteMember', north, anna)
    await owner.do('addSiteMember', south, anna)
    const local = staff(trial, ['site.admin'], north)
    const read = await local.do('readPack', pack._id)
    expect([read.state, 'participant' in read]).toEqual(['dispensed', false])
    const { events } = await local.do('listPackEvents', pack._id)
    expect(events.map((event) => 'participant' in event)).toEqual([true, false])
    const { lines } = await local.do('readPackAccountability', trial)
    expect(lines.map((line) => 'participantId' in line)).toEqual([false])
    for (const text of [
      JSON.stringify((await local.call('GET', `${at}/packs`)).body),
      (await local.do('listPacks', trial, { format: 'csv' })).csv,
      (await local.do('readPackAccountability', trial, { format: 'csv' })).csv,
    ])
      expect([text.includes(anna), text.includes('P-1')]).toEqual([false, false])
    expect(db.$client.query('SELECT participant FROM packs').get()).toEqual({ participant: anna })
  })

  test('a group account sees packs that are limited to its group', async () => {
    const { staff, trial, armA, armB, create } = await packStudy()
    await create({ name: 'a', availableToGroups: [armA] }, { name: 'b', availableToGroups: [armB] }, { name: 'all' })
    const person = staff(trial, ['group.read'], armA)
    expect((await person.do('listPacks', trial)).packs.map(({ name }) => name)).toEqual(['a'])
  })
})
