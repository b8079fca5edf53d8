/** E-mails to the team when participants write (docs/messages.md, "E-mails to staff"). */
import { expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '#kernel/time'
import { afterKill } from '../../harness'
import { messageStudy } from './messages.study'

/** Takes the permissions from everybody else. */
function notifyNurseOnly({ db, nurse }: Awaited<ReturnType<typeof messageStudy>>): void {
  db.$client.run('DELETE FROM teamMembers')
  db.$client.query('DELETE FROM permissions WHERE user <> ?').run(nurse._id)
}

test('a message of a participant is told to those who hold support for the participant, without its text', async () => {
  const s = await messageStudy()
  const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
  const south = (await s.owner.do('createSite', s.trial, { name: 'South', id: 'S1' }))._id
  await s.owner.do('addSiteMember', site, s.anna)
  const group = (await s.owner.do('createGroup', s.trial, { name: 'Arm' }))._id
  await s.owner.do('addGroupMember', group, s.anna)
  const role = await s.owner.do('createRole', s.trial, {
    name: 'Helper',
    permissions: { [site]: ['site.support'] },
  })
  const byRole = s.invite([])
  await s.owner.do('assignRole', byRole._id, role._id)
  const told = [
    s.nurse,
    s.staff(s.trial, ['trial.write']),
    s.staff(s.trial, ['site.support'], site),
    s.staff(s.trial, ['group.write'], group),
    byRole,
    s.invite(['trials.manage']),
    s.owner,
  ]
  const disabled = s.staff(s.trial, ['trial.support'])
  s.db.$client.query('UPDATE users SET isDisabled = 1 WHERE _id = ?').run(disabled._id)
  s.staff(s.trial, ['trial.read'])
  s.staff(s.trial, ['site.support'], south)
  s.neighbours()
  await s.me.do('sendOwnMessage', { message: 'I feel dizzy.' })
  expect(s.toTeam().sort()).toEqual(told.map(({ email }) => email).sort())
  expect(s.mails()[0]).toMatchObject({
    ...{ channel: 'email', status: 'notSent', participant: null },
    subject: 'Breath study: a message from participant P-1',
    body: 'Study: Breath study\nParticipant: P-1\n',
  })
  expect(JSON.stringify(s.mails())).not.toMatch(/dizzy|Anna|anna@/)
})

test('at most one an hour for each thread; what came within the hour is told after it, if it is still unread', async () => {
  const s = await messageStudy()
  const bert = await s.signIn('P-2')
  notifyNurseOnly(s)
  const write = async (by = s.me) => {
    await by.do('sendOwnMessage', { message: 'Hello' })
    return s.toTeam().length
  }
  expect(await write()).toBe(1)
  expect(await write()).toBe(1)
  expect(await write(bert)).toBe(2)
  await s.tick(59 * MINUTE)
  expect([await write(), s.toTeam().length]).toEqual([2, 2])
  await s.tick(MINUTE)
  expect(s.toTeam()).toHaveLength(3) // of Anna's second and third message
  await s.tick(3 * DAY)
  expect(s.toTeam()).toHaveLength(3)
  expect(await write()).toBe(4)
  await s.tick(MINUTE)
  await write()
  await s.nurse.put<'markMessagesRead'>(s.thread)
  await s.tick(2 * HOUR)
  expect(s.toTeam()).toHaveLength(4) // somebody has read it
  expect(await write()).toBe(5)
})

test('messages that arrive at the same time are told once', async () => {
  const s = await messageStudy()
  notifyNurseOnly(s)
  const burst = () => Promise.all(Array.from({ length: 5 }, (_, n) => s.me.do('sendOwnMessage', { message: `${n}` })))
  await burst()
  expect(s.toTeam()).toHaveLength(1)
  await s.tick(HOUR)
  expect(s.toTeam()).toHaveLength(2)
  await burst()
  expect(s.toTeam()).toHaveLength(2)
})

test('what is due is told once, also by a service that was killed before', async () => {
  const s = await messageStudy()
  notifyNurseOnly(s)
  await s.me.do('sendOwnMessage', { message: 'one' })
  await s.me.do('sendOwnMessage', { message: 'two' })
  s.clock(2 * HOUR)
  const after = afterKill(s)
  const count = () => after.services.db.$client.query('SELECT count(*) FROM outbox').values()[0]
  await after.services.tick()
  await after.services.tick()
  expect(count()).toEqual([2])
})

test('a study in which nobody holds support takes the message', async () => {
  const s = await messageStudy()
  s.db.$client.run('DELETE FROM permissions')
  s.db.$client.run('DELETE FROM teamMembers')
  await s.me.do('sendOwnMessage', { message: 'Is anybody there?' })
  expect(s.toTeam()).toEqual([])
})
