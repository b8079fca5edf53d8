/** API keys that may do less than their account. */
import { describe, expect, test } from 'bun:test'
import { sharedInFile, world } from '../../harness'
import { firstOf } from '../../present'

const made = sharedInFile(async () => {
  const w = world()
  const [sleep, walk] = [w.trial({ code: 'sleep', name: 'Sleep' }), w.trial({ code: 'walk', name: 'Walk' })]
  const web = await w.signIn(w.owner)
  const withKey = async (limits: object) => {
    const { key, ...shown } = await web.do('createApiKey', { name: 'script', ...limits })
    return { ...w.person({ Authorization: `Bearer ${key}` }), shown }
  }
  return { ...w, web, sleep, walk, withKey }
})

describe('a key that may only read', () => {
  test('reads what its account reads, and changes nothing; the refusal says why', async () => {
    const { withKey, sleep } = await made()
    const key = await withKey({ isReadOnly: true })
    expect(key.shown).toMatchObject({ isReadOnly: true, trials: null })
    expect((await key.do('readTrial', sleep)).name).toBe('Sleep')
    const { status, body } = await key.call('POST', `/trials/${sleep}/groups`, { name: 'Arm A' })
    expect([status, body]).toEqual([
      403,
      {
        message: 'This API key may only read: it can send GET requests, and change nothing.',
        details: { code: 'keyReadOnly' },
      },
    ])
    const upload = `/uploads/file/request?name=a.pdf&size=3&type=application/pdf&forType=trial&forId=${sleep}`
    expect((await key.call('GET', upload)).body.details).toEqual({ code: 'keyReadOnly' })
  })

  test('does not get the stored response to a write of another key', async () => {
    const { owner, withKey, sleep } = await made()
    const key = await withKey({ isReadOnly: true })
    const options = { headers: { 'Idempotency-Key': 'once' } }
    await owner.post(`/trials/${sleep}/groups`, { name: 'Arm B' }, options)
    const { status, body } = await key.call('POST', `/trials/${sleep}/groups`, { name: 'Arm B' }, options)
    expect([status, body.details]).toEqual([403, { code: 'keyReadOnly' }])
    const again = await owner.call('POST', `/trials/${sleep}/groups`, { name: 'Arm B' }, options)
    expect(again.status).toBe(200)
  })
})

describe('a key for some trials', () => {
  test('reaches these trials only, and no team; the refusal does not tell what its account reaches', async () => {
    const { withKey, sleep, walk, team } = await made()
    const key = await withKey({ trials: [sleep] })
    expect((await key.do('createGroup', sleep, { name: 'Arm C' })).name).toBe('Arm C')
    const hidden = await key.call('GET', `/trials/${walk}`)
    const unknown = await key.call('GET', '/trials/0123456789abcdef01234567')
    expect([hidden.status, hidden.body]).toEqual([404, unknown.body])
    expect(hidden.body.details).toEqual({ code: 'notFound', params: { noun: 'trial' }, keyLimit: 'trials' })
    expect(hidden.body.message).toEndWith('This API key is limited to some trials, and reaches no teams.')
    expect(await key.do('listTeams')).toEqual({ teams: [] })
    for (const [method, path, body] of [
      ['POST', `/teams/${team}/trials`, { name: 'Another trial' }],
      ['GET', `/teams/${team}/users`, undefined],
      ['GET', `/teams/${team}/trials`, undefined],
      ['GET', `/teams/${team}/logs`, undefined],
    ] as const) {
      const { status, body: answer } = await key.call(method, path, body)
      expect([path, status, answer.details.keyLimit]).toEqual([path, 404, 'trials'])
    }
  })

  test('knows of its account only what is of these trials', async () => {
    const w = await made()
    const other = w.neighbours()
    const { staff, signIn, person, sleep, walk, team, db } = w
    const nurse = staff(sleep, ['trial.read'])
    db.$client.run(
      `INSERT INTO permissions (user, trial, scope, keys) VALUES ('${nurse._id}', '${walk}', '${walk}', '["trial.admin"]')`,
    )
    for (const each of [team, other.team])
      db.$client.run(`INSERT INTO teamMembers (team, user, permissions) VALUES ('${each}', '${nurse._id}', '[]')`)
    const web = await signIn(nurse)
    const { key } = await web.do('createApiKey', { name: 'script', trials: [sleep] })
    const me = await person({ Authorization: `Bearer ${key}` }).do('readOwnUser')
    expect([Object.keys(me.permissions), me.teams.map(({ _id }) => _id)]).toEqual([[sleep], []])
    expect(JSON.stringify(me)).not.toContain(walk)
    expect(Object.keys((await web.do('readOwnUser')).permissions).sort()).toEqual([sleep, walk].sort())
  })

  test('never has more than its account: what the account loses, the key loses at once', async () => {
    const { staff, signIn, person, sleep, db } = await made()
    const nurse = staff(sleep, ['trial.write'])
    const { key } = await (await signIn(nurse)).do('createApiKey', { name: 'script', trials: [sleep] })
    const script = person({ Authorization: `Bearer ${key}` })
    expect((await script.call('GET', `/trials/${sleep}`)).status).toBe(200)
    expect((await script.call('DELETE', `/trials/${sleep}`)).status).toBe(403)
    db.$client.run(`DELETE FROM permissions WHERE user = '${nurse._id}'`)
    expect((await script.call('GET', `/trials/${sleep}`)).status).toBe(404)
  })
})

test('trials that the account does not reach are refused, and half an emoji in the name', async () => {
  const { web, withKey, sleep } = await made()
  const refused = async (body: object) =>
    Object.keys((await web.call('POST', '/users/me/api-keys', { name: 'x', ...body })).body.validations.json)
  expect(await refused({ trials: [] })).toEqual(['trials'])
  expect(await refused({ trials: [sleep, '0123456789abcdef01234567'] })).toEqual(['trials'])
  expect(await refused({ trials: ['sleep'] })).toEqual(['trials'])
  expect(await refused({ isReadOnly: 'yes' })).toEqual(['isReadOnly'])
  expect(await refused({ name: 'a\ud83d' })).toEqual(['name'])
  expect((await withKey({ trials: [sleep, sleep] })).shown.trials).toEqual([sleep])
})

test('the list and the log of the team say what a key may do', async () => {
  const { owner, web, withKey, sleep, walk, team } = await made()
  const { shown } = await withKey({ isReadOnly: true, trials: [sleep] })
  const listed = await web.do('listApiKeys')
  expect(listed.apiKeys.find(({ _id }) => _id === shown._id)).toMatchObject({ isReadOnly: true, trials: [sleep] })
  expect(listed.trials).toEqual([
    { _id: sleep, name: 'Sleep', code: 'sleep' },
    { _id: walk, name: 'Walk', code: 'walk' },
  ])
  const { entries } = await owner.do('readTeamLogs', team, { type: 'createApiKey' })
  expect(firstOf(entries).event).toMatchObject({ apiKey: shown._id, isReadOnly: true, trials: [sleep] })
})
