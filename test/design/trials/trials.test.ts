import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { participantGroups, participantSites, permissions, stages, trials } from '#db/tables/index'
import { newSettings, settingDefaults } from '#design/trials/rules'
import { newId } from '#kernel/id'
import { MINUTE } from '#kernel/time'
import { respond } from '../../conduct/responses/answers'
import { world } from '../../harness'
import { at, enrol, entries, missingGroup, place, upload } from './trials.study'

test('a new trial has defaults, a readable code, and its creator as trial.admin', async () => {
  const w = world()
  const creator = w.invite(['trials.create'])
  const made = await creator.do('createTrial', w.team, { name: 'Été: a Study of Sleep', description: 'Naps' })
  expect<unknown>(made).toEqual({
    _id: expect.any(String),
    createdAt: w.now(),
    team: w.team,
    ...settingDefaults,
    ...newSettings,
    name: 'Été: a Study of Sleep',
    code: 'ete-a-study-of-sleep',
    description: 'Naps',
    timezone: null,
    behindScheduleNotices: ['push', 'email'],
    restrictRegistration: true,
    isArchived: false,
    isLocked: false,
    isDatabaseLocked: false,
    passwordSet: false,
    sponsorLogoUrl: null,
    participantCount: 0,
    dataTypeCount: 0,
    stageCount: 0,
    responseCount: 0,
    hasUnreadMessages: false,
    timelineUpdate: null,
  })
  expect(await creator.do('readTrial', made._id)).toEqual(made)
  expect(w.db.select().from(permissions).all()).toEqual([
    { user: creator._id, trial: made._id, scope: made._id, keys: ['trial.admin'] },
  ])
  const again = await creator.do('createTrial', w.team, { name: made.name, restrictRegistration: false })
  expect(again).toMatchObject({ code: 'ete-a-study-of-sleep-2', restrictRegistration: false, description: null })
  const [entry] = entries(w, made._id)
  expect(entry).toMatchObject({ type: 'createTrial', userEmail: creator.email, event: { trialId: made._id } })
  expect(entry!.apiToken).toBeString()
})

test.each([
  [{}, 'name', 'Missing data for required field.'],
  [{ name: 'A' }, 'name', 'Must be at least 2 characters.'],
  [{ name: 'x'.repeat(501) }, 'name', 'Must be at most 500 characters.'],
  [{ name: 'Study', restrictRegistration: 'yes' }, 'restrictRegistration', 'Must be true or false.'],
  [{ name: 'Study', code: 'abc' }, 'code', 'This operation does not set it: use PUT /trials/:trialId.'],
  [{ name: 'Study', colour: 'red' }, 'colour', 'Unknown field.'],
  [{ name: 'Study', copyFrom: 'x' }, 'copyFrom', 'Must be an _id of 24 hexadecimal characters.'],
])('refuses to create %j', async (body, field, problem) => {
  const { owner, team, db } = world()
  const { status, body: answer } = await owner.call('POST', `/teams/${team}/trials`, body)
  expect([status, answer.validations.json[field]]).toEqual([422, [problem]])
  expect(db.select().from(trials).all()).toEqual([])
})

test('members with trials.create may create trials; others do not see the team', async () => {
  const w = world()
  const body = { name: 'Study' }
  expect((await w.nobody.call('POST', `/teams/${w.team}/trials`, body)).status).toBe(401)
  expect((await w.invite().call('POST', `/teams/${w.team}/trials`, body)).status).toBe(404)
  expect((await w.invite([]).call('POST', `/teams/${w.team}/trials`, body)).status).toBe(403)
  expect(entries(w, w.team)).toMatchObject([{ type: 'accessRefused' }])
  expect((await w.owner.call('POST', `/teams/${w.team}/trials?creationType=other`, body)).status).toBe(422)
})

test('the list of a team’s trials has those the caller can open, and archived ones on request', async () => {
  const w = world()
  const first = w.trial({ name: 'First' })
  const second = w.trial({ name: 'Second', isArchived: true })
  expect((await w.owner.do('listTrials', w.team)).trials).toEqual([
    {
      _id: first,
      name: 'First',
      createdAt: w.now(),
      isArchived: false,
      participantCount: 0,
      dataTypeCount: 0,
      stageCount: 0,
      responseCount: 0,
      hasUnreadMessages: false,
    },
  ])
  const all = await w.owner.do('listTrials', w.team, { includeArchived: true })
  expect(all.trials.map((each) => each._id)).toEqual([first, second])
  const member = w.invite([])
  expect((await member.do('listTrials', w.team)).trials).toEqual([])
  w.db
    .insert(permissions)
    .values({ user: member._id, trial: first, scope: first, keys: ['trial.readTasks'] })
    .run()
  expect((await member.do('listTrials', w.team)).trials).toHaveLength(1)
  expect((await w.staff(first, ['trial.admin']).call('GET', `/teams/${w.team}/trials`)).status).toBe(404)
  expect((await w.neighbours().owner.call('GET', `/teams/${w.team}/trials`)).status).toBe(404)
})

test('ten listings and five creations a minute are allowed', async () => {
  const w = world()
  for (let count = 0; count < 10; count++) await w.owner.do('listTrials', w.team)
  const { status, body } = await w.owner.call('GET', `/teams/${w.team}/trials`)
  expect([status, body['Allowed limit']]).toEqual([429, '10 per 1 minute'])
  for (let count = 0; count < 5; count++) await w.owner.do('createTrial', w.team, { name: 'Study' })
  expect((await w.owner.call('POST', `/teams/${w.team}/trials`, { name: 'Study' })).status).toBe(429)
  w.clock(MINUTE)
  await w.owner.do('createTrial', w.team, { name: 'Study' })
})

test('counts of a restricted account are of its own participants only', async () => {
  const w = world()
  const id = w.trial()
  const { site, group } = place(w, id)
  const stage = newId(at)
  w.db.insert(stages).values({ _id: stage, createdAt: at, trial: id, index: 0, name: 'Visit' }).run()
  w.db.$client.run(`INSERT INTO layouts (_id, trial, stage, dataTypes) VALUES ('l', '${id}', '${stage}', '[]')`)
  const both = enrol(w, id)
  const grouped = enrol(w, id, { unreadCount: 1 })
  const other = enrol(w, id)
  w.db.insert(participantSites).values({ participant: both, site }).run()
  for (const participant of [both, grouped]) w.db.insert(participantGroups).values({ participant, group }).run()
  for (const participant of [both, other, grouped])
    respond(w, { trial: id, stage, stageRecurrence: 0, participant, layout: 'l', values: '[]' })
  const seen = async (words: string[], scopes: string[]) => {
    const person = w.invite([])
    for (const scope of scopes)
      w.db.insert(permissions).values({ user: person._id, trial: id, scope, keys: words }).run()
    const { trials } = await person.do('listTrials', w.team)
    const { participantCount, responseCount, hasUnreadMessages } = await person.do('readTrial', id)
    expect(trials[0]).toMatchObject({ participantCount, responseCount, hasUnreadMessages })
    return [participantCount, responseCount, hasUnreadMessages]
  }
  expect(await seen(['site.read'], [site])).toEqual([1, 1, false])
  expect(await seen(['trial.read'], [group])).toEqual([2, 2, true])
  expect(await seen(['trial.read'], [group, site])).toEqual([2, 2, true])
  w.db.update(trials).set({ unreadCount: 3 }).run()
  expect(await seen(['trial.read'], [id])).toEqual([3, 3, true])
})

test('a code is converted to lower case and unique in the service', async () => {
  const w = world()
  const mine = w.trial({ code: 'mine' })
  w.trial({ code: 'theirs' })
  expect((await w.owner.do('updateTrial', mine, { code: 'SLEEP' })).code).toBe('sleep')
  expect((await w.owner.do('updateTrial', mine, { code: 'Sleep' })).code).toBe('sleep')
  const { status, body } = await w.owner.call('PUT', `/trials/${mine}`, { code: 'THEIRS' })
  expect([status, body.message]).toEqual([400, 'The trial code "theirs" is already in use.'])
})

test('references must be of this trial: groups, people and files', async () => {
  const w = world()
  const id = w.trial()
  const other = w.trial()
  const mine = place(w, id)
  const theirs = place(w, other)
  const refused = async (body: unknown) => (await w.owner.call('PUT', `/trials/${id}`, body)).status
  expect((await w.owner.do('updateTrial', id, { fitbitGroups: [mine.group] })).fitbitGroups).toEqual([mine.group])
  expect(await refused({ fitbitGroups: [mine.group, theirs.group] })).toBe(400)
  expect(await refused({ dexcomGroups: [missingGroup] })).toBe(400)
  const nurse = w.staff(id, ['trial.read'])
  const assigned = { smartAutomaticQueryAssignees: [nurse._id] }
  expect(await w.owner.do('updateTrial', id, assigned)).toMatchObject(assigned)
  expect(await refused({ smartAutomaticQueryAssignees: [w.staff(other, ['trial.read'])._id] })).toBe(400)
  expect(await refused({ smartAutomaticQueryAssignees: [missingGroup] })).toBe(400)
  const logo = upload(w, id, 'trial', id)
  expect(await w.owner.do('updateTrial', id, { sponsorLogo: logo.storedName })).toMatchObject({
    sponsorLogo: logo.storedName,
  })
  for (const strange of [
    upload(w, id, 'trial', id, null),
    upload(w, other, 'trial', other),
    upload(w, id, 'site', mine.site),
  ]) {
    expect(await refused({ sponsorLogo: strange.storedName })).toBe(400)
  }
  expect(await refused({ sponsorLogo: 'no-such-file' })).toBe(400)
})

test('the password is stored as an argon2id hash and never shown or logged', async () => {
  const w = world()
  const id = w.trial()
  expect((await w.owner.do('updateTrial', id, { password: 'open sesame' })).passwordSet).toBe(true)
  const stored = () => w.db.select().from(trials).where(eq(trials._id, id)).get()!.passwordHash
  expect(stored()).toStartWith('$argon2id$')
  expect(await Bun.password.verify('open sesame', stored()!)).toBe(true)
  await w.owner.do('updateTrial', id, { password: null })
  expect(stored()).toBeNull()
  const log = entries(w, id)
  expect(log.map(({ event }) => event.password)).toEqual(['set', 'removed'])
  expect(JSON.stringify(log)).not.toContain('sesame')
  expect(JSON.stringify(log)).not.toContain('argon2')
})

test('a trial can be sent back as it was read, and the log has the changes', async () => {
  const w = world()
  const id = w.trial({ name: 'Before' })
  const read = await w.owner.do('readTrial', id)
  expect(await w.owner.do('updateTrial', id, { ...read, name: 'After' })).toEqual({ ...read, name: 'After' })
  expect(entries(w, id)).toMatchObject([
    { type: 'updateTrial', event: { before: { name: 'Before' }, after: { name: 'After' } } },
  ])
  expect(Object.keys(entries(w, id)[0]!.event.after as object)).toEqual(['name'])
})

test('reading and changing a trial need their permissions', async () => {
  const w = world()
  const id = w.trial()
  expect((await w.nobody.call('GET', `/trials/${id}`)).status).toBe(401)
  const neighbour = w.neighbours().owner
  for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const) {
    expect((await w.invite().call(method, `/trials/${id}`, body)).status).toBe(404)
    expect((await neighbour.call(method, `/trials/${id}`, body)).status).toBe(404)
    expect((await w.staff(id, ['trial.readTasks']).call(method, `/trials/${id}`, body)).status).toBe(403)
  }
  const reader = w.staff(id, ['trial.read'])
  await reader.do('readTrial', id)
  expect((await reader.call('PUT', `/trials/${id}`, { name: 'Mine' })).status).toBe(403)
  expect((await w.staff(id, ['trial.write']).call('DELETE', `/trials/${id}`)).status).toBe(403)
  expect(entries(w, id).map(({ type }) => type)).toEqual(Array(5).fill('accessRefused'))
  expect((await w.owner.call('GET', `/trials/${missingGroup}`)).status).toBe(404)
})

test.each([
  ['eConsentEnabled', 'eConsent'],
  ['fitbitEnabled', 'wearables'],
  ['foodDiariesEnabled', 'foodDiaries'],
  ['trialInsightsEnabled', 'ai'],
])('%s cannot be switched on for a team without %s', async (field, feature) => {
  const w = world()
  const id = w.trial()
  w.db.$client.run(`UPDATE teams SET features = '{"${feature}":false}'`)
  const { status, body } = await w.owner.call('PUT', `/trials/${id}`, { [field]: true })
  const manual = '/manual/permissions#if-a-feature-is-off'
  expect([status, body.details]).toEqual([403, { feature, manual, code: 'featureOff', params: { feature } }])
  await w.owner.do('updateTrial', id, { [field]: false })
})
