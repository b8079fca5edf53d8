import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { DAY, HOUR, MINUTE } from '#kernel/time'
import { uploadPath } from '#storage/names'
import { present } from '../../present'
import { runs } from '../../proof'
import { tabletStudy } from './sharedDevices.study'

/** A tablet on which Anna is signed in, a form with a photo, and envelopes with parts of the photo. */
async function session() {
  const s = await tabletStudy()
  const { pass, me } = await s.signInAs()
  const { _id: photo } = await s.owner.do('createDataType', s.trial, {
    name: 'Wound',
    format: 'image',
    code: 'wound',
  })
  const { _id: stage } = await s.owner.do('createStage', s.trial, {
    name: 'Wound',
    adHoc: true,
    components: [{ id: 'wound', dataType: photo, title: 'Photo', isRequired: false }],
  })
  const { opened, version } = await me.do('openStage', s.trial, stage)
  const part = (bytes: Uint8Array, from: number, to: number, more: object = {}) => ({
    ...{ pass, file: 'f-1', name: 'wound.JPG', size: bytes.length, type: 'image/jpeg', from },
    bytes: Buffer.from(bytes.subarray(from, to)).toString('base64url'),
    ...more,
  })
  const carryPart = async (content: unknown, device = s.device._id) =>
    s.nobody.call('POST', '/shared-devices/files', { device, envelope: await s.seal(content, device) })
  const entry = (id: string, more: object = {}) => ({
    ...{ entry: id, pass, stage, opened, version },
    response: { [photo]: { value: { sealedFile: 'f-1', name: 'wound.JPG' }, createdAt: s.now() } },
    ...more,
  })
  return {
    ...s,
    me,
    photo,
    part,
    carryPart,
    entry,
    put: async (id: string, more?: object) => (await s.carry(await s.seal(entry(id, more)))).body,
    held: async () => (await s.owner.do('listHeldEntries', s.trial)).heldEntries,
    files: () => s.db.$client.query('SELECT * FROM files WHERE name = ?').all('wound.JPG') as Record<string, string>[],
  }
}

const bytes = new Uint8Array(1000).map((_, at) => at % 251)

test('a file that arrives in parts is part of the answers, with its bytes, and the trail says on which tablet', async () => {
  const s = await session()
  await s.me.do('signOutParticipant')
  expect((await s.carryPart(s.part(bytes, 0, 400))).body).toEqual({ received: 400, isComplete: false })
  expect((await s.carryPart(s.part(bytes, 0, 400))).body).toEqual({ received: 400, isComplete: false })
  expect((await s.carryPart(s.part(bytes, 900, 1000))).body).toEqual({ received: 400, isComplete: false })
  const last = s.part(bytes, 400, 1000)
  const both = await Promise.all([s.carryPart(last), s.carryPart(last)])
  // Of two at once, the newer counts.
  expect(both.map(({ body }) => body)).toContainEqual({ received: 1000, isComplete: true })
  expect((await s.carryPart(last)).body).toEqual({ received: 1000, isComplete: true })
  expect(await s.put('e-1')).toEqual({ status: 'stored' })
  expect(await s.put('e-1')).toEqual({ status: 'stored' })
  const { responses } = await s.owner.do('readParticipantResponses', s.trial, s.anna)
  const { value } = present(responses[0]).response[s.photo] as { value: { fileName: string } }
  expect(value).toMatchObject({ name: 'wound.JPG' })
  expect(readFileSync(uploadPath(s.service.services.storage.files, value.fileName))).toEqual(Buffer.from(bytes))
  const [file, ...others] = s.files()
  expect([others, file]).toEqual([[], expect.objectContaining({ storedName: value.fileName, isUsed: 1 })])
  expect(s.log('requestUpload')).toHaveLength(1)
  expect(s.log('requestUpload')[0]).toMatchObject({ userType: 'participant', participant: s.anna })
  expect(JSON.parse(s.log('requestUpload')[0]?.event ?? '')).toMatchObject({ sharedDevice: s.device._id, size: 1000 })
  expect(s.log('finishUpload')).toHaveLength(1)
})

test('whatever order, repeats and gaps the parts come in, the file has its bytes', async () => {
  const s = await session()
  let file = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 12 }), async (tried) => {
      file++
      const send = async (from: number, to: number) =>
        (await s.carryPart(s.part(bytes, from, to, { file: `f ${file}`, name: `${file}.png`, type: 'image/png' }))).body
      let received = 0
      for (const [from, length] of tried) {
        const to = Math.min(1000, from * 100 + (length + 1) * 10)
        const answer = await send(from * 100, to)
        received = from * 100 <= received && received < to ? to : received
        expect(answer).toEqual({ received, isComplete: received === 1000 })
      }
      if (received < 1000) expect(await send(received, 1000)).toEqual({ received: 1000, isComplete: true })
      const [row] = s.db.$client.query('SELECT storedName FROM files WHERE name = ?').all(`${file}.png`)
      const { storedName } = row as { storedName: string }
      expect(readFileSync(uploadPath(s.service.services.storage.files, storedName))).toEqual(Buffer.from(bytes))
    }),
    { numRuns: runs(15) },
  )
})

test('an entry whose file has not arrived is held without it, and says so', async () => {
  const s = await session()
  await s.carryPart(s.part(bytes, 0, 400))
  expect(await s.put('e-1')).toEqual({ status: 'held' })
  expect(await s.held()).toMatchObject([{ entry: 'e-1', code: 'filesMissing' }])
})

test('a form that was begun is held with its file, which is kept, and staff can take both over', async () => {
  const s = await session()
  await s.carryPart(s.part(bytes, 0, 1000))
  expect(await s.put('e-1', { unfinished: true })).toEqual({ status: 'held' })
  s.clock(3 * DAY)
  await s.service.services.tick()
  const [held] = await s.held()
  await s.owner.do('acceptHeldEntry', s.trial, held?._id, { updateNote: 'Complete.' })
  const { responses } = await s.owner.do('readParticipantResponses', s.trial, s.anna)
  expect(responses[0]?.response[s.photo]).toMatchObject({ value: { name: 'wound.JPG' } })
})

test('parts that are altered, foreign, of another file, too large or of somebody who has withdrawn are refused', async () => {
  const s = await session()
  const code = async (content: unknown, device?: string) => {
    const { status, body } = await s.carryPart(content, device)
    return [status, body.details?.code]
  }
  const other = await s.owner.do('createSharedDeviceOfTrial', s.trial, { name: 'Other' })
  expect(await code(s.part(bytes, 0, 10), other._id)).toEqual([400, 'foreignEnvelope'])
  expect(await code(s.part(bytes, 0, 10, { pass: 'made up' }))).toEqual([400, 'foreignEnvelope'])
  expect(await code(s.entry('e-1'))).toEqual([400, 'unreadableEnvelope'])
  for (const more of [{ file: '' }, { size: 0 }, { from: -1 }, { type: 'x' }, { name: 'half \ud800' }, { bytes: '' }])
    expect(await code(s.part(bytes, 0, 10, more))).toEqual([400, 'unreadableEnvelope'])
  expect((await s.carryPart(s.part(bytes, 0, 10, { size: 31 * 1024 ** 2 }))).status).toBe(400)
  expect((await s.carryPart(s.part(bytes, 0, 400, { size: 399 }))).status).toBe(400)
  expect(s.files()).toMatchObject([{ size: 399, finishedAt: null }])
  expect(await code(s.part(bytes, 0, 10))).toEqual([400, 'otherFile'])
  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  expect(await code(s.part(bytes, 0, 10, { file: 'f-2' }))).toEqual([403, 'withdrawn'])
  const admin = await s.signInStaff(s.owner)
  await admin.do('confirmIdentity', { password: 'harbour lantern 71' })
  await admin.call('DELETE', `/trials/${s.trial}/participants/${s.anna}`, { reason: 'registered twice' })
  expect((await s.carryPart(s.part(bytes, 0, 10))).body).toEqual({ received: 1000, isComplete: true })
})

test('another participant’s files cannot be had by their ids on the tablet', async () => {
  const s = await session()
  await s.carryPart(s.part(bytes, 0, 1000))
  await s.owner.do('addSiteMember', s.site, s.bert)
  s.clock(HOUR / 60)
  const { pass } = await s.signInAs('P-2')
  expect(await s.put('e-9', { pass })).toEqual({ status: 'held' })
  expect(await s.held()).toMatchObject([{ entry: 'e-9', participantId: 'P-2', code: 'filesMissing' }])
})

test('at most 20 files of a participant are on their way from one tablet; it goes on with those, and later with others', async () => {
  const s = await session()
  const of = (file: number) => ({ file: `f ${file}`, name: `${file}.png`, type: 'image/png' })
  for (let file = 0; file < 20; file++) expect((await s.carryPart(s.part(bytes, 0, 400, of(file)))).status).toBe(200)
  expect((await s.carryPart(s.part(bytes, 0, 400, of(20)))).status).toBe(429)
  // Bytes came: they keep their room for an hour.
  s.clock(HOUR - MINUTE)
  expect((await s.carryPart(s.part(bytes, 400, 500, of(0)))).body).toEqual({ received: 500, isComplete: false })
  expect((await s.carryPart(s.part(bytes, 0, 400, of(20)))).status).toBe(429)
  s.clock(MINUTE)
  expect((await s.carryPart(s.part(bytes, 0, 400, of(20)))).status).toBe(200)
  expect((await s.carryPart(s.part(bytes, 500, 1000, of(0)))).body).toEqual({ received: 1000, isComplete: true })
  expect((await s.carryPart(s.part(bytes, 400, 1000, of(1)))).body).toEqual({ received: 1000, isComplete: true })
})
