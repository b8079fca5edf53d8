import { describe, expect, test } from 'bun:test'
import { rowById } from '#db/rows'
import { participants, trials } from '#db/tables/index'
import { newId } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import { assignAvailablePack } from '#office/packs/assignments/assign'
import { type PackStudy, packStudy } from '../pack.study'

const packsOf = ({ owner, at, anna }: PackStudy, query: '' | `?${string}` = '') =>
  owner.get<'listParticipantPacks'>(`${at}/participants/${anna}/packs${query}`)

const availableNames = async (s: PackStudy, query = '') =>
  (await packsOf(s, `?availableOnly=true${query}`)).packs.map(({ name }) => name)

test('an assigned pack carries the participant and when, is theirs, and is available no more', async () => {
  const s = await packStudy()
  const { owner, at, anna, north, now, trial } = s
  const pack = await s.one({ name: 'K-1', assignedToSite: north })
  expect(await availableNames(s)).toEqual(['K-1'])
  const assigned = await owner.do('assignPack', trial, anna, pack._id)
  expect(assigned).toEqual({ ...pack, state: 'dispensed', participant: anna, assignedAt: now() })
  expect((await packsOf(s)).packs).toEqual([assigned])
  expect(await availableNames(s)).toEqual([])
  const { entries } = await owner.do('readLogs', trial, { type: 'assignPack' })
  expect(entries).toMatchObject([{ participantId: 'P-1', event: { packId: pack._id, site: north } }])
  const back = await owner.do('unassignPack', trial, anna, pack._id, { reason: 'Wrong shelf' })
  expect(back).toEqual(pack)
  expect((await packsOf(s)).packs).toEqual([])
  expect(await availableNames(s)).toEqual(['K-1'])
  const again = await owner.call('DELETE', `${at}/participants/${anna}/packs/${pack._id}`)
  expect([again.status, again.body.message]).toEqual([400, 'The pack is not assigned to this participant.'])
})

test('forty who ask for the last pack at once: one gets it, the others a clear refusal', async () => {
  const { owner, at, one, north, db, trial } = await packStudy()
  const { participants: many } = await owner.do('registerParticipants', trial, {
    participants: Array.from({ length: 40 }, (_, n) => ({ participantId: `Q-${n}` })),
  })
  for (const { _id } of many) await owner.do('addSiteMember', north, _id)
  const pack = await one({ name: 'K-1', assignedToSite: north })
  const ask = (participant: string) => owner.call('PUT', `${at}/participants/${participant}/packs/${pack._id}`)
  const answers = await Promise.all(many.map(({ _id }) => ask(_id)))
  const refusals = answers.filter(({ status }) => status !== 200)
  expect(refusals).toHaveLength(39)
  for (const { status, body } of refusals)
    expect([status, body.message]).toEqual([400, 'The pack “K-1” is assigned to another participant already.'])
  expect(db.$client.query(`SELECT count(*) AS n FROM packEvents WHERE type = 'dispensed'`).get()).toEqual({ n: 1 })
  const same = await Promise.all(
    Array.from({ length: 5 }, () => ask(answers.find(({ status }) => status === 200)!.body.participant)),
  )
  expect(same.map(({ status, body }) => [status, body.message])).toEqual(
    Array(5).fill([400, 'The pack “K-1” is assigned to this participant already.']),
  )
})

test('with one Idempotency-Key, two requests at once assign once and both succeed', async () => {
  const { owner, at, anna, one } = await packStudy()
  const { _id } = await one()
  const ask = () =>
    owner.call('PUT', `${at}/participants/${anna}/packs/${_id}`, {}, { headers: { 'Idempotency-Key': 'k' } })
  const [a, b] = await Promise.all([ask(), ask()])
  expect([a.status, b.status, a.body]).toEqual([200, 200, b.body])
})

describe('why a participant cannot get a pack', () => {
  const reasons: [string, object, string][] = [
    ['another site', { site: 'south' }, 'is at a site to which the participant does not belong.'],
    ['another group', { group: 'armB' }, 'is not for a group of this participant.'],
    ['expired', { expiryDate: '2026-03-01' }, 'expired on 2026-03-01.'],
    ['damaged', { event: 'damaged' }, 'is damaged: it cannot be dispensed.'],
    ['quarantined', { event: 'temperatureExcursion' }, 'is in quarantine: it cannot be dispensed.'],
    ['destroyed', { event: 'destroyed' }, 'is destroyed: it cannot be dispensed.'],
    ['lost', { event: 'lost' }, 'is lost: it cannot be dispensed.'],
  ]
  test.each(reasons)(
    '%s',
    async (_, given: { site?: string; group?: string; expiryDate?: string; event?: string }, message) => {
      const s = await packStudy()
      const { _id } = await s.one({
        name: 'K-1',
        assignedToSite: given.site ? s.south : s.north,
        ...(given.group && { availableToGroups: [s.armB] }),
        ...(given.expiryDate && { expiryDate: given.expiryDate }),
      })
      if (given.event) await s.record(_id, { type: given.event, reason: 'x' })
      const { status, body } = await s.assign(s.anna, _id)
      expect([status, body.message]).toEqual([400, `The pack “K-1” ${message}`])
      expect(await availableNames(s)).toEqual([])
      expect(await s.owner.do('readPack', _id)).toMatchObject({ participant: null })
    },
  )

  test('is told by codes too', async () => {
    const s = await packStudy()
    const { _id } = await s.one({ name: 'K-1' })
    await s.record(_id, { type: 'quarantined', reason: 'x' })
    const params = { pack: 'K-1', state: { code: 'stateQuarantined' }, event: { code: 'eventDispensed' } }
    const details = { code: 'impossibleEvent', params, state: 'quarantined' }
    expect((await s.assign(s.anna, _id)).body.details).toEqual(details)
  })

  test('the participant has withdrawn, or is archived', async () => {
    const s = await packStudy()
    const { _id } = await s.one({ name: 'K-1' })
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    expect((await s.assign(s.anna, _id)).body.message).toBe('The participant “P-1” has withdrawn.')
    expect(await availableNames(s)).toEqual([])
    await s.owner.do('updateParticipant', s.trial, s.bert, { isArchived: true })
    expect((await s.assign(s.bert, _id)).body.message).toBe('The participant “P-2” is archived.')
  })

  test('a pack or participant of another trial is not found', async () => {
    const s = await packStudy()
    const { owner, team, anna } = s
    const other = (await owner.do('createTrial', team, { name: 'Another' }))._id
    const type = await owner.do('createPackType', other, { name: 'Other' })
    const { packs } = await owner.do('createPacks', other, { packType: type._id })
    expect((await s.assign(anna, packs[0]!._id)).status).toBe(404)
    expect((await owner.call('PUT', `/trials/${other}/participants/${anna}/packs/${packs[0]!._id}`)).status).toBe(404)
  })

  test('a permission at the site of the participant does not reach packs elsewhere', async () => {
    const s = await packStudy()
    const { staff, trial, north, at, anna } = s
    const local = staff(trial, ['site.assignPacks', 'site.readParticipants'], north)
    const [depot, own] = [await s.one({ name: 'depot' }), await s.one({ name: 'own', assignedToSite: north })]
    const { packs } = await local.do('listParticipantPacks', trial, anna, { availableOnly: true })
    expect(packs.map(({ name }) => name)).toEqual(['own'])
    expect((await local.call('PUT', `${at}/participants/${anna}/packs/${depot._id}`)).status).toBe(404)
    expect((await local.call('PUT', `${at}/participants/${anna}/packs/${own._id}`)).status).toBe(200)
    expect((await local.call('POST', `/packs/${own._id}/events`, { type: 'lost', reason: 'x' })).status).toBe(403)
    expect((await local.call('POST', `/packs/${own._id}/events`, { type: 'returned', units: 1 })).status).toBe(200)
  })
})

describe('available packs', () => {
  test('are those of the right site, group and type, in the order in which they are given out', async () => {
    const s = await packStudy()
    const { owner, north, south, armA, armB, placebo, drug, trial } = s
    await s.create(
      { name: 'late', assignedToSite: north, expiryDate: '2027-12-31' },
      { name: 'never 2', assignedToSite: north },
      { name: 'soon', assignedToSite: north, expiryDate: '2026-03-02' },
      { name: 'never 1' },
      { name: 'mine', availableToGroups: [armA], expiryDate: '2026-06-30' },
      { name: 'theirs', availableToGroups: [armB] },
      { name: 'there', assignedToSite: south },
      { name: 'expired', assignedToSite: north, expiryDate: '2026-03-01' },
    )
    await owner.do('createPacks', trial, { packType: placebo, name: 'placebo', expiryDate: '2026-07-01' })
    const expected = ['soon', 'mine', 'placebo', 'late', 'never 1', 'never 2']
    expect(await availableNames(s)).toEqual(expected)
    expect(await availableNames(s, `&packType=${drug}`)).toEqual(expected.filter((name) => name !== 'placebo'))
    expect(await availableNames(s, `&packType=${'f'.repeat(24)}`)).toEqual([])
    // Page by page.
    const names: (string | null | undefined)[] = []
    for (let after = ''; ; ) {
      const page = await packsOf(s, `?availableOnly=true&perPage=2${after}`)
      names.push(...page.packs.map(({ name }) => name))
      if (page.next === null) break
      after = `&after=${page.next}`
    }
    expect(names).toEqual(expected)
  })

  test('the day of expiry is that of the zone of the trial', async () => {
    const s = await packStudy()
    await s.create({ name: 'K-1', expiryDate: '2026-03-02' })
    s.clock('2026-03-02T23:30:00Z')
    expect(await availableNames(s)).toEqual(['K-1'])
    await s.owner.do('updateTrial', s.trial, { timezone: 'Asia/Tokyo' })
    expect(await availableNames(s)).toEqual([])
    await s.owner.do('updateTrial', s.trial, { timezone: 'America/New_York' })
    s.clock('2026-03-03T04:59:00Z')
    expect(await availableNames(s)).toEqual(['K-1'])
    s.clock('2026-03-03T05:00:00Z')
    expect(await availableNames(s)).toEqual([])
  })
})

describe('assigning an available pack inside a transaction', () => {
  const inside = (s: PackStudy, site: string | null, packType = s.drug) => {
    const now = parseInstant(s.now())!
    const { services } = s.service
    const participant = rowById(s.db, participants, s.anna)!
    return services.commit(() =>
      assignAvailablePack(
        { db: s.db, now, id: () => newId(now), caller: { user: s.owner }, trial: rowById(s.db, trials, s.trial)! },
        { participant, packType, site },
      ),
    )
  }

  test('takes the pack that expires first, then by name', async () => {
    const s = await packStudy()
    const at = { assignedToSite: s.north }
    await s.create(
      { ...at, name: 'b' },
      { ...at, name: 'a' },
      { ...at, name: 'z', expiryDate: '2026-03-02' },
      { ...at, name: 'y', expiryDate: '2026-03-01' },
      { name: '0' },
    )
    const names: (string | null)[] = []
    for (let n = 0; n < 3; n++) names.push((await inside(s, s.north)).name)
    expect(names).toEqual(['z', 'a', 'b'])
    expect((await inside(s, null)).name).toBe('0')
    const theirs = (await s.owner.do('listParticipantPacks', s.trial, s.anna)).packs
    expect(theirs.map(({ name }) => name).sort()).toEqual(['0', 'a', 'b', 'z'])
  })

  test('refuses with the reason, without naming the type', async () => {
    const s = await packStudy()
    const at = { assignedToSite: s.north }
    const [, quarantined] = await s.create({ ...at, expiryDate: '2026-03-01' }, at, {
      ...at,
      availableToGroups: [s.armB],
    })
    await s.record(quarantined!._id, { type: 'quarantined', reason: 'x' })
    const message = (site: string | null) => inside(s, site).then(String, (reason: Error) => reason.message)
    expect(await message(s.north)).toBe(
      'No pack for this participant is left at “North Hospital”: 1 expired, 1 in quarantine, 1 for other groups.',
    )
    expect(await message(null)).toBe('No pack for this participant is left at trial level.')
    await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
    expect(await message(s.north)).toBe('The participant “P-1” has withdrawn.')
  })
})
