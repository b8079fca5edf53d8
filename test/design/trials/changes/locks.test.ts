import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEntries, permissions, sessions } from '#db/tables/index'
import { newId, newSecret, sha256 } from '#kernel/id'
import { DAY, MINUTE, parseInstant } from '#kernel/time'
import { type World, world } from '../../../harness'
import { study } from '../../../study'

const reason = 'The protocol is final.'

/** A person in the web app, who has just confirmed their identity unless the parameters say otherwise. */
function inTheWebApp(w: World, user: string, confirmed = true) {
  const secret = newSecret()
  const now = parseInstant(w.now())!
  const session = { _id: newId(now), createdAt: now, user, hash: sha256(secret), csrfToken: 'csrf', lastSeenAt: now }
  w.db
    .insert(sessions)
    .values({ ...session, expiresAt: now + DAY, confirmedAt: confirmed ? now : null })
    .run()
  return w.person({ Cookie: `trialbox_session=${secret}`, 'X-CSRF-Token': 'csrf' })
}

const entries = (w: World, trial: string) =>
  w.db.select().from(auditEntries).where(eq(auditEntries.chain, trial)).orderBy(auditEntries.number).all()

const locks = [
  ['isLocked', 'lockJustification', 'lockTrial', 'unlockTrial'],
  ['isDatabaseLocked', 'databaseLockJustification', 'lockDatabase', 'unlockDatabase'],
] as const

test.each(locks)(
  '%s is set and cleared with a confirmed identity and a justification',
  async (flag, field, on, off) => {
    const w = world()
    const id = w.trial()
    const owner = inTheWebApp(w, w.owner._id)
    const locked = await owner.do('updateTrial', id, { [flag]: true, [field]: reason })
    expect(locked).toMatchObject({ [flag]: true, [field]: reason })
    expect(await owner.do('updateTrial', id, { [flag]: false, [field]: 'A mistake was found.' })).toMatchObject({
      [flag]: false,
      [field]: 'A mistake was found.',
    })
    expect(entries(w, id)).toMatchObject([
      { type: on, event: { justification: reason }, apiToken: null },
      { type: off, event: { justification: 'A mistake was found.' } },
    ])
  },
)

test.each(locks)('%s cannot be changed with an API key or an old confirmation', async (flag, field) => {
  const w = world()
  const id = w.trial()
  const app = inTheWebApp(w, w.owner._id)
  const asked = { [flag]: true, [field]: reason }
  const refused = async (who: typeof app, body: object = asked) => {
    const answer = await who.call('PUT', `/trials/${id}`, body)
    return [answer.status, answer.body.details?.code]
  }
  expect(await refused(w.owner)).toEqual([403, 'reauth'])
  expect(await refused(w.owner, { [flag]: true })).toEqual([403, 'reauth'])
  expect(await refused(w.owner, { ...asked, name: 'Also this' })).toEqual([403, 'reauth'])
  expect(await refused(inTheWebApp(w, w.owner._id, false))).toEqual([403, 'reauth'])
  w.clock(5 * MINUTE)
  expect(await refused(app)).toEqual([403, 'reauth'])
  expect(await w.owner.do('readTrial', id)).toMatchObject({ [flag]: false, [field]: null, name: 'Trial 1' })
  expect(entries(w, id).map(({ type }) => type)).toEqual(Array(5).fill('accessRefused'))
})

test('a confirmation is valid for five minutes', async () => {
  const w = world()
  const id = w.trial()
  const app = inTheWebApp(w, w.owner._id)
  w.clock(5 * MINUTE - 1)
  await app.do('updateTrial', id, { isLocked: true, lockJustification: reason })
})

test.each(locks)('%s needs its own justification of 10 to 200 characters', async (flag, field) => {
  const w = world()
  const id = w.trial()
  const app = inTheWebApp(w, w.owner._id)
  const problems = async (body: object) => {
    const answer = await app.call('PUT', `/trials/${id}`, body)
    return [answer.status, answer.body.validations?.json[field]]
  }
  expect(await problems({ [flag]: true })).toEqual([422, ['Missing data for required field.']])
  expect(await problems({ [flag]: true, [field]: null })).toEqual([422, ['Missing data for required field.']])
  expect(await problems({ [flag]: true, [field]: 'x'.repeat(9) })).toEqual([422, ['Must be at least 10 characters.']])
  expect(await problems({ [flag]: true, [field]: 'x'.repeat(201) })).toEqual([422, ['Must be at most 200 characters.']])
  expect(await problems({ [flag]: true, [field]: ' '.repeat(10) })).toEqual([422, ['Must not be blank.']])
  expect(await problems({ [field]: reason })).toEqual([400, undefined])
  expect(await problems({ [flag]: true, [field]: 'x'.repeat(10) })).toEqual([200, undefined])
  expect(await problems({ [flag]: false })).toEqual([422, ['Missing data for required field.']])
  expect(await problems({ [flag]: false, [field]: 'x'.repeat(200) })).toEqual([200, undefined])
})

test('changing a lock needs trial.admin', async () => {
  const w = world()
  const id = w.trial()
  const writer = w.staff(id, ['trial.write'])
  const body = { isLocked: true, lockJustification: reason }
  const refused = await inTheWebApp(w, writer._id).call('PUT', `/trials/${id}`, body)
  expect([refused.status, refused.body.details]).toEqual([
    403,
    {
      code: 'permission',
      params: { needs: ['trial.admin'] },
      needs: ['trial.admin'],
      manual: '/manual/permissions#if-a-permission-is-missing',
    },
  ])
  w.db
    .update(permissions)
    .set({ keys: ['trial.admin'] })
    .run()
  await inTheWebApp(w, writer._id).do('updateTrial', id, body)
})

test('both locks and other fields may change in one request, with an entry for each lock', async () => {
  const w = world()
  const id = w.trial()
  const body = {
    ...{ isLocked: true, lockJustification: reason, isDatabaseLocked: true, databaseLockJustification: reason },
    sponsor: 'Charité',
  }
  expect(await inTheWebApp(w, w.owner._id).do('updateTrial', id, body)).toMatchObject(body)
  expect(
    entries(w, id)
      .map(({ type }) => type)
      .sort(),
  ).toEqual(['lockDatabase', 'lockTrial', 'updateTrial'])
})

test('a locked configuration cannot be changed', async () => {
  const w = world()
  const id = w.trial({ isLocked: true, settings: { lockJustification: reason } })
  const read = await w.owner.do('readTrial', id)
  const refused = [
    { name: 'Other' },
    { sponsor: 'S' },
    { password: 'secret' },
    { timezone: 'UTC' },
    { behindScheduleNotices: [] },
  ]
  for (const change of refused) {
    const { status, body } = await w.owner.call('PUT', `/trials/${id}`, change)
    expect([status, body.message]).toEqual([403, 'The trial is locked: its configuration cannot be changed.'])
  }
  const unlocking = { isLocked: false, lockJustification: reason, name: 'Other' }
  expect((await inTheWebApp(w, w.owner._id).call('PUT', `/trials/${id}`, unlocking)).status).toBe(403)
  expect(await w.owner.do('readTrial', id)).toEqual(read)
  // Fields sent back unchanged are no change, with an API key too; archiving does not belong to the configuration.
  expect(await w.owner.do('updateTrial', id, { ...read, isArchived: true })).toEqual({ ...read, isArchived: true })
  await w.owner.do('updateTrial', id, { isArchived: false, password: null })
  expect((await w.owner.call('POST', `/trials/${id}/groups`, { name: 'Arm' })).status).toBe(403)
})

test('the configuration can be changed while the database is locked', async () => {
  const w = world()
  const id = w.trial({ isDatabaseLocked: true })
  expect((await w.owner.do('updateTrial', id, { name: 'Renamed' })).name).toBe('Renamed')
})

test('while the database is locked, a site, group, anchor or stage is deleted only if that deletes no data', async () => {
  const s = await study()
  const { owner, trial, anna, db } = s
  const rule = { assignmentRule: { type: 'manual' } }
  const made = async (nouns: 'sites' | 'groups' | 'anchors' | 'stages', body: object) =>
    (await owner.post(`/trials/${trial}/${nouns}`, body))._id
  const pairs = [
    [
      `/sites/${await made('sites', { name: 'North', id: 'N1' })}`,
      `/sites/${await made('sites', { name: 'South', id: 'S1' })}`,
    ],
    [`/groups/${await made('groups', { name: 'Arm A' })}`, `/groups/${await made('groups', { name: 'Arm B' })}`],
    [
      `/anchors/${await made('anchors', { name: 'Date A', ...rule })}`,
      `/anchors/${await made('anchors', { name: 'Date B', ...rule })}`,
    ],
    [`/stages/${await made('stages', { name: 'One' })}`, `/stages/${await made('stages', { name: 'Two' })}`],
    [`/stages/${await made('stages', { name: 'Three' })}`, `/stages?ids=${await made('stages', { name: 'Four' })}`],
  ] as [string, string][]
  const [site, group, anchor, stage, drafted] = pairs.map(([held]) => held.split('/')[2]!)
  await owner.do('addSiteMember', site, anna)
  await owner.do('addGroupMember', group, anna)
  await owner.do('setAnchorDate', trial, anna, anchor, { datetime: s.now() })
  await owner.do('moveStageOpening', trial, anna, { stage, stageRecurrence: 0, enableAt: s.now() })
  await owner.do('enterResponse', trial, anna, drafted, { response: {} }, { draft: true })
  db.$client.run('UPDATE trials SET isDatabaseLocked = 1')
  for (const [held, empty] of pairs) {
    expect([held, (await owner.call('DELETE', held)).body.message]).toEqual([held, expect.stringContaining('database')])
    expect([empty, (await owner.call('DELETE', empty)).status]).toEqual([empty, 200])
  }
  const several = await owner.call('DELETE', `/stages?ids=${stage},${drafted}`)
  expect(several.body.message).toContain('The database is locked')
  db.$client.run('UPDATE trials SET isDatabaseLocked = 0')
  for (const [held] of pairs) expect([held, (await owner.call('DELETE', held)).status]).toEqual([held, 200])
})

test('a first sign-in while the database is locked counts as joining, and sets its anchors, after unlocking', async () => {
  const s = await study()
  await s.owner.do('createAnchor', s.trial, { name: 'Joined', assignmentRule: { type: 'participant_login' } })
  const state = () =>
    s.db.$client
      .query(
        `SELECT joinedAt IS NOT NULL AS joined, lastSeenAt IS NOT NULL AS seen,
         (SELECT count(*) FROM participantAnchors WHERE participant = participants._id) AS dates
         FROM participants WHERE _id = ?`,
      )
      .get(s.anna)
  s.db.$client.run('UPDATE trials SET isDatabaseLocked = 1')
  await s.signIn()
  expect(state()).toEqual({ joined: 0, seen: 1, dates: 0 })
  s.db.$client.run('UPDATE trials SET isDatabaseLocked = 0')
  await s.signIn()
  expect(state()).toEqual({ joined: 1, seen: 1, dates: 1 })
})
