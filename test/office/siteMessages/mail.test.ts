/** E-mails to the readers of boards (docs/sites.md, "E-mails about messages"). */
import { expect, test } from 'bun:test'
import { HOUR, MINUTE } from '#kernel/time'
import { afterKill } from '../../harness'
import { type Boards, boards } from './boards.study'

/** Takes the permissions from everybody but these. */
function only({ db }: Boards, ...people: { _id: string }[]): void {
  db.$client.run('DELETE FROM teamMembers')
  db.$client
    .query('DELETE FROM permissions WHERE user NOT IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(people.map(({ _id }) => _id)))
}

const recipients = (s: Boards) => s.mails().map(({ recipient }) => recipient)

test('everybody who may read the board is told, but who wrote it; without the text, in their language', async () => {
  const s = await boards()
  const group = (await s.owner.do('createGroup', s.trial, { name: 'Arm' }))._id
  const byRole = s.invite([])
  const role = await s.owner.do('createRole', s.trial, {
    ...{ name: 'Coordinator', permissions: { [s.north]: ['site.readSiteMessages'] } },
  })
  await s.owner.do('assignRole', byRole._id, role._id)
  const told = [s.owner, s.monitor, byRole, s.invite(['trials.manage']), s.staff(s.trial, ['site.read'], s.north)]
  s.staff(s.trial, ['trial.writeSites'])
  s.staff(s.trial, ['site.readParticipants'], s.north)
  s.staff(s.trial, ['group.readSiteMessages'], group)
  s.invite([])
  s.neighbours()
  const disabled = s.staff(s.trial, ['trial.readSiteMessages'])
  s.db.$client.query('UPDATE users SET isDisabled = 1 WHERE _id = ?').run(disabled._id)
  const left = s.invite([])
  s.db.$client.query('UPDATE teamMembers SET isDisabled = 1 WHERE user = ?').run(left._id)
  s.db.$client
    .query(`INSERT INTO permissions VALUES ($user, $trial, $trial, '["trial.read"]')`)
    .run({ user: left._id, trial: s.trial })
  for (const [language, { _id }] of [
    ['de', s.owner],
    ['es', s.monitor],
    ['fr', byRole],
  ] as const)
    s.db.$client.query('UPDATE users SET language = ? WHERE _id = ?').run(language, _id)
  await s.nurse.do('sendSiteMessage', s.north, { message: 'Mrs Miller fell.' })
  expect(s.mails()).toEqual([]) // the request does not wait for it
  await s.tick()
  expect(recipients(s).sort()).toEqual(told.map(({ email }) => email).sort())
  const to = ({ email }: { email: string }) => {
    const { subject, body, status, participant } = s.mails().find(({ recipient }) => recipient === email)!
    return [subject, body, status, participant]
  }
  expect(told.slice(0, 4).map(to)).toEqual([
    [
      'Breath study: neue Nachrichten am Brett von „North“',
      'Studie: Breath study\nStudienzentren: „North“\n',
      'notSent',
      null,
    ],
    [
      'Breath study: mensajes nuevos en el tablón de «North»',
      'Estudio: Breath study\nCentros: «North»\n',
      'notSent',
      null,
    ],
    [
      'Breath study\u00a0: nouveaux messages au tableau de «\u00a0North\u00a0»',
      'Étude\u00a0: Breath study\nCentres\u00a0: «\u00a0North\u00a0»\n',
      ...['notSent', null],
    ],
    ['Breath study: new messages on the board of “North”', 'Study: Breath study\nSites: “North”\n', 'notSent', null],
  ])
  expect(JSON.stringify(s.mails())).not.toContain('Miller')
})

test('at most one an hour for each board and person; what comes within the hour is told after it', async () => {
  const s = await boards()
  only(s, s.nurse, s.doctor, s.monitor)
  const after = async (by: number) => {
    await s.tick(by)
    return recipients(s).filter((each) => each === s.monitor.email).length
  }
  await s.nurse.do('sendSiteMessage', s.north, { message: 'one' })
  expect(await after(0)).toBe(1)
  await s.nurse.do('sendSiteMessage', s.north, { message: 'two' })
  expect(await after(59 * MINUTE)).toBe(1)
  await s.doctor.do('sendSiteMessage', s.south, { message: 'another board has an hour of its own' })
  expect(await after(0)).toBe(2)
  expect(await after(MINUTE)).toBe(3) // of the second message
  expect(await after(24 * HOUR)).toBe(3)
  // An answer reaches who was not told within the hour at once.
  s.db.$client.query(`UPDATE permissions SET keys = '["trial.writeSiteMessages"]' WHERE user = ?`).run(s.monitor._id)
  await s.nurse.do('sendSiteMessage', s.north, { message: 'three' })
  expect(await after(0)).toBe(4)
  const toNurse = () => recipients(s).filter((each) => each === s.nurse.email).length
  expect(toNurse()).toBe(0)
  await s.monitor.do('sendSiteMessage', s.north, { message: 'four' })
  expect(await after(0)).toBe(4)
  expect(toNurse()).toBe(1)
  // Nobody is told of what they wrote, also not with what they had been told of and not read.
  expect(await after(3 * HOUR)).toBe(4)
})

test('nobody is told of what they have read, or may not read any more, when the hour is over', async () => {
  const s = await boards()
  const second = s.staff(s.trial, ['trial.readSiteMessages'])
  only(s, s.nurse, s.monitor, second)
  await s.nurse.do('sendSiteMessage', s.north, { message: 'one' })
  await s.tick()
  expect(recipients(s)).toHaveLength(2)
  await s.nurse.do('sendSiteMessage', s.north, { message: 'two' })
  await s.tick()
  await s.monitor.do('markSiteMessagesRead', s.north)
  s.db.$client.query('DELETE FROM permissions WHERE user = ?').run(second._id)
  await s.tick(2 * HOUR)
  expect(recipients(s)).toHaveLength(2)
  expect(s.db.$client.query('SELECT count(*) AS n FROM siteMessageMails WHERE dueAt IS NOT NULL').get()).toEqual({
    n: 0,
  })
  // What came before somebody had access, and before they were noted, is no reason for an e-mail about their own message.
  const late = s.staff(s.trial, ['site.writeSiteMessages'], s.north)
  await late.do('sendSiteMessage', s.north, { message: 'hello from me' })
  await s.tick()
  expect(recipients(s).filter((each) => each === late.email)).toEqual([])
})

test('of a broadcast, each person gets one e-mail', async () => {
  const s = await boards()
  for (let n = 0; n < 12; n++) await s.site(`Site ${n}`, `X${n}`)
  only(s, s.nurse, s.doctor, s.monitor, s.owner)
  await s.owner.post<'broadcastSiteMessage'>(s.broadcast, { message: 'To all' })
  await s.tick()
  expect(s.mails().map(({ recipient, subject }) => [recipient, subject])).toEqual(
    expect.arrayContaining([
      [s.nurse.email, 'Breath study: new messages on the board of “North”'],
      [s.doctor.email, 'Breath study: new messages on the board of “South”'],
      [s.monitor.email, 'Breath study: new messages on the boards of 14 sites'],
    ]),
  )
  expect(s.mails()).toHaveLength(3)
  expect(s.mails().find(({ recipient }) => recipient === s.monitor.email)?.body).toBe(
    'Study: Breath study\nSites: “North”, “South”, “Site 0”, “Site 1”, “Site 2”, “Site 3”, “Site 4”, “Site 5”, “Site 6” and 5 more\n',
  )
  await s.owner.post<'broadcastSiteMessage'>(s.broadcast, { message: 'To all again' })
  await s.tick(30 * MINUTE)
  expect(s.mails()).toHaveLength(3)
  await s.tick(30 * MINUTE)
  expect(s.mails()).toHaveLength(6)
})

test('what is due is told once, also by a service that was killed before', async () => {
  const s = await boards()
  only(s, s.nurse, s.monitor)
  await s.nurse.do('sendSiteMessage', s.north, { message: 'one' })
  const { services } = afterKill(s)
  const count = () => services.db.$client.query('SELECT count(*) AS n FROM outbox').get()
  await services.tick()
  await services.tick()
  expect(count()).toEqual({ n: 1 })
})

test('a board that nobody else reads takes messages', async () => {
  const s = await boards()
  only(s, s.nurse)
  await s.nurse.do('sendSiteMessage', s.north, { message: 'Is anybody there?' })
  await s.tick()
  expect(s.mails()).toEqual([])
})
