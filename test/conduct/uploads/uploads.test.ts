import { describe, expect, test } from 'bun:test'
import { ne } from 'drizzle-orm'
import { auditEntries, files } from '#db/tables/index'
import { sha256 } from '#kernel/id'
import { HOUR, MINUTE, parseInstant } from '#kernel/time'
import { fileByName, usableFile } from '#storage/store'
import { type World, world } from '../../harness'
import { atSite, bytes, putBytes, uploadRequestUrl } from './uploads.study'

const MB = 1024 ** 2

test('a file is uploaded by one link and downloaded by another', async () => {
  const here = world()
  const { owner, db, service } = here
  const trial = here.trial()
  const request = await owner.get(uploadRequestUrl('trial', trial))
  expect(request).toEqual({
    signedRequestURL: expect.stringMatching(/^http:\/\/localhost\/storage\/files\/.+signature=/),
    fileName: expect.stringMatching(/^[0-9a-f]{24}-[0-9a-f]{32}\.pdf$/),
  })
  const { fileName } = request
  expect(usableFile(db, fileName, 'trial', trial)).toBeUndefined()
  const answer = await putBytes(here, request.signedRequestURL)
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

test('a request for a link is in the trial’s log, without the file name of a participant', async () => {
  const here = world()
  const trial = here.trial()
  const { participant } = atSite(here, trial)
  const { fileName } = await here.owner.get(uploadRequestUrl('participant', participant))
  const [entry] = here.db.select().from(auditEntries).where(ne(auditEntries.type, 'changeRows')).all()
  expect(entry).toMatchObject({
    chain: trial,
    type: 'requestUpload',
    participant,
    event: { forType: 'participant', forId: participant, storedName: fileName, size: 6, type: 'application/pdf' },
  })
  expect(JSON.stringify(entry)).not.toContain('Scan 1')
})

test('an upload must match its declaration, and is accepted once', async () => {
  const here = world()
  const trial = here.trial()
  const { signedRequestURL: url, fileName } = await here.owner.get(uploadRequestUrl('trial', trial))
  const refused: [string, string, string][] = [
    ['short', 'scan', 'application/pdf'],
    ['long', 'a scan and more', 'application/pdf'],
    ['of another type', bytes, 'image/png'],
  ]
  for (const [, body, type] of refused) expect((await putBytes(here, url, body, type)).status).toBe(400)
  expect(fileByName(here.db, fileName)!.finishedAt).toBeNull()
  expect((await putBytes(here, url)).status).toBe(200)
  expect((await putBytes(here, url)).status).toBe(400)
})

test('links expire to the microsecond', async () => {
  const here = world()
  const trial = here.trial()
  const first = await here.owner.get(uploadRequestUrl('trial', trial))
  const second = await here.owner.get(uploadRequestUrl('trial', trial))
  here.clock(HOUR - 1)
  expect((await putBytes(here, first.signedRequestURL)).status).toBe(200)
  here.clock(1)
  expect((await putBytes(here, second.signedRequestURL)).status).toBe(403)

  const now = parseInstant(here.now())!
  const link = here.service.services.storage.downloadUrl(first.fileName, 'a.pdf', now + MINUTE)
  here.clock(MINUTE - 1)
  expect((await here.fetch(link)).status).toBe(200)
  here.clock(1)
  expect((await here.fetch(link)).status).toBe(403)
})

test('a link is refused for another method or file', async () => {
  const here = world()
  const { signedRequestURL: url } = await here.owner.get(uploadRequestUrl('trial', here.trial()))
  expect((await here.fetch(url)).status).toBe(403)
  expect((await putBytes(here, url.replace(/[0-9a-f]{32}\.pdf/, `${'0'.repeat(32)}.pdf`))).status).toBe(403)
})

test.each<['file' | 'video', number, string, number]>([
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
  const answer = await here.owner.call('GET', uploadRequestUrl('trial', here.trial(), { size, type }, kind))
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
])('refuses the request %j', async (more, problems) => {
  const here = world()
  const { status, body } = await here.owner.call(
    'GET',
    uploadRequestUrl('trial', here.trial(), more as Record<string, string>),
  )
  expect(status).toBe(422)
  expect(body.validations.query).toEqual(problems)
})

test.each([
  ['trial', 'trial.read', 403],
  ['trial', 'trial.writeFiles', 200],
  ['trial', 'trial.writeTasks', 200],
  ['trial', 'trial.write', 200],
  ['trial', 'trial.writePacks', 200],
  ['trial', 'trial.writeSiteMessages', 200],
  ['trial', 'trial.approveFiles', 403],
  ['participant', 'trial.read', 403],
  ['participant', 'trial.support', 200],
  ['participant', 'trial.writeParticipantStudyData', 200],
  ['site', 'trial.read', 403],
  ['site', 'trial.writeSiteMessages', 200],
  ['site', 'trial.writeSites', 200],
  ['site', 'trial.writeFiles', 200],
  ['site', 'trial.writePacks', 200],
  ['site', 'trial.writeTasks', 403],
])('a file for a %s with %s: %d', async (forType, word, status) => {
  const here = world()
  const trial = here.trial()
  const { site, participant } = atSite(here, trial)
  const somebody = here.staff(trial, [word])
  const forId = { trial, participant, site }[forType]!
  expect((await somebody.call('GET', uploadRequestUrl(forType, forId))).status).toBe(status)
  const types = here.db
    .select()
    .from(auditEntries)
    .where(ne(auditEntries.type, 'changeRows')) // of the rows that the test itself inserted
    .all()
    .map(({ chain, type }) => [chain, type])
  expect(types).toEqual([[trial, status === 403 ? 'accessRefused' : 'requestUpload']])
})

test('a locked database accepts files', async () => {
  const here = world()
  await here.owner.get(uploadRequestUrl('trial', here.trial({ isLocked: true, isDatabaseLocked: true })))
})

describe('an upload that was begun', () => {
  const size = bytes.length
  const part = (here: World, url: string, from: number, to: number) =>
    here.fetch(url, {
      method: 'PUT',
      body: bytes.slice(from, to),
      headers: { 'Content-Type': 'application/pdf', 'Content-Range': `bytes ${from}-${to - 1}/${size}` },
    })

  test('gets another link for the same bytes, until a day after the last', async () => {
    const here = world()
    const { owner, db } = here
    const trial = here.trial()
    const { signedRequestURL, fileName } = await owner.get(uploadRequestUrl('trial', trial))
    expect(await (await part(here, signedRequestURL, 0, 2)).json()).toEqual({ received: 2 })
    here.clock(23 * HOUR)
    expect((await part(here, signedRequestURL, 2, size)).status).toBe(403)
    const next = await owner.get(uploadRequestUrl('trial', trial, { fileName }))
    expect(next.fileName).toBe(fileName)
    here.clock(30 * MINUTE)
    expect((await part(here, next.signedRequestURL, 2, size)).status).toBe(200)
    expect(usableFile(db, fileName, 'trial', trial)).toMatchObject({ size, sha256: sha256(bytes) })
    expect(db.select().from(files).all()).toHaveLength(1)
    // A file that is complete has no further link.
    expect((await owner.call('GET', uploadRequestUrl('trial', trial, { fileName }))).status).toBe(404)
  })

  test('is continued only by whoever has begun it, for the same thing and with the same declaration', async () => {
    const here = world()
    const { owner } = here
    const trial = here.trial()
    const { fileName } = await owner.get(uploadRequestUrl('trial', trial))
    const status = async (by: typeof owner, more: Record<string, string | number>, of = trial) =>
      (await by.call('GET', uploadRequestUrl('trial', of, { fileName, ...more }))).status
    expect(await status(owner, {})).toBe(200)
    const others: Record<string, string | number>[] = [{ name: 'Other.PDF' }, { size: 5 }, { type: 'text/plain' }]
    for (const more of [...others, { fileName: 'x' }]) expect(await status(owner, more)).toBe(404)
    expect(await status(owner, {}, here.trial())).toBe(404)
    expect(await status(here.staff(trial, ['trial.writeFiles']), {})).toBe(404)
    here.clock(25 * HOUR)
    expect(await status(owner, {})).toBe(404)
  })
})
