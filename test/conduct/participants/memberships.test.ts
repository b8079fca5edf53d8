import { expect, test } from 'bun:test'
import { auditEntries } from '#db/tables/index'
import { world } from '../../harness'
import { take } from '../../present'

async function study() {
  const all = world()
  const trial = all.trial()
  const { owner } = all
  const site = (id: string) => owner.do('createSite', trial, { name: `Site ${id}`, id: `S-${id}` })
  const group = (name: string) => owner.do('createGroup', trial, { name })
  const [s1, s2] = [await site('1'), await site('2')]
  const [g1, g2] = [await group('Arm 1'), await group('Arm 2')]
  const { participants } = await owner.do('registerParticipants', trial, {
    participants: [{ participantId: 'A' }, { participantId: 'B' }],
  })
  const [a, b] = take(2, participants)
  await owner.do('addSiteMember', s1._id, a._id)
  await owner.do('addSiteMember', s2._id, b._id)
  return { ...all, trial, s1, s2, g1, g2, a, b }
}

test('changing a group membership is idempotent, returns the groups, and is logged', async () => {
  const { owner, g1, g2, a, db } = await study()
  expect(await owner.do('addGroupMember', g1._id, a._id)).toEqual({ groups: [g1._id] })
  expect(await owner.do('addGroupMember', g1._id, a._id)).toEqual({ groups: [g1._id] })
  expect((await owner.do('addGroupMember', g2._id, a._id)).groups.sort()).toEqual([g1._id, g2._id].sort())
  expect(await owner.do('removeGroupMember', g1._id, a._id)).toEqual({ groups: [g2._id] })
  expect(await owner.do('removeGroupMember', g1._id, a._id)).toEqual({ groups: [g2._id] })
  const entry = db
    .select()
    .from(auditEntries)
    .all()
    .find(({ type }) => type === 'addGroupMember')
  expect(entry).toMatchObject({ participant: a._id, event: { groupId: g1._id, name: 'Arm 1' } })
})

test('who may change memberships', async () => {
  const { staff, trial, s1, s2, g1, a, b } = await study()
  const tagger = staff(trial, ['trial.tagParticipants', 'trial.readParticipants'])
  expect(await tagger.do('addGroupMember', g1._id, a._id)).toEqual({ groups: [g1._id] })
  expect((await tagger.call('PUT', `/sites/${s2._id}/memberships/${a._id}`)).status).toBe(403)
  const reader = staff(trial, ['trial.read'])
  expect((await reader.call('PUT', `/groups/${g1._id}/memberships/${a._id}`)).status).toBe(403)
  const nurse = staff(trial, ['site.write'], s1._id)
  expect((await nurse.call('PUT', `/groups/${g1._id}/memberships/${b._id}`)).status).toBe(404)
  expect(await nurse.do('removeGroupMember', g1._id, a._id)).toEqual({ groups: [] })
  expect((await nurse.call('PUT', `/sites/${s1._id}/memberships/${b._id}`)).status).toBe(404)
  expect((await nurse.call('PUT', `/sites/${s2._id}/memberships/${a._id}`)).status).toBe(404)
  expect(await nurse.do('removeSiteMember', s1._id, a._id)).toEqual({ sites: [] })
})

test('a person restricted to a group changes memberships in it only', async () => {
  const { staff, owner, trial, g1, g2, a, b } = await study()
  await owner.do('addGroupMember', g1._id, a._id)
  const coach = staff(trial, ['group.write'], g1._id)
  expect((await coach.call('PUT', `/groups/${g2._id}/memberships/${a._id}`)).status).toBe(404)
  expect((await coach.call('PUT', `/groups/${g1._id}/memberships/${b._id}`)).status).toBe(404)
  expect(await coach.do('removeGroupMember', g1._id, a._id)).toEqual({ groups: [] })
})

test('a locked database refuses memberships; a participant of another trial is not found', async () => {
  const { owner, trial, s1, g1, a, db } = await study()
  const other = await owner.do('registerParticipants', trial, { participantId: 'other' })
  db.$client.run(`UPDATE trials SET isDatabaseLocked = 1 WHERE _id = '${trial}'`)
  for (const path of [`/groups/${g1._id}/memberships/${a._id}`, `/sites/${s1._id}/memberships/${other._id}`]) {
    expect((await owner.call('PUT', path)).status).toBe(403)
    expect((await owner.call('DELETE', path)).status).toBe(403)
  }
  db.$client.run(`UPDATE trials SET isDatabaseLocked = 0`)
  expect((await owner.call('PUT', `/groups/${g1._id}/memberships/${'f'.repeat(24)}`)).status).toBe(404)
})

test('bulk changes replace memberships and flags, all or none', async () => {
  const { owner, trial, s1, s2, g1, g2, a, b } = await study()
  const url = `/trials/${trial}/participants` as const
  expect(
    await owner.do('updateParticipants', trial, {
      updates: [
        { participant: a._id, groups: [g1._id, g2._id], sites: [s2._id], isWithdrawn: true },
        { participant: b._id, isArchived: true },
      ],
    }),
  ).toEqual({ updated: [{ participant: a._id }, { participant: b._id }] })
  const after = await owner.do('readParticipant', trial, a._id)
  expect(after).toMatchObject({ sites: [s2._id], isWithdrawn: true, isArchived: false })
  expect(after.groups.sort()).toEqual([g1._id, g2._id].sort())
  expect(await owner.do('readParticipant', trial, b._id)).toMatchObject({ isArchived: true, sites: [s2._id] })
  const wrong = [
    [{ participant: 'f'.repeat(24), isArchived: false }, 404],
    [{ participant: b._id, groups: [s1._id] }, 400],
    [{ participant: a._id, isArchived: false }, 400],
  ] as const
  for (const [update, status] of wrong) {
    const updates = [{ participant: a._id, isWithdrawn: false }, update]
    expect((await owner.call('PATCH', url, { updates })).status).toBe(status)
  }
  expect((await owner.do('readParticipant', trial, a._id)).isWithdrawn).toBe(true)
})

test('in a bulk change each field needs its permission for each participant', async () => {
  const { staff, owner, trial, s1, s2, g1, a, b, db } = await study()
  const url = `/trials/${trial}/participants` as const
  const archivist = staff(trial, ['trial.archiveParticipants'])
  await archivist.do('updateParticipants', trial, { updates: [{ participant: a._id, isArchived: true }] })
  for (const field of [{ isWithdrawn: true }, { groups: [] }, { sites: [] }]) {
    const refused = await archivist.call('PATCH', url, {
      updates: [{ participant: a._id, isArchived: false, ...field }],
    })
    expect(refused.status).toBe(403)
  }
  expect((await owner.do('readParticipant', trial, a._id)).isArchived).toBe(true)
  expect(
    db
      .select()
      .from(auditEntries)
      .all()
      .filter(({ type }) => type === 'accessRefused'),
  ).toHaveLength(3)
  const nurse = staff(trial, ['site.write'], s1._id)
  expect((await nurse.call('PATCH', url, { updates: [{ participant: b._id, isArchived: true }] })).status).toBe(404)
  await nurse.do('updateParticipants', trial, {
    updates: [{ participant: a._id, isArchived: false, groups: [g1._id] }],
  })
  expect(await owner.do('readParticipant', trial, a._id)).toMatchObject({ isArchived: false, groups: [g1._id] })
  // The nurse can neither add nor remove sites outside the nurse's permissions.
  await owner.do('addSiteMember', s2._id, a._id)
  await nurse.do('updateParticipants', trial, { updates: [{ participant: a._id, sites: [s1._id] }] })
  expect((await owner.do('readParticipant', trial, a._id)).sites.sort()).toEqual([s1._id, s2._id].sort())
  await owner.do('removeSiteMember', s2._id, a._id)
  expect((await nurse.call('PATCH', url, { updates: [{ participant: a._id, sites: [s2._id] }] })).status).toBe(404)
})
