/** What a restoration finds changed: an ID or a code that was taken, a full team, a site or a group that is gone. */
import { describe, expect, test } from 'bun:test'
import { problemsIn } from '#cli/checks'
import { teams } from '#db/tables/index'
import { everything } from '../../everything'
import { PASSWORD } from '../../harness'
import { firstOf } from '../../present'
import { keepDeleted } from '../../purge'
import { study } from '../../study'

const reason = 'By mistake'

async function deletable() {
  const s = await study()
  keepDeleted(s)
  const admin = await s.signInStaff(s.owner)
  await admin.do('confirmIdentity', { password: PASSWORD })
  const listed = `/trials/${s.trial}/deletions` as const
  const at = async () => `${listed}/${firstOf((await s.owner.do('listDeletions', s.trial)).deletions)._id}` as const
  const remove = async (participant: string) => {
    await s.owner.do('deleteParticipant', s.trial, participant, { reason })
    return await at()
  }
  const addTrial = async (code: string) => {
    const { _id } = await s.owner.do('createTrial', s.team, { name: 'Another' })
    await s.owner.do('updateTrial', _id, { code })
  }
  return { ...s, admin, listed, at, remove, addTrial }
}

const EMOJI = '😀'

describe('a participant whose ID was taken gets another', () => {
  const long = 'x'.repeat(50)
  const faces = EMOJI.repeat(25)
  test.each([
    ['P-1', ['P-1'], 'P-1-restored'],
    ['P-1', ['p-1', 'P-1-restored'], 'P-1-restored-2'],
    [long, [long], `${'x'.repeat(41)}-restored`],
    // No character is cut in half.
    [faces, [faces], `${EMOJI.repeat(20)}-restored`],
  ])('%s, with %j there, becomes %s', async (id, taken, name) => {
    const s = await deletable()
    await s.owner.do('updateParticipant', s.trial, s.anna, { id })
    const deletion = await s.remove(s.anna)
    for (const participantId of taken) await s.owner.do('registerParticipants', s.trial, { participantId })
    const restored = await s.admin.post<'restoreDeletion'>(`${deletion}/restoration`, { reason })
    expect(restored).toEqual({ _id: s.anna, kind: 'participant', name })
    expect((await s.owner.do('readParticipant', s.trial, s.anna)).id).toBe(name)
    const { entries } = await s.owner.do('readLogs', s.trial, { type: 'restoreDeletion' })
    expect(firstOf(entries).event).toMatchObject({ name, reason })
    s.service.flush()
    expect(problemsIn(s.db.$client)).toEqual([])
  })
})

test('a trial whose code was taken gets another', async () => {
  const s = await deletable()
  const { code } = await s.owner.do('readTrial', s.trial)
  await s.owner.do('deleteTrial', s.trial)
  await s.addTrial(code)
  await s.admin.do('restoreTrial', s.trial, { reason })
  const other = (await s.owner.do('readTrial', s.trial)).code
  expect(other).toBe(`${code.slice(0, 25)}-${s.trial.slice(-6)}`)
  await s.owner.do('deleteTrial', s.trial)
  await s.addTrial(other)
  await s.admin.do('restoreTrial', s.trial, { reason })
  expect((await s.owner.do('readTrial', s.trial)).code).not.toBe(other)
})

describe('a team that is full', () => {
  const limit = (s: Awaited<ReturnType<typeof deletable>>, participantLimit: number) =>
    s.db.update(teams).set({ participantLimit }).run()

  test('gets no participant back', async () => {
    const s = await deletable()
    const { participantCount } = await s.owner.do('readTeam', s.team)
    const deletion = await s.remove(s.anna)
    limit(s, participantCount - 1)
    const refused = await s.admin.call('POST', `${deletion}/restoration`, { reason })
    expect([refused.status, refused.body.details.room]).toEqual([400, 0])
    expect((await s.owner.do('listDeletions', s.trial)).deletions).toHaveLength(1)
    limit(s, participantCount)
    expect((await s.admin.post<'restoreDeletion'>(`${deletion}/restoration`, { reason }))._id).toBe(s.anna)
  })

  test('gets no trial back that has more participants than there is room for', async () => {
    const s = await deletable()
    const { participantCount } = await s.owner.do('readTeam', s.team)
    await s.owner.do('deleteTrial', s.trial)
    limit(s, participantCount - 1)
    const restoration = `/trials/${s.trial}/restoration` as const
    const refused = await s.admin.call('POST', restoration, { reason })
    expect([refused.status, refused.body.details.room]).toEqual([400, participantCount - 1])
    limit(s, participantCount)
    expect((await s.admin.do('restoreTrial', s.trial, { reason }))._id).toBe(s.trial)
    expect((await s.owner.do('readTeam', s.team)).participantCount).toBe(participantCount)
  })
})

describe('a site or a group that was deleted since', () => {
  test('is left out, and the participant comes back without it', async () => {
    const s = await deletable()
    const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
    const group = (await s.owner.do('createGroup', s.trial, { name: 'Arm A' }))._id
    await s.owner.do('addSiteMember', site, s.anna)
    await s.owner.do('addGroupMember', group, s.anna)
    await s.enter({ pulse: 60 })
    const deletion = await s.remove(s.anna)
    await s.owner.do('deleteSite', site)
    await s.owner.do('deleteGroup', group)
    await s.admin.post<'restoreDeletion'>(`${deletion}/restoration`, { reason })
    expect(await s.owner.do('readParticipant', s.trial, s.anna)).toMatchObject({ groups: [], sites: [] })
    expect((await s.owner.do('readTrial', s.trial)).participantCount).toBe(3)
    s.service.flush()
    expect(problemsIn(s.db.$client)).toEqual([])
    // The site returns without its members: nobody deleted it from them.
    const siteAt = await s.at()
    await s.admin.post<'restoreDeletion'>(`${siteAt}/restoration`, { reason })
    s.service.flush()
    expect(problemsIn(s.db.$client)).toEqual([])
  })

  test('of a file: it is restored after its site', async () => {
    const w = await everything()
    keepDeleted(w)
    const admin = await w.signInStaff(w.owner)
    await admin.do('confirmIdentity', { password: PASSWORD })
    const site = (await w.owner.do('createSite', w.trial, { name: 'South', id: 'S9' }))._id
    const file = (await w.owner.do('createFile', w.trial, { name: 'Local letter', site }))._id
    const listed = `/trials/${w.trial}/deletions` as const
    const newest = async () => firstOf((await w.owner.do('listDeletions', w.trial)).deletions)._id
    await w.owner.do('deleteFile', file, { reason })
    const ofFile = await newest()
    await w.owner.do('deleteSite', site)
    const ofSite = await newest()
    const restoration = (_id: string) => `${listed}/${_id}/restoration` as const
    expect((await admin.call('POST', restoration(ofFile), { reason })).status).toBe(400)
    await admin.do('restoreDeletion', w.trial, ofSite, { reason })
    expect((await admin.do('restoreDeletion', w.trial, ofFile, { reason }))._id).toBe(file)
    w.service.flush()
    expect(problemsIn(w.db.$client)).toEqual([])
  })
})
