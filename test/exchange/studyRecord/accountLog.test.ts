import { expect, test } from 'bun:test'
import { study } from '../../study'
import { downloaded, ended, partsOf, recordOf, rowsIn } from './archive'

test('a study record holds the sign-ins and failed ones of the accounts of the study, and of no others', async () => {
  const s = await study()
  const { owner, nobody, trial, team } = s
  const nurse = s.staff(trial, ['trial.read'])
  const stranger = s.invite()
  for (const who of [nurse, stranger]) {
    s.db.$client.run(`INSERT INTO teamMembers (team, user, permissions) VALUES ('${team}', '${who._id}', '[]')`)
    await s.signInStaff(who)
    await nobody.call('POST', '/sessions', { email: who.email, password: 'not the password 12' })
  }
  await owner.do('inviteMember', team, { email: 'new@example.org', name: 'New', permissions: [] })
  const { jobId } = await owner.do('exportStudyRecord', trial)
  const record = recordOf(await ended(owner, jobId))
  const rows = rowsIn(partsOf(await downloaded(s, record.request)), 'account-log.csv')
  expect(rows.map(({ type, userEmail }) => [type, userEmail])).toEqual([
    ['signIn', nurse.email],
    ['identityNotProven', ''],
  ])
  expect(rows[1]).toMatchObject({ event: JSON.stringify({ user: nurse._id }), address: '192.0.2.1' })
  expect(record.counts.accountEntries).toBe(2)
})
