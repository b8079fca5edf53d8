/** What an Idempotency-Key is bound to, how long it is kept, and that it reveals nothing. The loop over all operations is beside. */
import { describe, expect, test } from 'bun:test'
import { DAY } from '#kernel/time'
import { form } from '../form'
import { world } from '../harness'
import { study } from '../study'

const key = (key = 'k') => ({ headers: { 'Idempotency-Key': key } })

const count = ({ db }: Pick<ReturnType<typeof world>, 'db'>) =>
  (db.$client.query('SELECT count(*) AS n FROM idempotencyKeys').get() as { n: number }).n

test('a repeated registration and deletion get their first answers', async () => {
  const w = world()
  const url = `/trials/${w.trial()}/participants`
  const register = () => w.owner.call('POST', url, { participantId: 'P-1', password: 'owl in june' }, key())
  const [first, second] = [await register(), await register()]
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.body).toEqual(first.body)
  const remove = () => w.owner.call('DELETE', `${url}/${first.body._id}`, { reason: 'registered twice' }, key('d'))
  expect([(await remove()).status, (await remove()).status]).toEqual([200, 200])
  expect((await w.owner.call('GET', `${url}/${first.body._id}`)).status).toBe(404)
  // Without the key it is another request.
  expect((await w.owner.call('DELETE', `${url}/${first.body._id}`, { reason: 'registered twice' })).status).toBe(404)
})

test('two registrations at once with the same key register once, also while passwords are hashed', async () => {
  const w = world()
  const url = `/trials/${w.trial()}/participants`
  const participants = ['P-1', 'P-2'].map((participantId) => ({ participantId, password: 'owl in june' }))
  const answers = await Promise.all([1, 2, 3].map(() => w.owner.call('POST', url, { participants }, key())))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
})

test('a key is bound to method, path, query and body, and not to the name of the host', async () => {
  const w = world()
  const { owner, service } = w
  const at = `/trials/${w.trial()}/groups` as const
  const send = (url: string, name: string) =>
    service.handle(
      new Request(url, {
        method: 'POST',
        headers: { ...owner.credentials, ...key().headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name }),
      }),
      null,
    )
  expect((await send(`http://localhost${at}`, 'Arm A')).status).toBe(200)
  const { groups } = await owner.get<'listGroups'>(at)
  const first = groups[0]!
  expect(await (await send(`https://trials.example.org:8443${at}`, 'Arm A')).json()).toEqual(first)
  expect((await send(`http://localhost${at}`, 'Arm B')).status).toBe(400)
  expect((await send(`http://localhost/trials/${w.trial()}/groups`, 'Arm A')).status).toBe(400)
  expect((await owner.call('PUT', `/groups/${first._id}`, { name: 'Arm A' }, key())).status).toBe(400)
  expect(groups).toEqual([first])
  expect((await owner.get<'listGroups'>(at)).groups).toEqual(groups)
  // Another account may use the same key.
  expect((await w.invite(['trials.manage']).call('POST', at, { name: 'Arm B' }, key())).status).toBe(200)
})

test.each(['', 'x'.repeat(201)])('a key of a wrong length is refused: %j', async (wrong) => {
  const w = world()
  const url = `/trials/${w.trial()}/groups` as const
  const { status, body } = await w.owner.call('POST', url, { name: 'Arm A' }, key(wrong))
  expect([status, body.message]).toEqual([400, 'An Idempotency-Key has 1 to 200 characters.'])
  expect((await w.owner.get<'listGroups'>(url)).groups).toEqual([])
})

describe('a repeated write reveals nothing', () => {
  test('to a nurse whose participant has moved to another site', async () => {
    const { owner, trial, anna, url, sent, staff } = await study()
    const [north, south] = await Promise.all(
      ['North', 'South'].map((name) => owner.do('createSite', trial, { name, id: name })),
    )
    await owner.do('addSiteMember', north!._id, anna)
    const nurse = staff(trial, ['site.writeParticipantStudyData'], north!._id)
    const enter = () => nurse.call('PUT', url(), { response: sent({ pulse: 60 }) }, key())
    expect([(await enter()).status, (await enter()).status]).toEqual([200, 200])
    await owner.do('removeSiteMember', north!._id, anna)
    await owner.do('addSiteMember', south!._id, anna)
    expect((await enter()).status).toBe(404)
  })

  test('but to a nurse of the whole trial, whatever sites and groups the participant has joined', async () => {
    const s = await study()
    const group = (await s.owner.do('createGroup', s.trial, { name: 'Arm A' }))._id
    const nurse = s.staff(s.trial, ['trial.write'])
    const send = () => nurse.call('PUT', s.url(), { response: s.sent({ pulse: 60 }) }, key())
    const first = await send()
    await s.owner.do('addGroupMember', group, s.anna)
    expect(await send()).toMatchObject({ status: 200, body: first.body })
  })

  test('to a person who is no longer an admin of the team', async () => {
    const w = world()
    const admin = w.invite(['team.admin'])
    const send = () => admin.call('PUT', `/teams/${w.team}`, { name: 'Research' }, key())
    expect([(await send()).status, (await send()).status]).toEqual([200, 200])
    await w.owner.do('updateMember', w.team, admin._id, { permissions: [] })
    expect((await send()).status).toBe(403)
  })

  test('to a person who has fewer permissions than then', async () => {
    const { owner, trial, url, sent, staff } = await study()
    const nurse = staff(trial, ['trial.write', 'trial.readParticipantStudyDataPii'])
    const enter = () => nurse.call('PUT', url(), { response: sent({ pulse: 60 }) }, key())
    expect((await enter()).status).toBe(200)
    const permissions = (words: string[]) =>
      owner.do('setPermissions', trial, nurse._id, { permissions: { [trial]: words } })
    await permissions(['trial.write'])
    expect((await enter()).body.message).toContain('your permissions have changed since')
    await permissions(['trial.read'])
    expect((await enter()).body.message).toContain('You do not have the permission')
  })

  test('in the database: no password of a body can be guessed, and answers go with their participant and trial', async () => {
    const w = await study()
    const { owner, trial, anna, bert, url, sent } = w
    await owner.call(
      'PUT',
      `/trials/${trial}/participants/${anna}`,
      { name: 'Anna Muster', password: '1234' },
      key('a'),
    )
    await owner.call('PUT', url(), { response: sent({ pulse: 60 }) }, key('b'))
    await owner.call('PUT', url(bert), { response: sent({ pulse: 60 }) }, key('c'))
    expect(count(w)).toBe(3)
    await owner.do('deleteParticipant', trial, anna, { reason: 'asked to be forgotten' })
    expect(count(w)).toBe(1)
    await owner.do('deleteTrial', trial)
    w.db.$client.run(`UPDATE idempotencyKeys SET expiresAt = NULL`) // else their time passes first
    w.clock(30 * DAY)
    await w.service.services.tick()
    expect(count(w)).toBe(0)
  })
})

test('the key of a participant’s submission is kept for ever, all others for seven days', async () => {
  const s = await form([{ code: 'pulse', format: 'integer' }], { adHoc: true })
  const own = () => s.me.call('POST', s.ownUrl, s.sent({ pulse: 60 }), key())
  const staff = () => s.owner.call('PUT', s.staffUrl, { response: s.sent({ pulse: 60 }) }, key())
  const [mine, theirs] = [await own(), await staff()]
  s.clock(7 * DAY)
  await s.service.services.tick()
  expect((await own()).body).toEqual(mine.body)
  expect((await staff()).body._id).not.toBe(theirs.body._id)
  for (let quarter = 0; quarter < 20; quarter++) {
    // A token that is unused for longer ends; a repeated request is a use too.
    s.clock(80 * DAY)
    await s.service.services.tick()
    expect((await own()).body).toEqual(mine.body)
    s.service.flush()
  }
})
