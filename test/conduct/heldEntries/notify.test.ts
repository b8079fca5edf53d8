/** E-mails to staff about held entries (docs/offline.md, "Held entries"). */
import { expect, test } from 'bun:test'
import { notificationTime, notifyStaff } from '#conduct/heldEntries/notify'
import { HOUR, MINUTE } from '#kernel/time'
import { collectStatements, scans } from '../../plan'
import { study } from '../../study'

test.each<[string, number | undefined, number]>([
  ['the first of a trial: now', undefined, 1000 * HOUR],
  ['the last was told an hour ago: now', 999 * HOUR, 1000 * HOUR],
  ['the last was told less than an hour ago: an hour after it', 999 * HOUR + 1, 1000 * HOUR + 1],
  ['the last is told now: an hour later', 1000 * HOUR, 1001 * HOUR],
  ['the last will be told: with it', 1000 * HOUR + 5, 1000 * HOUR + 5],
])('staff are told of an entry: %s', (_, last, at) => {
  expect(notificationTime(1000 * HOUR, last)).toBe(at)
})

/** Two participants, of whom one is of a site, and those who may decide about their entries. */
async function wardStudy() {
  const s = await study()
  const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
  await s.owner.do('addSiteMember', site, s.anna)
  const [anna, bert] = [await s.signIn(), await s.signIn('P-2')]
  s.db.$client.run('DELETE FROM teamMembers')
  s.db.$client.run('DELETE FROM permissions')
  const chief = s.staff(s.trial, ['trial.write'])
  const nurse = s.staff(s.trial, ['site.write'], site)
  s.staff(s.trial, ['trial.readParticipantStudyData'])
  const hold = async (by: typeof anna, entry: string) => {
    const response = { [s.ids.diary!]: { value: 'I am dizzy.' } }
    await by.do('holdEntry', { entry, stage: s.stage, response, code: 'closed' })
  }
  const tick = async (by = 0) => {
    s.clock(by)
    await s.service.services.tick()
  }
  type Mail = { recipient: string; subject: string; body: string }
  const mails = () =>
    s.db.$client
      .query<Mail, []>('SELECT recipient, subject, body FROM outbox WHERE user IS NOT NULL ORDER BY _id')
      .all()
  return { ...s, site, chief, nurse, anna: { _id: s.anna, ...anna }, bert, hold, tick, mails }
}

test('those who may decide hear of them, once an hour for a trial, each of what they may see, without answers', async () => {
  const s = await wardStudy()
  await s.hold(s.anna, 'e-1')
  await s.hold(s.anna, 'e-1')
  await s.tick()
  const to = () => s.mails().map(({ recipient }) => recipient)
  expect(to().sort()).toEqual([s.chief.email, s.nurse.email].sort())
  expect(s.mails()[0]).toMatchObject({
    subject: 'Breath study: an answer of a participant waits for a decision',
    body: expect.stringContaining('Study: Breath study\nParticipants: “P-1”\n'),
  })
  // Within the hour nobody is told again. Then each of those who wait for them.
  await s.hold(s.bert, 'e-1')
  await s.tick(30 * MINUTE)
  await s.hold(s.anna, 'e-2')
  await s.hold(s.bert, 'e-2')
  await s.tick(29 * MINUTE)
  expect(to()).toHaveLength(2)
  await s.tick(MINUTE)
  const later = s.mails().slice(2)
  expect(later.find(({ recipient }) => recipient === s.nurse.email)).toMatchObject({
    subject: 'Breath study: an answer of a participant waits for a decision',
    body: expect.stringContaining('Participants: “P-1”\n'),
  })
  expect(later.find(({ recipient }) => recipient === s.chief.email)).toMatchObject({
    subject: 'Breath study: 3 answers of participants wait for a decision',
    body: expect.stringContaining('Participants: “P-2” and “P-1”\n'),
  })
  expect(later).toHaveLength(2)
  await s.tick(5 * HOUR)
  expect(to()).toHaveLength(4)
  expect(JSON.stringify(s.mails())).not.toMatch(/dizzy|Anna/)
})

test('nobody hears of an entry that was decided within the hour, or of an archived participant', async () => {
  const s = await wardStudy()
  await s.hold(s.bert, 'e-1')
  await s.tick()
  expect(s.mails()).toHaveLength(1)
  await s.hold(s.bert, 'e-2')
  const [newest] = (await s.chief.do('listHeldEntries', s.trial)).heldEntries
  await s.chief.do('refuseHeldEntry', s.trial, newest!._id, { reason: 'Sent twice.' })
  await s.hold(s.anna, 'e-1')
  s.db.$client.query('UPDATE participants SET isArchived = 1 WHERE _id = ?').run(s.anna._id)
  await s.tick(2 * HOUR)
  expect(s.mails()).toHaveLength(1)
  expect(s.db.$client.query('SELECT count(*) AS n FROM heldEntries WHERE isTold = 0').get()).toEqual({ n: 0 })
})

test('more than one turn takes are told an hour later, and no table is scanned', async () => {
  const s = await wardStudy()
  for (const entry of ['e-1', 'e-2', 'e-3']) await s.hold(s.bert, entry)
  // The first is told now, the others in an hour.
  s.db.$client.run('UPDATE heldEntries SET tellAt = (SELECT min(tellAt) FROM heldEntries)')
  const { commit, clock } = s.service.services
  const collector = collectStatements(s.db.$client)
  expect(await commit(() => notifyStaff(s.db, clock.now(), 2))).toBe(true)
  const read = collector.end().filter((sql) => /heldEntries/.test(sql))
  expect(read.length).toBeGreaterThan(2)
  expect(read.flatMap((sql) => scans(s.db.$client, sql))).toEqual([])
  expect(await commit(() => notifyStaff(s.db, clock.now(), 2))).toBe(false)
  expect(s.mails().map(({ subject }) => subject)).toEqual([expect.stringContaining('2 answers')])
  await s.tick(HOUR)
  expect(s.mails()).toHaveLength(2)
})
