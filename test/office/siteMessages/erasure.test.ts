/** The erasure of what a message says (docs/sites.md, "Participants in messages"). */
import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { verifyRows } from '#audit/verifyRows'
import { HOUR } from '#kernel/time'
import { expiredFiles } from '#server/background/removal'
import { uploadPath } from '#storage/names'
import { firstOf, present } from '../../present'
import { boards } from './boards.study'

const reason = 'It named a participant.'

test('an administrator erases the text and the attachments of a message; who wrote it and when stays', async () => {
  const s = await boards()
  const file = await s.upload('site', s.north, s.nurse)
  const message = await s.nurse.post(
    s.board,
    { message: 'Mrs Miller fell.', attachments: [file] },
    { headers: { 'Idempotency-Key': 'k' } },
  )
  s.clock(1_000_000)
  const path = `${s.board}/${message._id}/erasure` as const
  const erased = await s.owner.post<'eraseSiteMessage'>(path, { reason })
  const emptied = { message: '', attachments: [], fileUrls: [], erasedAt: s.now() }
  expect(erased).toEqual({ ...message, ...emptied, isRead: false })
  expect((await s.monitor.do('listSiteMessages', s.north)).messages).toEqual([erased])
  expect(s.entries('eraseSiteMessage')).toEqual([
    [s.owner._id, { siteId: s.north, siteMessageId: message._id, broadcast: null, messages: 1, reason }],
  ])
  expect(verifyRows(s.db.$client)).toBeTruthy()
  // The answer that was kept for a repeated request is gone, so that it does not say it again.
  expect(s.db.$client.query('SELECT length(answer) AS n FROM idempotencyKeys').all()).toEqual([{ n: 0 }])
  const sent = { message: 'Mrs Miller fell.', attachments: [file] }
  expect((await s.nurse.call('POST', s.board, sent, { headers: { 'Idempotency-Key': 'k' } })).status).toBe(410)
  expect((await s.monitor.do('listSiteMessages', s.north)).messages).toHaveLength(1)
  const again = await s.owner.call('POST', path, { reason })
  expect([again.status, again.body.message]).toEqual([400, 'This message was erased already.'])
  expect(() => s.db.$client.run(`UPDATE siteMessages SET erasedAt = 1`)).toThrow('not changed')
  // It still counts: the number of messages does not change.
  expect((await s.monitor.do('listSiteMessages', s.north)).unread).toBe(1)
})

test('that of a broadcast is erased on all boards, by an administrator of the trial', async () => {
  const s = await boards()
  await s.owner.post<'broadcastSiteMessage'>(s.broadcast, { message: 'Mrs Miller fell.' })
  const { _id } = firstOf((await s.monitor.do('listSiteMessages', s.north)).messages)
  const path = `${s.board}/${_id}/erasure` as const
  const local = s.staff(s.trial, ['site.admin'], s.north)
  const { status, body } = await local.call('POST', path, { reason })
  expect([status, body.details.needs]).toEqual([403, ['trial.admin']])
  await s.owner.post<'eraseSiteMessage'>(path, { reason })
  for (const board of [s.board, s.other] as const)
    expect((await s.monitor.get<'listSiteMessages'>(board)).messages).toMatchObject([
      { message: '', erasedAt: s.now() },
    ])
  const { _id: own } = await s.nurse.do('sendSiteMessage', s.north, { message: 'Of North alone' })
  expect((await local.do('eraseSiteMessage', s.north, own, { reason })).message).toBe('')
})

test('needs admin, a reason, and a message of this board', async () => {
  const s = await boards()
  const { _id } = await s.doctor.do('sendSiteMessage', s.south, { message: 'Hello' })
  for (const [person, at, body, status] of [
    [s.doctor, s.other, { reason }, 403],
    [s.nurse, s.other, { reason }, 404],
    [s.staff(s.trial, ['trial.write']), s.other, { reason }, 403],
    [s.owner, s.board, { reason }, 404],
    [s.owner, s.other, {}, 422],
    [s.owner, s.other, { reason: ' ' }, 422],
    [s.owner, s.other, { reason: 'half \udc00' }, 422],
  ] as const)
    expect((await person.call('POST', `${at}/${_id}/erasure`, body)).status).toBe(status)
  expect(firstOf((await s.owner.do('listSiteMessages', s.south)).messages).message).toBe('Hello')
})

test('its files are removed, unless something else of the site names them', async () => {
  const s = await boards()
  const [own, shared, image, certificate] = await Promise.all(
    [1, 2, 3, 4].map(() => s.upload('site', s.north, s.nurse)),
  )
  const all = { message: 'Scans', attachments: [own, shared, image, certificate] }
  const { _id, fileUrls } = await s.nurse.do('sendSiteMessage', s.north, all)
  await s.nurse.do('sendSiteMessage', s.north, { attachments: [shared] })
  await s.owner.do('updateSite', s.north, { image })
  await s.owner.do('createTraining', s.north, {
    ...{ user: s.nurse._id, training: 'GCP', trainedOn: '2026-01-01', certificate },
  })
  const statuses = async () => Promise.all(fileUrls.map(async (url) => (await s.fetch(url)).status))
  expect(await statuses()).toEqual([200, 200, 200, 200])
  await s.owner.do('eraseSiteMessage', s.north, _id, { reason })
  expect(await statuses()).toEqual([404, 200, 200, 200])
  const { status } = await s.nurse.call('POST', s.board, { attachments: [own] })
  expect(status).toBe(400)
  const { storage } = s.service.services
  const isStored = (name: string) => existsSync(uploadPath(storage.files, present(name)))
  expect(isStored(present(own))).toBe(true)
  const later = s.service.services.clock.now() + 2 * HOUR
  await expiredFiles.run(s.service.services, later)
  expect([own, shared, image, certificate].map((name) => isStored(present(name)))).toEqual([false, true, true, true])
})

test('the files of a broadcast are removed, unless something else of the trial names them', async () => {
  const s = await boards()
  const names = await Promise.all(Array.from({ length: 6 }, () => s.upload('trial', s.trial)))
  const [own, shared, logo, image, resource, kept] = names.map(present) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  await s.owner.do('updateTrial', s.trial, { sponsorLogo: kept })
  await s.owner.do('createConfigurationVersion', s.trial, { note: 'The logo of before' })
  const { fileUrls } = await s.owner.post<'broadcastSiteMessage'>(s.broadcast, { message: 'Scans', attachments: names })
  await s.owner.post<'broadcastSiteMessage'>(s.broadcast, { attachments: [shared] })
  await s.owner.do('updateTrial', s.trial, { sponsorLogo: logo })
  await s.owner.do('updateSite', s.south, { image })
  await s.owner.do('createParticipantResource', s.trial, { type: 'file', title: 'How to', storedName: resource })
  const { _id } = present((await s.nurse.do('listSiteMessages', s.north)).messages[1])
  await s.owner.do('eraseSiteMessage', s.north, _id, { reason })
  const statuses = await Promise.all(fileUrls.map(async (url) => (await s.fetch(url)).status))
  expect(statuses).toEqual([404, 200, 200, 200, 200, 200])
  const again = await s.owner.call('POST', s.broadcast, { attachments: [own] })
  expect(again.status).toBe(400)
  const { storage, clock } = s.service.services
  await expiredFiles.run(s.service.services, clock.now() + 2 * HOUR)
  expect(names.map((name) => existsSync(uploadPath(storage.files, name)))).toEqual([
    false,
    true,
    true,
    true,
    true,
    true,
  ])
})
