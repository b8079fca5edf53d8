/** For how many days what was deleted is kept, and who may keep it for fewer. */
import { expect, test } from 'bun:test'
import { problemsIn } from '#cli/checks'
import { everything } from '../everything'
import { PASSWORD, type World, world } from '../harness'
import { firstOf } from '../present'
import { keepDeleted } from '../purge'

const confirmed = async ({ signIn }: Pick<World, 'signIn'>, who: { _id: string; email: string }) => {
  const app = await signIn(who)
  await app.do('confirmIdentity', { password: PASSWORD })
  return app
}

test('fewer days need a person with a fresh confirmation: no key destroys at once what it deletes', async () => {
  const w = world()
  keepDeleted(w)
  const team = `/teams/${w.team}` as const
  const session = await w.signIn(w.owner)
  for (const by of [w.owner, w.invite(['team.admin']), session])
    for (const deletionGraceDays of [29, 0])
      expect(await by.call('PUT', team, { name: 'Another', deletionGraceDays })).toMatchObject({
        status: 403,
        body: { details: { code: 'reauth' } },
      })
  expect(await w.owner.do('readTeam', w.team)).toMatchObject({ deletionGraceDays: 30, lowerGraceDays: null })
  // The same number, and more, are no shorter time.
  for (const deletionGraceDays of [30, 31]) await w.owner.do('updateTeam', w.team, { deletionGraceDays })
  await session.do('confirmIdentity', { password: PASSWORD })
  expect(await session.do('updateTeam', w.team, { deletionGraceDays: 0 })).toMatchObject({ deletionGraceDays: 0 })
})

test('the days are bounded, 30 unless a team chose others, and hold for what is deleted afterwards', async () => {
  const w = world()
  keepDeleted(w)
  const team = `/teams/${w.team}` as const
  expect(await w.owner.do('readTeam', w.team)).toMatchObject({ deletionGraceDays: 30, lowerGraceDays: null })
  for (const deletionGraceDays of [-1, 3651, 1.5, '7', null])
    expect((await w.owner.call('PUT', team, { deletionGraceDays })).status).toBe(422)
  const trial = w.trial()
  const owner = await confirmed(w, w.owner)
  const add = async (id: string) => {
    const { _id } = await w.owner.do('createSite', trial, { name: id, id })
    await w.owner.do('deleteSite', _id)
    return firstOf((await w.owner.do('listDeletions', trial)).deletions).restorableUntil
  }
  expect(await add('A1')).toBe('2026-04-01T12:00:00.000000Z')
  expect(await owner.do('updateTeam', w.team, { deletionGraceDays: 7 })).toMatchObject({
    deletionGraceDays: 7,
    lowerGraceDays: null,
  })
  expect(await add('B1')).toBe('2026-03-09T12:00:00.000000Z')
  const { deletions } = await w.owner.do('listDeletions', trial)
  expect(deletions.map(({ restorableUntil }) => restorableUntil.slice(0, 10))).toEqual(['2026-03-09', '2026-04-01'])
  await owner.do('updateTeam', w.team, { deletionGraceDays: 0 })
  const { _id } = await w.owner.do('createSite', trial, { name: 'Third', id: 'C1' })
  expect(await w.owner.do('deleteSite', _id)).toEqual({})
  expect((await w.owner.do('listDeletions', trial)).deletions).toHaveLength(2)
})

test('fewer days need a second admin while a trial is protected; more do not', async () => {
  const w = await everything()
  const staff = { signIn: w.signInStaff }
  keepDeleted(w)
  const invited = w.invite(['team.admin'])
  const second = await confirmed(staff, invited)
  expect(await w.owner.do('updateTeam', w.team, { deletionGraceDays: 60 })).toMatchObject({ deletionGraceDays: 60 })
  // Another account of the same mailbox is no second person.
  const alias = w.invite(['team.admin'])
  const [name, host] = w.owner.email.split('@')
  w.db.$client.run('UPDATE users SET email = ? WHERE _id = ?', [`${name}+second@${host}`, alias._id])
  const owner = await confirmed(staff, w.owner)
  const same = await confirmed(staff, { ...alias, email: `${name}+second@${host}` })
  for (const asker of [owner, same, owner])
    expect(await asker.do('updateTeam', w.team, { deletionGraceDays: 0 })).toMatchObject({
      deletionGraceDays: 60,
      lowerGraceDays: 0,
    })
  expect(await second.do('updateTeam', w.team, { deletionGraceDays: 5 })).toMatchObject({
    deletionGraceDays: 60,
    lowerGraceDays: 5,
  })
  // Nor is somebody who was disabled since.
  const disable = (isDisabled: 0 | 1) =>
    w.db.$client.run('UPDATE users SET isDisabled = ? WHERE _id = ?', [isDisabled, invited._id])
  disable(1)
  expect(await owner.do('updateTeam', w.team, { deletionGraceDays: 5 })).toMatchObject({ deletionGraceDays: 60 })
  disable(0)
  expect(await (await confirmed(staff, invited)).do('updateTeam', w.team, { deletionGraceDays: 5 })).toMatchObject({
    deletionGraceDays: 5,
    lowerGraceDays: null,
  })
})

test('fewer days do not end the time of what was deleted before, when more is deleted that it belongs to', async () => {
  const w = await everything()
  keepDeleted(w)
  const listed = async () => (await w.owner.do('listDeletions', w.trial)).deletions
  await w.owner.call('DELETE', `/trials/${w.trial}/responses/${w.params.responseId}`, { reason: 'By mistake' })
  const { restorableUntil } = firstOf(await listed())
  w.db.$client.run('UPDATE teams SET deletionGraceDays = 0')
  await w.owner.call('DELETE', `/trials/${w.trial}/participants/${w.anna}`, { reason: 'By mistake' })
  const kept = await listed()
  expect(firstOf(kept)).toMatchObject({ kind: 'participant', subject: w.anna, restorableUntil })
  await w.owner.do('deleteTrial', w.trial)
  const { deletions } = await w.owner.do('listDeletedTrials', w.team)
  const last = kept.map((each) => each.restorableUntil).sort()
  expect(firstOf(deletions)).toMatchObject({ kind: 'trial', subject: w.trial, restorableUntil: last.at(-1) })
  w.service.flush()
  expect(problemsIn(w.db.$client)).toEqual([])
})
