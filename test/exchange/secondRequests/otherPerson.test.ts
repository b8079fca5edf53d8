/** Who counts as a second person, and what waits for one when things change meanwhile (docs/permissions.md, "A second person"). */
import { Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { problemsIn } from '#cli/checks'
import { DAY, parseInstant } from '#kernel/time'
import { endRestoredAccess } from '#server/backup/restoredAccess'
import { PASSWORD } from '../../harness'
import { randomisedStudy } from '../../office/randomisation/randomisation.study'
import { firstOf, present } from '../../present'
import { keepDeleted, keepNothing } from '../../purge'

const reason = 'As the plan says'

async function world(secondPerson: string[] = ['erasure']) {
  const s = await randomisedStudy()
  keepDeleted(s)
  const at = `/trials/${s.trial}` as const
  const admin = await s.confirmed(['trial.admin'])
  const other = await s.confirmed(['trial.admin'])
  if (secondPerson.length) await admin.do('updateTrial', s.trial, { secondPerson })
  const listed = `${at}/second-requests` as const
  const person = `${at}/participants/${s.person(1)}` as const
  const rename = (who: { _id: string }, email: string) =>
    s.db.$client.run('UPDATE users SET email = ? WHERE _id = ?', [email, who._id])
  const again = async (who: { _id: string; email: string }) => {
    const app = await s.signIn(who)
    await app.do('confirmIdentity', { password: PASSWORD })
    return app
  }
  /** What `admin` asks for, and how `other` confirms it. */
  const asked = {
    erasure: async () => {
      await s.owner.put<'updateParticipant'>(person, { isWithdrawn: true })
      await admin.post<'erasePersonalInformation'>(`${person}/erasure`, { reason })
      const { _id } = firstOf((await s.owner.do('listSecondRequests', s.trial)).requests)
      return `${listed}/${_id}/confirmation` as const
    },
    'purge of a participant': async () => {
      await s.owner.call('DELETE', person, { reason })
      const { _id } = firstOf((await s.owner.do('listDeletions', s.trial)).deletions)
      await admin.do('purgeDeletion', s.trial, _id, { reason })
      return `${at}/deletions/${_id}/purge/confirmation` as const
    },
    'purge of a trial': async () => {
      for (const each of [admin, other])
        s.db.$client.run(`INSERT INTO teamMembers (team, user, permissions) VALUES (?, ?, '["trials.manage"]')`, [
          s.team,
          each._id,
        ])
      await s.owner.do('deleteTrial', s.trial)
      const { _id } = firstOf((await s.owner.do('listDeletedTrials', s.team)).deletions)
      const purge = `/teams/${s.team}/deletions/${_id}/purge` as const
      await admin.do('purgeDeletedTrial', s.team, _id, { reason })
      return `${purge}/confirmation` as const
    },
  }
  const statusOf = async (path: string, by: Pick<typeof other, 'call'> = other) => (await by.call('POST', path)).status
  return { ...s, people: s.person, at, admin, other, listed, person, rename, again, asked, statusOf }
}

const ACTS = ['erasure', 'purge of a participant', 'purge of a trial'] as const

describe.each(ACTS)('the second person for the %s', (act) => {
  test.each([
    ['olga@lab.example.org', 'Olga+2@LAB.example.org'],
    ['olga+a@lab.example.org', 'olga+b@lab.example.org'],
    ['o.l.ga@gmail.com', 'olga+x@googlemail.com'],
  ])('does not read the mailbox of whoever asked: %s, %s', async (one, two) => {
    const w = await world()
    const path = await w.asked[act]()
    w.rename(w.admin, one)
    w.rename(w.other, two)
    const refused = await w.other.call('POST', path)
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain('give a second person the permission first')
    w.rename(w.other, 'o.lga@lab.example.org')
    expect(await w.statusOf(path)).toBe(200)
  })

  test('does not confirm what somebody asked for who was disabled, or lost the permission', async () => {
    const w = await world()
    const path = await w.asked[act]()
    w.db.$client.run('UPDATE users SET isDisabled = 1 WHERE _id = ?', [w.admin._id])
    expect(await w.statusOf(path)).toBe(409)
    w.db.$client.run('UPDATE users SET isDisabled = 0 WHERE _id = ?', [w.admin._id])
    w.db.$client.run('DELETE FROM teamMembers WHERE user = ?', [w.admin._id])
    w.db.$client.run('DELETE FROM permissions WHERE user = ?', [w.admin._id])
    const refused = await w.other.call('POST', path)
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('must ask again')])
  })

  test('has seven days', async () => {
    const w = await world()
    const path = await w.asked[act]()
    w.clock(7 * DAY)
    expect(await w.statusOf(path, await w.again(w.other))).toBe(act === 'erasure' ? 404 : 400)
  })
})

describe.each(['purge of a participant', 'purge of a trial'] as const)('a %s', (act) => {
  test('is asked for once, with one e-mail to each other admin, and again after seven days', async () => {
    const w = await world()
    const path = await w.asked[act]()
    const ask = path.replace('/confirmation', '')
    const mails = () =>
      w.db.$client.query(`SELECT count(*) AS n FROM outbox WHERE subject LIKE 'Confirm a purge%'`).get() as {
        n: number
      }
    const before = mails().n
    expect(before).toBeGreaterThan(0)
    for (const by of [w.admin, w.other]) {
      const refused = await by.call('POST', ask, { reason: 'Another reason' })
      expect(refused).toMatchObject({ status: 409, body: { details: { expiresAt: '2026-03-09T12:00:00.000000Z' } } })
    }
    expect(mails().n).toBe(before)
    w.clock(7 * DAY)
    expect((await (await w.again(w.other)).call('POST', ask, { reason })).body).toEqual({ isPurged: false })
    expect(await w.statusOf(path, await w.again(w.admin))).toBe(200)
  })
})

test('a purge of a trial that was confirmed is not asked for again, and remains one that two wanted', async () => {
  const w = await world()
  const path = await w.asked['purge of a trial']()
  const both = await Promise.all([w.other, w.other].map((by) => by.call('POST', path)))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await w.other.call('POST', path.replace('/confirmation', ''), { reason })).status).toBe(409)
  w.service.flush()
  expect(problemsIn(w.db.$client)).toEqual([])
})

test('who administers a site asks for the erasure of a participant of it, withdraws it, and another admin confirms it', async () => {
  const w = await world()
  await w.owner.put<'updateParticipant'>(w.person, { isWithdrawn: true, sites: [w.north] })
  const ofSite = await w.confirmed(['site.admin'], w.north)
  const ask = () => ofSite.call('POST', `${w.person}/erasure`, { reason })
  expect((await ask()).body).toEqual({ erasedAt: null })
  const only = async () =>
    `${w.listed}/${firstOf((await w.owner.get<'listSecondRequests'>(w.listed)).requests)._id}` as const
  expect((await ofSite.call('DELETE', await only())).status).toBe(200)
  expect((await ask()).status).toBe(200)
  expect(await w.statusOf(`${await only()}/confirmation`, ofSite)).toBe(400)
  const elsewhere = await w.confirmed(['site.admin'], w.south)
  expect(await w.statusOf(`${await only()}/confirmation`, elsewhere)).toBe(403)
  expect(await w.statusOf(`${await only()}/confirmation`)).toBe(200)
})

test('the list of what waits leaves a row in the trail of reads for each participant that it names', async () => {
  const w = await world()
  await w.asked.erasure()
  await w.other.get<'listSecondRequests'>(w.listed)
  await w.service.services.reads.flush()
  const { reads } = await w.owner.do('listReads', w.trial, {
    participant: w.person.split('/').at(-1),
    user: w.other._id,
  })
  expect(reads.map(({ operation }) => operation)).toContain('listSecondRequests')
})

test('where erasures need two, one person destroys nothing by a deletion, although the team keeps nothing', async () => {
  const w = await world()
  keepNothing(w)
  await w.owner.call('DELETE', w.person, { reason })
  const { restorableUntil } = firstOf((await w.owner.do('listDeletions', w.trial)).deletions)
  expect(restorableUntil).toBe('2026-03-09T12:00:00.000000Z')
  const without = await world([])
  keepNothing(without)
  await without.owner.call('DELETE', without.person, { reason })
  expect((await without.owner.do('listDeletions', without.trial)).deletions).toEqual([])
})

describe('a restored backup', () => {
  test('has ended what waited for a second person, as it may have been refused since', async () => {
    const w = await world()
    const waiting = await w.asked.erasure()
    await w.owner.call('DELETE', `${w.at}/participants/${w.people(2)}`, { reason })
    const { _id } = firstOf((await w.owner.do('listDeletions', w.trial)).deletions)
    const purge = `${w.at}/deletions/${_id}/purge` as const
    await w.admin.post<'purgeDeletion'>(purge, { reason })
    await w.allocate(await w.sealed(), w.people(3))
    const owner = await w.again(w.owner)
    expect(await owner.do('updateTeam', w.team, { deletionGraceDays: 1 })).toMatchObject({ lowerGraceDays: 1 })
    w.service.flush()
    const sqlite = new Database(join(w.directory, 'trialbox.db'), { strict: true })
    const revived = endRestoredAccess(sqlite, present(parseInstant(w.now())), { areKeysKept: true, event: {} })
    sqlite.close()
    expect(revived.waiting).toBe(3)
    const other = await w.again(w.other)
    expect((await other.get<'listSecondRequests'>(w.listed)).requests).toEqual([])
    expect([await w.statusOf(waiting, other), await w.statusOf(`${purge}/confirmation`, other)]).toEqual([404, 400])
    expect(await other.post<'purgeDeletion'>(purge, { reason })).toEqual({ isPurged: false })
    expect(await w.owner.do('readTeam', w.team)).toMatchObject({ lowerGraceDays: null })
    w.service.flush()
    expect(problemsIn(w.db.$client)).toEqual([])
  })

  test('purges nothing as long as it is a copy', async () => {
    const w = await world([])
    await w.owner.call('DELETE', w.person, { reason })
    w.clock(31 * DAY)
    const { services } = w.service
    const kept = async () => (await w.owner.do('listDeletions', w.trial)).deletions.length
    const isLive = { ...services }
    Object.assign(services, { copyOf: { address: null, madeAt: null, restoredAt: w.now() } })
    await services.tick()
    expect(await kept()).toBe(1)
    Object.assign(services, { copyOf: isLive.copyOf })
    await services.tick()
    expect(await kept()).toBe(0)
  })
})
