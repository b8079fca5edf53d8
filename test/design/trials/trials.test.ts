import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { ForType } from '#conduct/uploads/model'
import {
  auditEntries,
  deletedChains,
  files,
  groups,
  participantGroups,
  participantSites,
  participants,
  permissions,
  responses,
  sites,
  stages,
  submissions,
  trials,
} from '#db/tables/index'
import { uncascadedTableNames } from '#design/trials/deletionStore'
import { settingDefaults } from '#design/trials/rules'
import { newId } from '#kernel/id'
import { MINUTE } from '#kernel/time'
import { newStoredName, uploadPath } from '#storage/names'
import { type World, world } from '../../harness'

const at = 1_772_452_800_000_000
const entries = (w: World, chain: string) =>
  w.db.select().from(auditEntries).where(eq(auditEntries.chain, chain)).orderBy(auditEntries.number).all()

/** A participant put straight into the database. */
function enrol(w: World, trial: string, change: Partial<typeof participants.$inferInsert> = {}) {
  const _id = newId(at)
  w.db
    .insert(participants)
    .values({ _id, createdAt: at, trial, id: `P-${_id.slice(-6)}`, idSort: _id, ...change })
    .run()
  return _id
}

function place(w: World, trial: string) {
  const site = newId(at)
  w.db
    .insert(sites)
    .values({ _id: site, createdAt: at, trial, name: 'North', id: site.slice(-6) })
    .run()
  const group = newId(at)
  w.db.insert(groups).values({ _id: group, createdAt: at, trial, name: 'Arm' }).run()
  return { site, group }
}

/** An upload that is finished, with its bytes. */
function upload(w: World, trial: string, forType: ForType, forId: string, finishedAt: number | null = at) {
  const storedName = newStoredName('logo.png', at)
  const path = uploadPath(join(w.directory, 'files'), storedName)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'bytes')
  w.db
    .insert(files)
    .values({
      storedName,
      createdAt: at,
      kind: 'upload',
      trial,
      forType,
      forId,
      createdBy: w.owner._id,
      name: 'logo.png',
      type: 'image/png',
      finishedAt,
    })
    .run()
  return { storedName, path }
}

test('creating a trial: defaults, a readable code, and trial.admin for its creator', async () => {
  const w = world()
  const creator = w.invite(['trials.create'])
  const made = await creator.post(`/teams/${w.team}/trials`, { name: 'Été: a Study of Sleep', description: 'Naps' })
  expect(made).toEqual({
    _id: expect.any(String),
    createdAt: w.now(),
    team: w.team,
    ...settingDefaults,
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
  expect(await creator.get(`/trials/${made._id}`)).toEqual(made)
  expect(w.db.select().from(permissions).all()).toEqual([
    { user: creator._id, trial: made._id, scope: made._id, keys: ['trial.admin'] },
  ])
  const again = await creator.post(`/teams/${w.team}/trials`, { name: made.name, restrictRegistration: false })
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
  [{ name: 'Study', code: 'abc' }, 'code', 'Is set with PUT once the trial exists.'],
  [{ name: 'Study', colour: 'red' }, 'colour', 'Unknown field.'],
  [{ name: 'Study', copyFrom: 'x' }, 'copyFrom', 'Must be an _id of 24 hexadecimal characters.'],
])('refuses to create %j', async (body, field, problem) => {
  const { owner, team, db } = world()
  const { status, body: answer } = await owner.call('POST', `/teams/${team}/trials`, body)
  expect([status, answer.validations.json[field]]).toEqual([422, [problem]])
  expect(db.select().from(trials).all()).toEqual([])
})

test('who may create: members with trials.create; others do not see the team', async () => {
  const w = world()
  const body = { name: 'Study' }
  expect((await w.nobody.call('POST', `/teams/${w.team}/trials`, body)).status).toBe(401)
  expect((await w.invite().call('POST', `/teams/${w.team}/trials`, body)).status).toBe(404)
  expect((await w.invite([]).call('POST', `/teams/${w.team}/trials`, body)).status).toBe(403)
  expect(entries(w, w.team)).toMatchObject([{ type: 'accessRefused' }])
  expect((await w.owner.call('POST', `/teams/${w.team}/trials?creationType=other`, body)).status).toBe(422)
})

test('a team’s trials: those the caller can open, archived ones on request', async () => {
  const w = world()
  const first = w.trial({ name: 'First' })
  const second = w.trial({ name: 'Second', isArchived: true })
  expect((await w.owner.get(`/teams/${w.team}/trials`)).trials).toEqual([
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
  const all = await w.owner.get(`/teams/${w.team}/trials?includeArchived=true`)
  expect(all.trials.map((each: { _id: string }) => each._id)).toEqual([first, second])
  const member = w.invite([])
  expect((await member.get(`/teams/${w.team}/trials`)).trials).toEqual([])
  w.db
    .insert(permissions)
    .values({ user: member._id, trial: first, scope: first, keys: ['trial.readTasks'] })
    .run()
  expect((await member.get(`/teams/${w.team}/trials`)).trials).toHaveLength(1)
  expect((await w.staff(first, ['trial.admin']).call('GET', `/teams/${w.team}/trials`)).status).toBe(404)
  expect((await w.neighbours().owner.call('GET', `/teams/${w.team}/trials`)).status).toBe(404)
})

test('ten listings and five creations a minute', async () => {
  const w = world()
  for (let count = 0; count < 10; count++) await w.owner.get(`/teams/${w.team}/trials`)
  const { status, body } = await w.owner.call('GET', `/teams/${w.team}/trials`)
  expect([status, body['Allowed limit']]).toEqual([429, '10 per 1 minute'])
  for (let count = 0; count < 5; count++) await w.owner.post(`/teams/${w.team}/trials`, { name: 'Study' })
  expect((await w.owner.call('POST', `/teams/${w.team}/trials`, { name: 'Study' })).status).toBe(429)
  w.clock(MINUTE)
  await w.owner.post(`/teams/${w.team}/trials`, { name: 'Study' })
})

test('counts show a restricted account only its own participants', async () => {
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
  for (const participant of [both, other, grouped]) {
    const one = { _id: newId(at), createdAt: at, updatedAt: at, trial: id, stage, stageRecurrence: 0, participant }
    w.db
      .insert(responses)
      .values({ ...one, layout: 'l', values: '[]', stamps: '1' })
      .run()
  }
  const seen = async (words: string[], scopes: string[]) => {
    const person = w.invite([])
    for (const scope of scopes)
      w.db.insert(permissions).values({ user: person._id, trial: id, scope, keys: words }).run()
    const { trials } = await person.get(`/teams/${w.team}/trials`)
    const { participantCount, responseCount, hasUnreadMessages } = await person.get(`/trials/${id}`)
    expect(trials[0]).toMatchObject({ participantCount, responseCount, hasUnreadMessages })
    return [participantCount, responseCount, hasUnreadMessages]
  }
  expect(await seen(['site.read'], [site])).toEqual([1, 1, false])
  expect(await seen(['trial.read'], [group])).toEqual([2, 2, true])
  expect(await seen(['trial.read'], [group, site])).toEqual([2, 2, true])
  w.db.update(trials).set({ unreadCount: 3 }).run()
  expect(await seen(['trial.read'], [id])).toEqual([3, 3, true])
})

const LONG = 'x'.repeat(10_000)
const line = [null, '', 'x'.repeat(500)]
const word = [null, '', 'x'.repeat(100)]
const flags = [true, false]
const overLine = ['x'.repeat(501), 5]
const overWord = ['x'.repeat(101), 5]
const notFlags = [null, 'true', 1]
const missingGroup = 'f'.repeat(24)

/** Every settable field with values that are taken and values that are 422. */
const bounds: Record<string, [good: unknown[], bad: unknown[]]> = {
  name: [
    ['ab', 'x'.repeat(500)],
    ['a', 'x'.repeat(501), null],
  ],
  code: [
    ['ab', 'x'.repeat(100), 'a b'],
    ['a', 'x'.repeat(101), ' ab', 'ab ', null],
  ],
  description: [
    [null, '', LONG],
    [`${LONG}x`, 5],
  ],
  conditions: [
    [null, '', LONG],
    [`${LONG}x`, 5],
  ],
  scientificName: [line, overLine],
  studyAcronym: [line, overLine],
  sponsor: [line, overLine],
  sponsorLogo: [[null], ['', 'x'.repeat(201)]],
  eudractNumber: [word, overWord],
  ctisNumber: [word, overWord],
  clinicalTrialsGovNumber: [word, overWord],
  protocolNumber: [word, overWord],
  approvalNeeded: [flags, notFlags],
  approvals: [
    [
      [],
      [{ id: 'a' }],
      [
        {
          id: 'a',
          type: 'ethics',
          status: 'approved',
          submissionDate: '2026-01-31',
          approvalDate: '2026-02-01T10:00:00.000000Z',
          reference: 'R/1',
          addressLine1: 'A',
          addressLine2: null,
          addressCity: 'B',
          addressPostCode: 'C',
          addressCountry: 'D',
          contactName: 'E',
          contactEmail: 'e@example.org',
          contactPhone: '+49',
        },
      ],
    ],
    [
      null,
      [{}],
      [{ id: '' }],
      [{ id: 'a', colour: 'red' }],
      [{ id: 'a', submissionDate: '2026-02-30' }],
      Array(201).fill({ id: 'a' }),
    ],
  ],
  defaultNotificationTitle: [[null, '', 'x'.repeat(50)], ['x'.repeat(51)]],
  restrictRegistration: [flags, notFlags],
  enableLookback: [flags, notFlags],
  signOffNoteRequired: [flags, notFlags],
  eConsentEnabled: [flags, notFlags],
  eConsentClosed: [flags, notFlags],
  responseSigningEnabled: [flags, notFlags],
  signaturesRequiredForLock: [flags, notFlags],
  signatureMeanings: [
    [[], ['I wrote this', 'x'.repeat(200)], Array(50).fill('Approved')],
    [null, [''], ['x'.repeat(201)], Array(51).fill('A')],
  ],
  ...Object.fromEntries(
    ['fitbit', 'garmin', 'dexcom'].flatMap((provider) => [
      [`${provider}Enabled`, [flags, notFlags]],
      [
        `${provider}Groups`,
        [
          [null, []],
          ['x', ['x'], 5],
        ],
      ],
      [`${provider}ConnectionReminders`, [flags, notFlags]],
    ]),
  ),
  foodDiariesEnabled: [flags, notFlags],
  foodDiaryDataSource: [['usda'], ['other', null, '']],
  smartAutomaticQueriesEnabled: [flags, notFlags],
  smartAutomaticQueryAssignees: [[[]], [null, ['x'], Array(101).fill(missingGroup)]],
  smartAutomaticQueryInstructions: [[null, '', LONG], [`${LONG}x`]],
  participantInsightsEnabled: [flags, notFlags],
  trialInsightsEnabled: [flags, notFlags],
  timezone: [
    [null, 'Europe/Berlin', 'UTC'],
    ['Mars/Olympus', '', '+02:00'],
  ],
  behindScheduleNotices: [
    [[], ['sms'], ['push', 'sms', 'whatsapp', 'email']],
    [null, 'email', ['letter'], ['push', 'sms', 'whatsapp', 'email', 'push']],
  ],
  isArchived: [flags, notFlags],
  password: [
    ['x', 'x'.repeat(200), null],
    ['', 'x'.repeat(201), 5],
  ],
  isLocked: [[false], notFlags],
  isDatabaseLocked: [[false], notFlags],
  lockJustification: [[null], ['x'.repeat(9), 'x'.repeat(201), 5]],
  databaseLockJustification: [[null], ['x'.repeat(9), 'x'.repeat(201), 5]],
}

test('the table of bounds has every settable field', async () => {
  const { TrialChange } = await import('#design/trials/model')
  expect(Object.keys(bounds).sort()).toEqual(Object.keys(TrialChange.properties).sort())
})

test.each(Object.entries(bounds))('%s takes what is within its bounds and nothing else', async (field, [good, bad]) => {
  const w = world()
  const id = w.trial()
  const writer = w.staff(id, ['trial.write'])
  for (const value of good) {
    const after = await writer.put(`/trials/${id}`, { [field]: value })
    if (field === 'password') expect([after.passwordSet, 'password' in after]).toEqual([value !== null, false])
    else expect(after[field]).toEqual(value)
    expect(await writer.get(`/trials/${id}`)).toEqual(after)
  }
  const before = await writer.get(`/trials/${id}`)
  for (const value of bad) {
    const { status, body } = await writer.call('PUT', `/trials/${id}`, { [field]: value })
    expect([value, status, Object.keys(body.validations?.json ?? {})]).toEqual([value, 422, [field]])
  }
  expect(await writer.get(`/trials/${id}`)).toEqual(before)
})

test('a code is lower-cased and unique across the service', async () => {
  const w = world()
  const mine = w.trial({ code: 'mine' })
  w.trial({ code: 'theirs' })
  expect((await w.owner.put(`/trials/${mine}`, { code: 'SLEEP' })).code).toBe('sleep')
  expect((await w.owner.put(`/trials/${mine}`, { code: 'Sleep' })).code).toBe('sleep')
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
  expect((await w.owner.put(`/trials/${id}`, { fitbitGroups: [mine.group] })).fitbitGroups).toEqual([mine.group])
  expect(await refused({ fitbitGroups: [mine.group, theirs.group] })).toBe(400)
  expect(await refused({ dexcomGroups: [missingGroup] })).toBe(400)
  const nurse = w.staff(id, ['trial.read'])
  const assigned = { smartAutomaticQueryAssignees: [nurse._id] }
  expect(await w.owner.put(`/trials/${id}`, assigned)).toMatchObject(assigned)
  expect(await refused({ smartAutomaticQueryAssignees: [w.staff(other, ['trial.read'])._id] })).toBe(400)
  expect(await refused({ smartAutomaticQueryAssignees: [missingGroup] })).toBe(400)
  const logo = upload(w, id, 'trial', id)
  expect(await w.owner.put(`/trials/${id}`, { sponsorLogo: logo.storedName })).toMatchObject({
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

test('the password is kept as argon2id and never shown or logged', async () => {
  const w = world()
  const id = w.trial()
  expect((await w.owner.put(`/trials/${id}`, { password: 'open sesame' })).passwordSet).toBe(true)
  const stored = () => w.db.select().from(trials).where(eq(trials._id, id)).get()!.passwordHash
  expect(stored()).toStartWith('$argon2id$')
  expect(await Bun.password.verify('open sesame', stored()!)).toBe(true)
  await w.owner.put(`/trials/${id}`, { password: null })
  expect(stored()).toBeNull()
  const log = entries(w, id)
  expect(log.map(({ event }) => event.password)).toEqual(['set', 'removed'])
  expect(JSON.stringify(log)).not.toContain('sesame')
  expect(JSON.stringify(log)).not.toContain('argon2')
})

test('what was read can be sent back, and the log tells what changed', async () => {
  const w = world()
  const id = w.trial({ name: 'Before' })
  const read = await w.owner.get(`/trials/${id}`)
  expect(await w.owner.put(`/trials/${id}`, { ...read, name: 'After' })).toEqual({ ...read, name: 'After' })
  expect(entries(w, id)).toMatchObject([
    { type: 'updateTrial', event: { before: { name: 'Before' }, after: { name: 'After' } } },
  ])
  expect(Object.keys(entries(w, id)[0]!.event.after as object)).toEqual(['name'])
})

test('who may read and change', async () => {
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
  await reader.get(`/trials/${id}`)
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
  expect([status, body.details]).toEqual([403, { feature, manual: '/manual/permissions#if-a-feature-is-off' }])
  await w.owner.put(`/trials/${id}`, { [field]: false })
})

test('deleting a trial leaves nothing of it but one entry in the team’s log', async () => {
  const w = world()
  const kept = w.trial({ name: 'Kept' })
  const id = w.trial({ name: 'Gone', code: 'gone' })
  for (const trial of [kept, id]) {
    const { site, group } = place(w, trial)
    const participant = enrol(w, trial)
    w.db.insert(participantSites).values({ participant, site }).run()
    w.db.insert(participantGroups).values({ participant, group }).run()
    const stage = newId(at)
    w.db.insert(stages).values({ _id: stage, createdAt: at, trial, index: 0, name: 'Visit' }).run()
    w.db.$client.run(
      `INSERT INTO layouts (_id, trial, stage, dataTypes) VALUES ('${trial}', '${trial}', '${stage}', '[]')`,
    )
    for (const who of [participant, null]) {
      const one = { trial, stage, stageRecurrence: 0, participant: who, layout: trial }
      const response = newId(at)
      w.db
        .insert(responses)
        .values({ ...one, _id: response, createdAt: at, updatedAt: at, values: '[]', stamps: '1' })
        .run()
      w.db
        .insert(submissions)
        .values({
          ...one,
          response,
          at,
          values: '[]',
          partialSubmission: false,
          createdBy: participant,
          createdByType: 'user',
        })
        .run()
    }
    w.db.$client.run(
      `INSERT INTO outbox (_id, createdAt, trial, channel, recipient, body, status) VALUES ('${newId(at)}', 1, '${trial}', 'email', 'a', 'b', 'notSent')`,
    )
    w.db.$client.run(
      `INSERT INTO jobs (_id, createdAt, kind, user, trial, input, status, progress) VALUES ('${newId(at)}', 1, 'x', 'u', '${trial}', '{}', 'done', '')`,
    )
  }
  const file = upload(w, id, 'trial', id)
  const other = upload(w, kept, 'trial', kept)
  await w.owner.put(`/trials/${id}`, { sponsor: 'Somebody' })
  const [last] = entries(w, id).slice(-1)
  const admin = w.staff(id, ['trial.admin'])

  expect(await admin.delete(`/trials/${id}`)).toEqual({})
  expect((await admin.call('GET', `/trials/${id}`)).status).toBe(404)
  const sqlite = w.db.$client
  const withTrial = sqlite
    .query<{ name: string }, []>(
      `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'trial'`,
    )
    .all()
  expect(withTrial.length).toBeGreaterThan(10)
  for (const { name } of withTrial) {
    const count = sqlite.query<{ n: number }, [string]>(`SELECT count(*) AS n FROM "${name}" WHERE trial = ?`)
    expect([name, count.get(id)!.n]).toEqual([name, 0])
  }
  expect(entries(w, id)).toEqual([])
  expect(w.db.select().from(deletedChains).all()).toMatchObject([{ chain: id, number: last!.number, hash: last!.hash }])
  expect(entries(w, w.team)).toMatchObject([
    {
      type: 'deleteTrial',
      userEmail: admin.email,
      event: {
        trialId: id,
        name: 'Gone',
        code: 'gone',
        participantCount: 1,
        responseCount: 2,
        files: 1,
        auditEntries: last!.number,
        auditHash: last!.hash,
      },
    },
  ])
  for (let tries = 0; existsSync(file.path) && tries < 200; tries++) await Bun.sleep(5)
  expect([existsSync(file.path), existsSync(other.path)]).toEqual([false, true])
  expect(w.db.select().from(submissions).where(eq(submissions.trial, kept)).all()).toHaveLength(2)
  expect(w.db.select().from(responses).where(eq(responses.trial, kept)).all()).toHaveLength(2)
  expect(sqlite.query('SELECT participantCount FROM teams').get()).toEqual({ participantCount: 1 })
  expect(w.faults).toEqual([])
})

test('every table that names a trial goes with it', () => {
  const { db } = world()
  const strays = db.$client
    .query<{ name: string }, []>(
      `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.name = 'trial' AND NOT EXISTS (
         SELECT 1 FROM pragma_foreign_key_list(m.name) f WHERE f."table" IN ('trials', 'participants') AND f.on_delete = 'CASCADE')`,
    )
    .all()
  expect(strays.map(({ name }) => name).sort()).toEqual([...uncascadedTableNames, 'submissions'].sort())
})

test.each([{ isLocked: true }, { isDatabaseLocked: true }])('a trial with %j is not deleted', async (lock) => {
  const w = world()
  const id = w.trial(lock)
  expect((await w.owner.call('DELETE', `/trials/${id}`)).status).toBe(403)
  await w.owner.get(`/trials/${id}`)
})
