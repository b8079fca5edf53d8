/** What a blinded person could conclude from the packs that a randomisation gives. */
import { describe, expect, test } from 'bun:test'
import type { Id } from '#kernel/id'
import type { Person } from '../../harness'
import { type RandomisedStudy, randomisedStudy, secretNames } from '../randomisation/randomisation.study'

const ALTERNATING = {
  method: 'list',
  blockSizes: [],
  seed: null,
  list: `arm\n${`${secretNames.arm}\n${secretNames.otherArm}\n`.repeat(12)}`,
}

/** The packs at the northern site, by expiry date and name, as a blinded person sees them. */
async function stockOf(s: RandomisedStudy) {
  const { packs } = await s.staff(s.trial, ['trial.listPacks']).do('listPacks', s.trial, { site: s.north })
  const order = ({ expiryDate, name }: (typeof packs)[number]) => `${expiryDate ?? '9999'} ${name}`
  return packs.filter(({ state }) => state === 'inStock').sort((a, b) => (order(a) < order(b) ? -1 : 1))
}

const typeOf = (s: RandomisedStudy, pack: Id) =>
  (s.db.$client.query('SELECT packType FROM packs WHERE _id = ?').get(pack) as { packType: Id }).packType

describe('packs of concealed types', () => {
  test('are drawn: those that come before the one that is given are of all types', async () => {
    const s = await randomisedStudy()
    const sealed = await s.sealed(ALTERNATING)
    const passedOver: boolean[] = []
    for (let n = 1; n <= 12; n++) {
      const before = await stockOf(s)
      const { body } = await s.allocate(sealed, s.person(n))
      const at = before.findIndex(({ _id }) => _id === body.pack._id)
      for (const { _id } of before.slice(0, at)) passedOver.push(typeOf(s, _id) === typeOf(s, body.pack._id))
      expect(typeOf(s, body.pack._id)).toBe(n % 2 ? s.verum : s.sham)
    }
    expect(passedOver).toContain(true)
    expect(passedOver).toContain(false)
  })

  test('are those that expire first of the dates that all types have', async () => {
    const s = await randomisedStudy()
    const expiring = (packType: Id, days: string[]) => {
      s.db.$client.run(`UPDATE packs SET expiryDate = NULL, state = 'lost' WHERE packType = ?`, [packType])
      for (const day of days)
        s.db.$client.run(
          `UPDATE packs SET expiryDate = ?, state = 'inStock' WHERE _id =
             (SELECT _id FROM packs WHERE packType = ? AND assignedToSite = ? AND state = 'lost' LIMIT 1)`,
          [day, packType, s.north],
        )
    }
    expiring(s.verum, ['2026-03-01', '2026-04-01', '2026-05-01', '2026-07-01', '2026-08-01'])
    expiring(s.sham, ['2026-03-01', '2026-05-01', '2026-06-01', '2026-08-01', '2026-09-01'])
    const sealed = await s.sealed(ALTERNATING)
    const days: (string | null | undefined)[] = []
    for (let n = 1; n <= 4; n++) {
      const { body } = await s.allocate(sealed, s.person(n))
      days.push((await s.owner.do('readPack', body.pack._id)).expiryDate)
    }
    // The second date that both have is the only one left of them after the first allocation.
    expect(days.slice(0, 2)).toEqual(['2026-05-01', '2026-08-01'])
    expect(days.slice(2).every((day) => day !== null && day !== undefined && day > '2026-03-02')).toBe(true)
  })

  test('do not go from one participant to another', async () => {
    const s = await randomisedStudy()
    const [other] = await stockOf(s)
    const own = `/trials/${s.trial}/participants/${s.person(2)}/packs/${other!._id}` as const
    await s.owner.put<'assignPack'>(own)
    const sealed = await s.sealed(ALTERNATING)
    const { body } = await s.allocate(sealed, s.person(1))
    const at = `/trials/${s.trial}/participants/${s.person(1)}/packs/${body.pack._id}` as const
    const before = await s.owner.do('readPack', body.pack._id)
    const refused = await s.owner.call('DELETE', at)
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringMatching(/^A blinded randomisation gave/),
    ])
    expect(await s.owner.do('readPack', body.pack._id)).toEqual(before)
    expect((await s.owner.call('POST', `/packs/${body.pack._id}/events`, { type: 'returned' })).status).toBe(200)
    // A pack that a person assigned before the sealing may be taken back, whatever its type.
    expect((await s.owner.call('DELETE', own)).status).toBe(200)
  })

  test('are given to all arms or to none', async () => {
    const s = await randomisedStudy()
    const arms = s.arms.map((arm, n) => (n ? { ...arm, packType: null } : arm))
    const create = (change: Record<string, unknown>) =>
      s.owner.call('POST', `/trials/${s.trial}/randomisations`, s.body({ arms, ...change }))
    const refused = await create({})
    expect([refused.status, refused.body.validations?.json.arms]).toEqual([
      422,
      ['Give each arm a pack type, or none: who gets no pack shows their arm.'],
    ])
    expect((await create({ isBlinded: false })).status).toBe(200)
  })

  test('are of no open randomisation, which would show them', async () => {
    const s = await randomisedStudy()
    const create = (change: Record<string, unknown>) =>
      s.owner.call('POST', `/trials/${s.trial}/randomisations`, s.body(change))
    const arms = s.arms.map(({ name, packType }) => ({ name, packType }))
    const blinded = (await create({ arms })).body._id
    const open = await create({ arms, isBlinded: false })
    expect([open.status, open.body.message]).toEqual([
      400,
      expect.stringMatching(/a blinded randomisation and to an open one/),
    ])
    expect((await create({ arms, name: 'Second blinded' })).status).toBe(200)
    for (const { _id } of (await s.owner.do('listRandomisations', s.trial)).randomisations)
      await s.owner.do('deleteRandomisation', _id)
    expect((await create({ arms, isBlinded: false })).status).toBe(200)
    expect((await create({ arms })).status).toBe(400)
    expect(blinded).toBeString()
  })
})

test('who randomises at one site of a participant cannot use the packs of another', async () => {
  const s = await randomisedStudy()
  const sealed = await s.sealed()
  await s.owner.do('addSiteMember', s.south, s.person(1))
  const nurse = s.staff(s.trial, ['site.readParticipants', 'site.randomise'], s.north)
  expect((await s.allocate(sealed, s.person(1), nurse, { site: s.south })).status).toBe(403)
  const { status, body } = await s.allocate(sealed, s.person(1), nurse, { site: s.north })
  expect([status, body.site]).toEqual([200, s.north])
})

test('who was to be told of unblindings and has left the trial gets no e-mail', async () => {
  const s = await randomisedStudy()
  const told = [s.staff(s.trial, ['trial.read']), s.staff(s.trial, ['trial.read'])]
  const sealed = await s.sealed({ unblindingRecipients: told.map(({ _id }) => _id) })
  const { body } = await s.allocate(sealed, s.person(1))
  s.db.$client.run('DELETE FROM permissions WHERE user = ?', [told[0]!._id])
  const app = await s.confirmed(['trial.randomise'])
  await app.do('unblindParticipant', sealed, body._id, {
    participantId: 'R-1',
    reason: 'Fall',
  })
  const recipients = s.db.$client.query('SELECT recipient FROM outbox').values().flat()
  expect(recipients).toEqual([told[1]!.email])
})

test('groups and pack types of no arm are open as before', async () => {
  const s = await randomisedStudy()
  const sealed = await s.sealed(ALTERNATING)
  const { _id } = await s.owner.do('createPackType', s.trial, { name: 'Thermometer' })
  const blinded = s.staff(s.trial, ['trial.write'])
  const { groups } = await blinded.do('listGroups', s.trial)
  expect(groups.map(({ name }) => name).sort()).toEqual(['Diabetes', 'No diabetes'])
  const { packTypes } = await blinded.do('listPackTypes', s.trial)
  expect(packTypes.map(({ name }) => name)).toEqual(['Thermometer'])
  expect(await blinded.do('readPackType', _id)).toMatchObject({ name: 'Thermometer' })
  await expect(blinded.do('readPackType', s.verum)).rejects.toThrow(/^404/)
  expect(await blinded.do('addGroupMember', s.diabetes, s.person(1))).toEqual({ groups: [s.diabetes] })
  const { group } = (await s.allocate(sealed, s.person(1), s.owner)).body
  const groupsFor = async (by: Person) => (await by.do('readParticipant', s.trial, s.person(1))).groups
  expect([(await groupsFor(s.owner)).sort(), await groupsFor(blinded)]).toEqual([
    [s.diabetes, group].sort(),
    [s.diabetes],
  ])
  expect((await blinded.call('PUT', `/groups/${s.active}/memberships/${s.person(1)}`)).status).toBe(404)
})
