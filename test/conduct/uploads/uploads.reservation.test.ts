/** The room that announced uploads keep, and how many may be open. */
import { expect, test } from 'bun:test'
import { verifyRows } from '#audit/verifyRows'
import { HOUR, MINUTE, parseInstant } from '#kernel/time'
import { expiredFiles } from '#server/background/removal'
import { type World, world } from '../../harness'
import { atSite, putBytes, uploadRequestUrl } from './uploads.study'

const quotas = { participant: 1000, trial: 1500 }

async function part(here: Pick<World, 'fetch' | 'service'>, url: string, from: number, to: number, total: number) {
  const answer = await here.fetch(url, {
    method: 'PUT',
    body: 'x'.repeat(to - from + 1),
    headers: { 'Content-Type': 'application/pdf', 'Content-Range': `bytes ${from}-${to}/${total}` },
  })
  await here.service.services.commit(() => {}) // no answer waits for the note that bytes came
  return answer
}

/** A participant who announces uploads. */
function study() {
  const here = world({ quotas })
  const trial = here.trial()
  const { participant, patient } = atSite(here, trial)
  const announce = (size: number) => patient.get(uploadRequestUrl('participant', undefined, { size }))
  const status = async (size: number) =>
    (await patient.call('GET', uploadRequestUrl('participant', undefined, { size }))).status
  return { here, trial, participant, patient, announce, status }
}

test('an announced upload without a byte keeps its room for ten minutes, and its link works as long as there is room', async () => {
  const { here, trial, announce, status } = study()
  const first = await announce(900)
  here.clock(10 * MINUTE - 1)
  expect(await status(900)).toBe(400)
  here.clock(1)
  // It has lost its room for somebody else, who does not use it either.
  const second = await announce(900)
  const late = await putBytes(here, first.signedRequestURL, 'x'.repeat(900))
  expect([late.status, Object(await late.json()).details]).toMatchObject([400, { quota: 1000, used: 900, size: 900 }])
  here.clock(10 * MINUTE)
  expect((await putBytes(here, first.signedRequestURL, 'x'.repeat(900))).status).toBe(200)
  expect((await putBytes(here, second.signedRequestURL, 'x'.repeat(900))).status).toBe(400)
  await here.owner.get(uploadRequestUrl('trial', trial, { size: 600 }))
  expect((await here.owner.call('GET', uploadRequestUrl('trial', trial, { size: 1 }))).status).toBe(400)
})

test('six announced files without a byte do not fill the quota of a participant', async () => {
  const { here, announce, status } = study()
  for (let count = 0; count < 6; count++) await announce(160)
  expect(await status(160)).toBe(400)
  here.clock(10 * MINUTE)
  const { signedRequestURL } = await announce(160)
  expect((await putBytes(here, signedRequestURL, 'x'.repeat(160))).status).toBe(200)
})

test('an upload that goes on part by part keeps its room, however long it takes', async () => {
  const { here, patient, announce, status } = study()
  const { fileName, signedRequestURL } = await announce(900)
  let url = signedRequestURL
  here.clock(9 * MINUTE)
  for (let at = 0; at < 800; at += 100) {
    expect((await part(here, url, at, at + 99, 900)).status).toBe(202)
    here.clock(HOUR - MINUTE)
    expect(await status(200)).toBe(400)
    ;({ signedRequestURL: url } = await patient.get(
      uploadRequestUrl('participant', undefined, { size: 900, fileName }),
    ))
  }
  expect((await part(here, url, 800, 899, 900)).status).toBe(200)
  expect(here.db.$client.query('SELECT finishedAt IS NOT NULL AS isDone, heldUntil FROM files').all()).toEqual([
    { isDone: 1, heldUntil: null },
  ])
})

test('an upload that stands still for an hour loses its room, not its bytes: it goes on when there is room', async () => {
  const { here, patient, announce } = study()
  const first = await announce(900)
  expect((await part(here, first.signedRequestURL, 0, 499, 900)).status).toBe(202)
  here.clock(HOUR)
  const second = await announce(900)
  const again = uploadRequestUrl('participant', undefined, { size: 900, fileName: first.fileName })
  expect((await patient.call('GET', again)).status).toBe(400)
  here.clock(10 * MINUTE)
  const { signedRequestURL } = await patient.get(again)
  expect((await putBytes(here, second.signedRequestURL, 'x'.repeat(900))).status).toBe(400)
  expect((await part(here, signedRequestURL, 500, 899, 900)).status).toBe(200)
})

test('asking how much has arrived gives no room back', async () => {
  const { here, announce, status } = study()
  const { signedRequestURL } = await announce(900)
  here.clock(10 * MINUTE)
  const headers = { 'Content-Type': 'application/pdf', 'Content-Range': 'bytes */900' }
  const answer = await here.fetch(signedRequestURL, { method: 'PUT', headers })
  expect([answer.status, await answer.json()]).toEqual([202, { received: 0 }])
  expect(await status(900)).toBe(200)
})

test('an upload in one piece that takes long keeps its room from its first minute on', async () => {
  const { here, announce, status } = study()
  const { signedRequestURL } = await announce(900)
  let send: ((text: string) => void) | undefined
  let close: (() => void) | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (text) => controller.enqueue(new TextEncoder().encode(text))
      close = () => controller.close()
    },
  })
  const headers = { 'Content-Type': 'application/pdf' }
  const answer = here.fetch(signedRequestURL, { method: 'PUT', body, headers })
  send?.('x'.repeat(300))
  await Bun.sleep(20)
  here.clock(5 * MINUTE)
  send?.('x'.repeat(300))
  await Bun.sleep(20)
  here.clock(50 * MINUTE)
  expect(await status(200)).toBe(400)
  send?.('x'.repeat(300))
  close?.()
  expect((await answer).status).toBe(200)
})

test('a slow upload is not removed while its bytes come, and the audit trail fits', async () => {
  const { here, announce } = study()
  const { signedRequestURL } = await announce(900)
  expect((await part(here, signedRequestURL, 0, 499, 900)).status).toBe(202)
  here.clock(59 * MINUTE)
  expect((await part(here, signedRequestURL, 500, 599, 900)).status).toBe(202)
  verifyRows(here.db.$client)
  // As of an upload in one piece that takes a day: nobody asked for another link.
  here.db.$client.run('UPDATE files SET expiresAt = createdAt')
  const now = parseInstant(here.now())!
  const left = () => here.db.$client.query('SELECT count(*) AS count FROM files').get()
  await expiredFiles.run(here.service.services, now + 2 * HOUR - 1)
  expect(left()).toEqual({ count: 1 })
  await expiredFiles.run(here.service.services, now + 2 * HOUR)
  expect(left()).toEqual({ count: 0 })
})

test('at most 20 uploads of a participant are open; one that arrives or loses its room makes place for another', async () => {
  const here = world()
  const trial = here.trial()
  const { participant, patient } = atSite(here, trial)
  const other = atSite(here, trial)
  const request = uploadRequestUrl('participant', undefined)
  const [first] = await Promise.all(Array.from({ length: 20 }, () => patient.get(request)))
  here.clock(9 * MINUTE + 30_000_000)
  const refused = await patient.call('GET', request)
  expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
    429,
    {
      message: 'At most 20 open uploads are allowed. Finish some of them, or try again in 30 seconds.',
      details: {
        code: 'tooManyOpen',
        params: {
          limit: { code: 'openUploads', params: { most: 20 } },
          wait: { code: 'seconds', params: { count: 30 } },
        },
      },
      'Allowed limit': '20 open uploads',
    },
    '30',
  ])
  // Neither another participant nor the staff who send for this one are counted with them.
  await other.patient.get(request)
  for (let count = 0; count < 20; count++) await here.owner.get(uploadRequestUrl('participant', participant))
  expect((await here.owner.call('GET', uploadRequestUrl('participant', participant))).status).toBe(429)
  // Files of the study have the quota alone.
  for (let count = 0; count < 21; count++) await here.owner.get(uploadRequestUrl('trial', trial))
  // The link of one that is open still works, and another link for it is no other upload.
  await patient.get(uploadRequestUrl('participant', undefined, { fileName: first!.fileName }))
  expect((await putBytes(here, first!.signedRequestURL)).status).toBe(200)
  await patient.get(request)
  expect((await patient.call('GET', request)).status).toBe(429)
  here.clock(30_000_000)
  await patient.get(request)
})

test('twenty-five announcements at once: twenty are taken', async () => {
  const here = world()
  const { patient } = atSite(here, here.trial())
  const all = await Promise.all(
    Array.from({ length: 25 }, () => patient.call('GET', uploadRequestUrl('participant', undefined))),
  )
  expect(all.filter(({ status }) => status === 200).length).toBe(20)
  expect(all.filter(({ status }) => status === 429).length).toBe(5)
})
