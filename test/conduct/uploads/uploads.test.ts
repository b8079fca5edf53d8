import { expect, test } from 'bun:test'
import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { auditEntries, files, participantSites, participants, participantTokens, sites } from '#db/tables/index'
import { type Id, newId, sha256 } from '#kernel/id'
import { DAY, HOUR, MINUTE, parseInstant } from '#kernel/time'
import { expiredFiles, unusedExports } from '#server/background/removal'
import { newStoredName, uploadPath } from '#storage/names'
import { fileByName, insertFile, usableFile } from '#storage/store'
import { type World, world } from '../../harness'

const MB = 1024 ** 2
const bytes = 'a scan'

const ask = (forType: string, forId: Id | undefined, more: Record<string, string | number> = {}, kind = 'file') =>
  `/uploads/${kind}/request?${new URLSearchParams({
    name: 'Scan 1.PDF',
    size: `${bytes.length}`,
    type: 'application/pdf',
    forType,
    ...(forId === undefined ? {} : { forId }),
    ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, `${value}`])),
  })}`

const put = (here: World, url: string, body = bytes, type = 'application/pdf') =>
  here.fetch(url, { method: 'PUT', body, headers: { 'Content-Type': type } })

/** A site, and a participant of it who is signed in. */
function atSite(here: World, trial: Id) {
  const site = newId(0)
  const participant = newId(0)
  const count = here.db.select().from(participants).all().length
  here.db
    .insert(sites)
    .values({ _id: site, createdAt: 0, trial, name: 'Site', id: `S${count}` })
    .run()
  here.db
    .insert(participants)
    .values({ _id: participant, createdAt: 0, trial, id: `P${count}`, idSort: `p${count}` })
    .run()
  here.db.insert(participantSites).values({ participant, site }).run()
  const now = parseInstant(here.now())!
  const hash = sha256(`token ${participant}`)
  here.db.insert(participantTokens).values({ hash, participant, trial, createdAt: now, lastUsedAt: now }).run()
  const patient = here.person({ Authorization: `Bearer token ${participant}` })
  return { site, participant, patient }
}

test('a file goes up by its link and comes down by another', async () => {
  const here = world()
  const { owner, db, service } = here
  const trial = here.trial()
  const request = await owner.get(ask('trial', trial))
  expect(request).toEqual({
    signedRequestURL: expect.stringMatching(/^http:\/\/localhost\/storage\/files\/.+signature=/),
    fileName: expect.stringMatching(/^[0-9a-f]{24}-[0-9a-f]{32}\.pdf$/),
  })
  const { fileName } = request
  expect(usableFile(db, fileName, 'trial', trial)).toBeUndefined()
  const answer = await put(here, request.signedRequestURL)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-service-version')).toBe('0.0.0+test')
  expect(await answer.json()).toEqual({ fileName })
  expect(usableFile(db, fileName, 'trial', trial)).toMatchObject({
    kind: 'upload',
    trial,
    createdBy: owner._id,
    name: 'Scan 1.PDF',
    type: 'application/pdf',
    size: bytes.length,
    sha256: sha256(bytes),
    finishedAt: parseInstant(here.now())!,
    expiresAt: null,
  })
  expect(usableFile(db, fileName, 'trial', here.trial())).toBeUndefined()
  expect(usableFile(db, fileName, 'site', trial)).toBeUndefined()

  const link = service.services.storage.downloadUrl(fileName, 'Scan.pdf', parseInstant(here.now())! + HOUR)
  const got = await here.fetch(link)
  expect([got.status, got.headers.get('content-disposition'), await got.text()]).toEqual([
    200,
    'attachment; filename="Scan.pdf"',
    bytes,
  ])
})

test('asking leaves an entry in the trial’s log, without a participant’s file name', async () => {
  const here = world()
  const trial = here.trial()
  const { participant } = atSite(here, trial)
  const { fileName } = await here.owner.get(ask('participant', participant))
  const [entry] = here.db.select().from(auditEntries).all()
  expect(entry).toMatchObject({
    chain: trial,
    type: 'requestUpload',
    participant,
    event: { forType: 'participant', forId: participant, storedName: fileName, size: 6, type: 'application/pdf' },
  })
  expect(JSON.stringify(entry)).not.toContain('Scan 1')
})

test('what comes must be what was declared, and comes once', async () => {
  const here = world()
  const trial = here.trial()
  const { signedRequestURL: url, fileName } = await here.owner.get(ask('trial', trial))
  const refused: [string, string, string][] = [
    ['short', 'scan', 'application/pdf'],
    ['long', 'a scan and more', 'application/pdf'],
    ['of another type', bytes, 'image/png'],
  ]
  for (const [, body, type] of refused) expect((await put(here, url, body, type)).status).toBe(400)
  expect(fileByName(here.db, fileName)!.finishedAt).toBeNull()
  expect((await put(here, url)).status).toBe(200)
  expect((await put(here, url)).status).toBe(400)
})

test('links end to the microsecond', async () => {
  const here = world()
  const trial = here.trial()
  const first = await here.owner.get(ask('trial', trial))
  const second = await here.owner.get(ask('trial', trial))
  here.clock(HOUR - 1)
  expect((await put(here, first.signedRequestURL)).status).toBe(200)
  here.clock(1)
  expect((await put(here, second.signedRequestURL)).status).toBe(403)

  const now = parseInstant(here.now())!
  const link = here.service.services.storage.downloadUrl(first.fileName, 'a.pdf', now + MINUTE)
  here.clock(MINUTE - 1)
  expect((await here.fetch(link)).status).toBe(200)
  here.clock(1)
  expect((await here.fetch(link)).status).toBe(403)
})

test('a link is no good for another file, method or place', async () => {
  const here = world()
  const { signedRequestURL: url } = await here.owner.get(ask('trial', here.trial()))
  expect((await here.fetch(url)).status).toBe(403)
  expect((await put(here, url.replace(/[0-9a-f]{32}\.pdf/, `${'0'.repeat(32)}.pdf`))).status).toBe(403)
})

test.each([
  ['file', 30 * MB, 'application/pdf', 200],
  ['file', 30 * MB + 1, 'application/pdf', 400],
  ['file', 1, 'application/pdf', 200],
  ['file', 0, 'application/pdf', 422],
  ['file', 30 * MB, 'video/mp4', 200],
  ['file', 30 * MB + 1, 'video/mp4', 400],
  ['video', 5 * 1024 * MB, 'video/mp4', 200],
  ['video', 5 * 1024 * MB + 1, 'video/mp4', 400],
  ['video', 10, 'Video/MP4', 200],
  ['video', 10, 'application/pdf', 400],
  ['video', 10, 'xvideo/mp4', 400],
])('a %s of %d bytes and type %s: %d', async (kind, size, type, status) => {
  const here = world()
  const answer = await here.owner.call('GET', ask('trial', here.trial(), { size, type }, kind))
  expect(answer.status).toBe(status)
  if (status === 400) expect(here.db.select().from(files).all()).toEqual([])
})

test.each([
  [{ type: 'pdf' }, { type: ['Must be a MIME type such as application/pdf.'] }],
  [{ type: 'text/html\r\nX: y' }, { type: ['Must be a MIME type such as application/pdf.'] }],
  [{ size: '1.5' }, { size: ['Must be a whole number.'] }],
  [{ size: 'all' }, { size: ['Must be a whole number.'] }],
  [{ name: 'x'.repeat(256) }, { name: ['Must be at most 255 characters.'] }],
  [{ forType: 'services' }, { forType: ['Must be one of: trial, participant, site, query, team, user.'] }],
  [{ colour: 'red' }, { colour: ['Unknown field.'] }],
])('refuses the question %j', async (more, problems) => {
  const here = world()
  const { status, body } = await here.owner.call('GET', ask('trial', here.trial(), more as Record<string, string>))
  expect(status).toBe(422)
  expect(body.validations.query).toEqual(problems)
})

test('staff must say what it is for', async () => {
  const { status, body } = await world().owner.call('GET', ask('trial', undefined))
  expect([status, body.validations]).toEqual([422, { query: { forId: ['Missing data for required field.'] } }])
})

test('what a person cannot see is not there for their files either', async () => {
  const here = world()
  const { team: otherTeam, owner: other } = here.neighbours()
  const trial = here.trial()
  const { site, participant } = atSite(here, trial)
  const unseen: [string, Id][] = [
    ['trial', trial],
    ['site', site],
    ['participant', participant],
    ['team', here.team],
    ['user', here.owner._id],
    ['query', newId(0)],
    ['trial', newId(0)],
    ['participant', newId(0)],
    ['site', newId(0)],
  ]
  for (const [forType, forId] of unseen) expect((await other.call('GET', ask(forType, forId))).status).toBe(404)
  await other.get(ask('team', otherTeam))
  await other.get(ask('user', other._id))
  expect((await here.nobody.call('GET', ask('trial', trial))).status).toBe(401)
})

test('restricted accounts upload to their own sites and participants only', async () => {
  const here = world()
  const trial = here.trial()
  const a = atSite(here, trial)
  const b = atSite(here, trial)
  const nurse = here.staff(trial, ['site.writeParticipantStudyData', 'site.writeSiteMessages'], a.site)
  await nurse.get(ask('participant', a.participant))
  await nurse.get(ask('site', a.site))
  for (const url of [ask('participant', b.participant), ask('site', b.site)]) {
    expect((await nurse.call('GET', url)).status).toBe(404)
  }
})

test.each([
  ['trial', 'trial.read', 403],
  ['trial', 'trial.writeFiles', 200],
  ['trial', 'trial.writeTasks', 200],
  ['trial', 'trial.write', 200],
  ['participant', 'trial.read', 403],
  ['participant', 'trial.support', 200],
  ['participant', 'trial.writeParticipantStudyData', 200],
  ['site', 'trial.read', 403],
  ['site', 'trial.writeSiteMessages', 200],
  ['site', 'trial.writeSites', 200],
])('a file for a %s with %s: %d', async (forType, word, status) => {
  const here = world()
  const trial = here.trial()
  const { site, participant } = atSite(here, trial)
  const somebody = here.staff(trial, [word])
  const forId = { trial, participant, site }[forType]!
  expect((await somebody.call('GET', ask(forType, forId))).status).toBe(status)
  const types = here.db
    .select()
    .from(auditEntries)
    .all()
    .map(({ chain, type }) => [chain, type])
  expect(types).toEqual([[trial, status === 403 ? 'accessRefused' : 'requestUpload']])
})

test('participants upload for themselves only', async () => {
  const here = world()
  const trial = here.trial()
  const { site, participant, patient } = atSite(here, trial)
  const other = atSite(here, trial)
  const { signedRequestURL, fileName } = await patient.get(ask('participant', undefined))
  expect((await put(here, signedRequestURL)).status).toBe(200)
  expect(usableFile(here.db, fileName, 'participant', participant)).toMatchObject({ createdBy: participant, trial })
  expect(usableFile(here.db, fileName, 'participant', other.participant)).toBeUndefined()
  await patient.get(ask('participant', participant))
  for (const url of [ask('participant', other.participant), ask('trial', trial), ask('site', site)]) {
    expect((await patient.call('GET', url)).status).toBe(404)
  }
})

test('a locked database still takes files', async () => {
  const here = world()
  await here.owner.get(ask('trial', here.trial({ isLocked: true, isDatabaseLocked: true })))
})

test('uploads that never came and ended exports are swept; what was finished stays', async () => {
  const here = world()
  const { db, service, directory } = here
  const trial = here.trial()
  const done = await here.owner.get(ask('trial', trial))
  const never = await here.owner.get(ask('trial', trial))
  await put(here, done.signedRequestURL)
  const now = parseInstant(here.now())!
  const storedName = newStoredName('a.xlsx', now)
  await Bun.write(`${directory}/exports/${storedName}`, 'rows')
  insertFile(db, {
    storedName,
    createdAt: now,
    kind: 'export',
    trial,
    forType: 'trial',
    forId: trial,
    createdBy: here.owner._id,
    name: 'a.xlsx',
    type: 'text/plain',
    size: 4,
    finishedAt: now,
    expiresAt: now + HOUR,
  })
  const link = service.services.storage.downloadUrl(storedName, 'a.xlsx', now + 2 * HOUR)
  const rows = () =>
    db
      .select()
      .from(files)
      .all()
      .map((file) => file.storedName)
      .sort()
  const all = [done.fileName, never.fileName, storedName].sort()

  // An upload that started while the link was valid has another hour.
  await expiredFiles.run(service.services, now + 2 * HOUR - 1)
  expect(rows()).toEqual(all)
  expect(await (await here.fetch(link)).text()).toBe('rows')
  await expiredFiles.run(service.services, now + 2 * HOUR)
  expect(rows()).toEqual(all.filter((name) => name !== storedName))
  expect(readdirSync(`${directory}/exports`)).toEqual([])
  await expiredFiles.run(service.services, now + DAY + HOUR - 1)
  expect(rows()).toContain(never.fileName)
  await expiredFiles.run(service.services, now + DAY + HOUR)
  expect(rows()).toEqual([done.fileName])
  expect(existsSync(uploadPath(service.services.storage.files, done.fileName))).toBe(true)
  expect((await put(here, never.signedRequestURL)).status).toBe(404)
})

test('an ended export is gone before it is swept', async () => {
  const here = world()
  const now = parseInstant(here.now())!
  const trial = here.trial()
  const storedName = newStoredName('a.csv', now)
  await Bun.write(`${here.directory}/exports/${storedName}`, 'rows')
  const file = {
    storedName,
    createdAt: now,
    kind: 'export' as const,
    forType: 'trial' as const,
    forId: trial,
    createdBy: 'x',
  }
  insertFile(here.db, { ...file, name: 'a.csv', type: 'text/csv', size: 4, finishedAt: now, expiresAt: now + MINUTE })
  const link = here.service.services.storage.downloadUrl(storedName, 'a.csv', now + HOUR)
  here.clock(MINUTE - 1)
  expect((await here.fetch(link)).status).toBe(200)
  here.clock(1)
  expect((await here.fetch(link)).status).toBe(404)
  expect(usableFile(here.db, storedName, 'trial', trial)).toBeUndefined()
})

test('what a crash left among the exports goes after a day by the machine’s clock; what is known stays', async () => {
  const here = world()
  const trial = here.trial()
  const folder = `${here.directory}/exports`
  const now = parseInstant(here.now())!
  const storedName = newStoredName('a.csv', now)
  const file = {
    storedName,
    createdAt: now,
    kind: 'export' as const,
    forType: 'trial' as const,
    forId: trial,
    createdBy: 'x',
  }
  insertFile(here.db, { ...file, name: 'a.csv', type: 'text/csv', size: 4, finishedAt: now, expiresAt: now + HOUR })
  for (const name of [storedName, 'old', 'new']) await Bun.write(`${folder}/${name}`, 'rows')
  const longAgo = new Date('2020-01-01')
  for (const name of [storedName, 'old']) utimesSync(`${folder}/${name}`, longAgo, longAgo)
  await unusedExports.run(here.service.services, now)
  expect(readdirSync(folder).sort()).toEqual([storedName, 'new'].sort())
})
