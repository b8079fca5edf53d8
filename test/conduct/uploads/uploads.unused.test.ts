/** Uploads that nothing names are cleared after a day; whatever a write has named is kept (docs/decisions.md, "Uploads"). */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { files } from '#db/tables/index'
import { storedNamesIn } from '#http/storedNames'
import { DAY, MINUTE } from '#kernel/time'
import { unusedUploads } from '#server/background/removal'
import { newStoredName, uploadPath } from '#storage/names'
import type { Person } from '../../harness'
import { study } from '../../study'
import { bytes, putBytes, uploadRequestUrl } from './uploads.study'

/** A study, with short forms to upload and to look a day later. */
async function uploadStudy() {
  const s = await study()
  const upload = async (forType: string, forId: string | undefined, by: Person = s.owner, type = 'application/pdf') => {
    const { signedRequestURL, fileName } = await by.get(uploadRequestUrl(forType, forId, { type }))
    expect((await putBytes(s, signedRequestURL, bytes, type)).status).toBe(200)
    return fileName as string
  }
  const isThere = (name: string) => existsSync(uploadPath(s.service.services.storage.files, name))
  const left = () =>
    s.db
      .select()
      .from(files)
      .all()
      .map(({ storedName }) => storedName)
      .sort()
  return { ...s, upload, isThere, left }
}

test('every place that can name an upload keeps it: the present one, and the one that it replaced', async () => {
  const s = await uploadStudy()
  const { owner, trial, anna } = s
  const patient = await s.signIn()
  const kept: string[] = []
  const keep = async (forType: string, forId: string, use: (name: string) => Promise<unknown>, type?: string) => {
    // Twice: the second use replaces the first, which history, versions or the audit trail still name.
    for (let n = 0; n < 2; n++) {
      const name = await s.upload(forType, forId, owner, type)
      await use(name)
      kept.push(name)
    }
  }
  const answer = (fileName: string) => ({ letter: { fileName, name: 'Scan 1.pdf' } })
  await keep('participant', anna, async (name) => expect((await s.enter(answer(name))).status).toBe(200))
  await keep('participant', anna, (name) => owner.put(`${s.url()}?draft=true`, { response: s.sent(answer(name)) }))
  const own = await s.upload('participant', undefined, patient)
  await patient.do('submitResponse', trial, s.stage, s.sent(answer(own)))
  kept.push(own)
  await keep('trial', trial, (sponsorLogo) => owner.do('updateTrial', trial, { sponsorLogo }))
  const site = await owner.do('createSite', trial, { name: 'North', id: 'N1' })
  await keep('site', site._id, (image) => owner.do('updateSite', site._id, { image }))
  const { components } = await owner.do('readStage', s.stage)
  const withVideo = (fileName: string) =>
    components!.map((each, n) => (n === 0 ? { ...each, video: { name: 'How to', fileName } } : each))
  await keep('trial', trial, (name) => owner.do('updateStage', s.stage, { components: withVideo(name) }), 'video/mp4')
  const [response] = (await owner.do('readParticipantResponses', trial, anna)).responses
  const query = await owner.do('raiseQuery', trial, { response: response!._id, text: 'Is this right?' })
  await keep('query', query._id, (name) =>
    owner.do('answerQuery', query._id, { text: 'See there.', attachments: [name] }),
  )
  const copy = await owner.do('createTrial', s.team, { name: 'A copy', copyFrom: trial })
  const copied = s.db
    .select()
    .from(files)
    .all()
    .filter(({ trial }) => trial === copy._id)
    .map(({ storedName }) => storedName)
  expect(copied.length).toBeGreaterThan(1)

  s.clock(3 * DAY)
  await s.service.services.tick()
  expect(s.left()).toEqual([...kept, ...copied].sort())
  for (const name of [...kept, ...copied]) expect(s.isThere(name)).toBe(true)
})

test('an upload that nothing names is cleared after a day, with its bytes, and cannot be used or sent again', async () => {
  const s = await uploadStudy()
  const { owner, anna } = s
  const { signedRequestURL, fileName } = await owner.get(uploadRequestUrl('participant', anna))
  expect((await putBytes(s, signedRequestURL)).status).toBe(200)
  s.clock(DAY - MINUTE)
  await s.service.services.tick()
  expect(s.isThere(fileName)).toBe(true)
  s.clock(MINUTE)
  await unusedUploads.run(s.service.services, s.service.services.clock.now())
  // After a kill at this moment the bytes are still there, and nobody can use them; the next look removes them.
  expect((await s.enter({ letter: { fileName, name: 'Scan 1.pdf' } })).status).toBe(400)
  expect((await putBytes(s, signedRequestURL)).status).toBe(403)
  await s.service.services.tick()
  expect(s.isThere(fileName)).toBe(false)
  expect(s.left()).toEqual([])
})

test('a request that is refused keeps nothing', async () => {
  const s = await uploadStudy()
  const name = await s.upload('participant', s.anna)
  expect((await s.enter({ letter: { fileName: name, name: 'a' }, pulse: 'x' })).status).toBe(422)
  expect((await s.enter({ letter: { fileName: name, name: 'a' }, pulse: 1_000_000 })).status).toBe(400)
  s.clock(2 * DAY)
  await s.service.services.tick()
  expect(s.left()).toEqual([])
})

test('names are found in any text of a body', () => {
  const [one, two] = [newStoredName('a.pdf', 1), newStoredName('b', 2)]
  expect(storedNamesIn({ a: [{ fileName: one }], html: `<img src="/x/${two}">`, c: null, d: 5 })).toEqual([one, two])
  expect(storedNamesIn({ a: 'x'.repeat(100), b: [true], c: one.slice(1) })).toEqual([])
})
