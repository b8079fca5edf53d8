/** The message boards of sites (docs/sites.md, "Message boards"). */
import { describe, expect, test } from 'bun:test'
import { verifyRows } from '#audit/verifyRows'
import { uploadRequestUrl } from '../../conduct/uploads/uploads.study'
import { firstOf, present } from '../../present'
import { boards } from './boards.study'

const textsOf = ({ messages }: { messages: readonly { message: string }[] }) => messages.map(({ message }) => message)

describe('a board', () => {
  test('has what its people wrote, newest first, with the names of the senders', async () => {
    const s = await boards()
    const first = await s.nurse.do('sendSiteMessage', s.north, { message: 'The freezer is broken.' })
    s.clock(1_000_000)
    const second = await s.owner.do('sendSiteMessage', s.north, { message: 'A new one comes tomorrow. 😀' })
    expect(second).toEqual({
      ...{ _id: second._id, createdAt: s.now(), site: s.north, sender: { _id: s.owner._id, name: 'Olga Owner' } },
      ...{
        message: 'A new one comes tomorrow. 😀',
        attachments: [],
        fileUrls: [],
        broadcast: null,
        erasedAt: null,
        isRead: true,
      },
    })
    expect(first.sender).toEqual({ _id: s.nurse._id, name: 'Person 1' })
    const seen = await s.monitor.do('listSiteMessages', s.north)
    expect<unknown>(seen).toEqual({
      site: await s.owner.do('readSite', s.north),
      messages: [
        { ...second, isRead: false },
        { ...first, isRead: false },
      ],
      ...{ page: 1, nextPageAvailable: false, unread: 2 },
    })
    expect((await s.nurse.do('listSiteMessages', s.north)).messages.map(({ isRead }) => isRead)).toEqual([false, true])
    expect((await s.owner.do('listSiteMessages', s.south)).messages).toEqual([])
  })

  test('is read in pages of 30 or another size, which overlap nowhere and leave nothing out', async () => {
    const s = await boards()
    for (let n = 1; n <= 31; n++) {
      if (n === 16) s.clock(60_000_000) // the limit counts by minute
      await (n % 2 ? s.nurse : s.owner).do('sendSiteMessage', s.north, { message: `${n}` })
    }
    const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, at) => `${from - at}`)
    const page = async (query: `?${string}` | '') => {
      const answer = await s.monitor.get<'listSiteMessages'>(`${s.board}${query}`)
      return [textsOf(answer), answer.page, answer.nextPageAvailable]
    }
    expect(await page('')).toEqual([down(31, 2), 1, true])
    expect(await page('?page=2')).toEqual([['1'], 2, false])
    expect(await page('?page=3')).toEqual([[], 3, false])
    expect(await page('?page=1000000000&page_size=500')).toEqual([[], 1_000_000_000, false])
    expect(await page('?page_size=31')).toEqual([down(31, 1), 1, false])
    expect(await page('?page=3&page_size=10')).toEqual([down(11, 2), 3, true])
    for (const wrong of ['?page=0', '?page=1.5', '?page_size=0', '?page_size=501', '?perPage=3', '?page=x'] as const)
      expect([wrong, (await s.monitor.call('GET', `${s.board}${wrong}`)).status]).toEqual([wrong, 422])
  })

  test('goes on under both locks', async () => {
    const s = await boards()
    s.db.$client.run('UPDATE trials SET isLocked = 1, isDatabaseLocked = 1')
    await s.nurse.do('sendSiteMessage', s.north, { message: 'The study is locked.' })
    await s.owner.post<'broadcastSiteMessage'>(s.broadcast, { message: 'To all' })
    expect(await s.monitor.do('markSiteMessagesRead', s.north)).toEqual({ site: s.north, unread: 0 })
  })

  test('leaves an entry for each act, without the text', async () => {
    const s = await boards()
    const fileName = await s.upload('site', s.north, s.nurse)
    const { _id: message } = await s.nurse.do('sendSiteMessage', s.north, {
      message: 'Mrs Miller fell.',
      attachments: [fileName],
    })
    await s.monitor.do('markSiteMessagesRead', s.north)
    expect(s.entries('sendSiteMessage')).toEqual([[s.nurse._id, { siteId: s.north, message, attachments: 1 }]])
    expect(s.entries('readSiteMessages')).toEqual([[s.monitor._id, { siteId: s.north, upTo: 1 }]])
    expect(JSON.stringify((await s.owner.do('readLogs', s.trial)).entries)).not.toContain('Miller')
  })

  test('keeps the messages of a person who has lost access or whose account is disabled, with the name', async () => {
    const s = await boards()
    await s.nurse.do('sendSiteMessage', s.north, { message: 'Hello' })
    s.db.$client.query('UPDATE users SET isDisabled = 1 WHERE _id = ?').run(s.nurse._id)
    expect((await s.nurse.call('GET', s.board)).status).toBe(401)
    expect(firstOf((await s.monitor.do('listSiteMessages', s.north)).messages).sender).toEqual({
      _id: s.nurse._id,
      name: 'Person 1',
    })
    s.db.$client.query('DELETE FROM permissions WHERE user = ?').run(s.monitor._id)
    expect((await s.monitor.call('GET', s.board)).status).toBe(404)
    expect((await s.monitor.call('GET', s.unreadPath)).status).toBe(404)
  })

  test('goes with its site or its trial, and nothing is left that does not fit', async () => {
    const s = await boards()
    await s.owner.post<'broadcastSiteMessage'>(s.broadcast, { message: 'To all' })
    await s.monitor.do('markSiteMessagesRead', s.north)
    await s.tick()
    const count = () =>
      ['siteMessages', 'siteMessageReads', 'siteMessageMails', 'siteMessageQueue'].map(
        (table) => (s.db.$client.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n,
      )
    expect(count()).toEqual([2, 1, 6, 0])
    await s.nurse.do('sendSiteMessage', s.north, { message: 'queued' })
    await s.owner.do('deleteSite', s.north)
    expect(count()).toEqual([1, 0, 3, 0])
    expect((await s.owner.call('GET', s.board)).status).toBe(404)
    expect(verifyRows(s.db.$client)).toBeTruthy()
    expect((await s.owner.get<'listUnreadSiteMessages'>(s.unreadPath)).sites).toEqual([{ site: s.south, unread: 0 }])
    await s.owner.do('deleteTrial', s.trial)
    expect(count()).toEqual([0, 0, 0, 0])
    expect(verifyRows(s.db.$client)).toBeTruthy()
  })

  test('is not changed by any program', async () => {
    const s = await boards()
    await s.nurse.do('sendSiteMessage', s.north, { message: 'Hello' })
    await s.monitor.do('markSiteMessagesRead', s.north)
    for (const sql of [
      `UPDATE siteMessages SET message = 'x'`,
      'DELETE FROM siteMessages',
      'UPDATE siteMessageReads SET upTo = 0',
      'DELETE FROM siteMessageReads',
    ])
      expect(() => s.db.$client.run(sql)).toThrow('not changed')
  })

  test('changes neither the list of sites nor the summary of the trial', async () => {
    const s = await boards()
    const { revision: _, ...before } = s.db.$client.query('SELECT * FROM trials').get() as { revision: number }
    const read = async () => [await s.owner.do('listSites', s.trial), await s.owner.do('readTrial', s.trial)]
    const [sites, trial] = await read()
    await s.nurse.do('sendSiteMessage', s.north, { message: 'Hello' })
    await s.owner.post<'broadcastSiteMessage'>(s.broadcast, { message: 'To all' })
    expect(await read()).toEqual([sites!, trial!])
    const { revision: __, ...after } = s.db.$client.query('SELECT * FROM trials').get() as { revision: number }
    expect(after).toEqual(before)
  })
})

test('what may be written', async () => {
  const s = await boards()
  const file = await s.upload('site', s.north)
  const cases: [object, number][] = [
    [{}, 422],
    [{ message: '' }, 422],
    [{ message: ' \n\u00a0 ' }, 422],
    [{ message: ' ', attachments: [] }, 422],
    [{ message: 5 }, 422],
    [{ message: null }, 422],
    [{ message: 'x' }, 200],
    [{ message: 'é😀'.repeat(666) }, 200],
    [{ message: 'x'.repeat(2000) }, 200],
    [{ message: 'x'.repeat(2001) }, 422],
    [{ message: 'half \ud83d' }, 422],
    [{ message: 'NUL \u0000' }, 422],
    [{ attachments: [file] }, 200],
    [{ message: '', attachments: [file] }, 200],
    [{ message: 'x', attachments: Array(20).fill(file) }, 200],
    [{ message: 'x', attachments: Array(21).fill(file) }, 422],
    [{ message: 'x', attachments: file }, 422],
    [{ message: 'x', sendVia: ['email'] }, 422],
  ]
  for (const path of [s.board, s.broadcast] as const) {
    for (const [body, expected] of cases) {
      s.clock(60_000_000)
      // A file that was uploaded for the site is not one for the trial.
      const status = path === s.broadcast && 'attachments' in body && expected === 200 ? 400 : expected
      const answer = await s.owner.call('POST', path, body)
      expect([path, JSON.stringify(body).slice(0, 40), answer.status]).toEqual([
        path,
        JSON.stringify(body).slice(0, 40),
        status,
      ])
    }
  }
  const kept = cases.flatMap(([body, status]) => (status === 200 ? [(body as { message?: string }).message ?? ''] : []))
  expect(textsOf(await s.owner.do('listSiteMessages', s.south, { page_size: 100 })).reverse()).toEqual(kept.slice(0, 3))
  const { body } = await s.owner.call('POST', s.board, { message: ' ' })
  expect(body.validations).toEqual({ json: { message: ['Write something, or attach a file.'] } })
})

describe('attachments', () => {
  test('are listed with links that download them, each once', async () => {
    const s = await boards()
    const [a, b] = [await s.upload('site', s.north, s.nurse), await s.upload('site', s.north, s.nurse)]
    await s.nurse.do('sendSiteMessage', s.north, { message: 'Two scans', attachments: [a, b, a] })
    const { attachments, fileUrls } = firstOf((await s.monitor.do('listSiteMessages', s.north)).messages)
    expect(attachments).toMatchObject([
      { fileName: a, name: 'Scan 1.PDF', type: 'application/pdf', size: 6 },
      { fileName: b, name: 'Scan 1.PDF' },
    ])
    expect(fileUrls).toEqual(attachments.map(({ url }) => url))
    expect(await (await s.fetch(present(fileUrls[1]))).text()).toBe('a scan')
    s.clock(3_600_000_000)
    expect((await s.fetch(present(fileUrls[0]))).status).toBe(403)
  })

  test('must be finished, and uploaded for this site', async () => {
    const s = await boards()
    const announced = (await s.nurse.get(uploadRequestUrl('site', s.north))).fileName
    const elsewhere = [
      announced,
      await s.upload('site', s.south),
      await s.upload('trial', s.trial),
      await s.upload('participant', s.anna),
      '0'.repeat(24),
      '../secrets',
    ]
    const good = await s.upload('site', s.north)
    for (const fileName of elsewhere) {
      const { status, body } = await s.owner.call('POST', s.board, { message: 'x', attachments: [good, fileName] })
      expect([fileName, status, body.message]).toEqual([
        fileName,
        400,
        'An attachment is not a finished upload for this site.',
      ])
    }
    expect((await s.owner.do('listSiteMessages', s.north)).messages).toEqual([])
  })

  test('are not found by the log: who attached the file of somebody else could open it', async () => {
    const s = await boards()
    const hidden = [await s.upload('trial', s.trial), await s.upload('site', s.north)]
    const reader = s.staff(s.trial, ['trial.readLogs', 'trial.write'])
    for (const userType of ['user', 'system']) {
      const { entries } = await reader.do('readLogs', s.trial, { userType })
      expect(entries.map(({ type }) => type)).toContain(userType === 'user' ? 'requestUpload' : 'finishUpload')
      for (const name of hidden) expect(JSON.stringify(entries)).not.toContain(name)
    }
    // An administrator sees everything anyway.
    const { entries } = await s.owner.do('readLogs', s.trial)
    for (const name of hidden) expect(JSON.stringify(entries)).toContain(name)
  })

  test('are kept, as what a write has named, also for a year', async () => {
    const s = await boards()
    const used = await s.upload('site', s.north)
    const unused = await s.upload('site', s.north)
    await s.nurse.do('sendSiteMessage', s.north, { message: 'See', attachments: [used] })
    await s.tick(365 * 86_400_000_000)
    const { fileUrls } = firstOf((await s.owner.do('listSiteMessages', s.north)).messages)
    expect((await s.fetch(present(fileUrls[0]))).status).toBe(200)
    expect((await s.owner.call('POST', s.board, { message: 'x', attachments: [unused] })).status).toBe(400)
  })
})

describe('who may', () => {
  test('each permission, on the trial, the site, another site and a group', async () => {
    const s = await boards()
    const group = (await s.owner.do('createGroup', s.trial, { name: 'Arm' }))._id
    const acts = [
      ['GET', s.board, undefined],
      ['PUT', `${s.board}/read`, {}],
      ['POST', s.board, { message: 'Hello' }],
      ['GET', s.unreadPath, undefined],
      ['POST', s.broadcast, { message: 'To all' }],
    ] as const
    const cases: [word: string, scope: string, statuses: number[]][] = [
      ['trial.readSiteMessages', s.trial, [200, 200, 403, 200, 403]],
      ['trial.writeSiteMessages', s.trial, [200, 200, 200, 200, 200]],
      ['trial.read', s.trial, [200, 200, 403, 200, 403]],
      ['trial.write', s.trial, [200, 200, 200, 200, 200]],
      ['trial.admin', s.trial, [200, 200, 200, 200, 200]],
      ['trial.writeSites', s.trial, [403, 403, 403, 403, 403]],
      ['site.readSiteMessages', s.north, [200, 200, 403, 200, 403]],
      ['site.writeSiteMessages', s.north, [200, 200, 200, 200, 200]],
      ['trial.writeSiteMessages', s.north, [200, 200, 200, 200, 200]],
      ['site.write', s.north, [200, 200, 200, 200, 200]],
      ['site.readParticipants', s.north, [403, 403, 403, 403, 403]],
      ['site.readSiteMessages', s.south, [404, 404, 404, 200, 403]],
      ['site.admin', s.south, [404, 404, 404, 200, 200]],
      // A board belongs to a site: a permission on a group is none on it.
      ['group.writeSiteMessages', group, [404, 404, 404, 200, 400]],
    ]
    for (const [word, scope, expected] of cases) {
      s.clock(60_000_000)
      const person = s.staff(s.trial, [word], scope)
      const statuses: number[] = []
      for (const [method, path, body] of acts) statuses.push((await person.call(method, path, body)).status)
      expect([word, scope, statuses]).toEqual([word, scope, expected])
    }
    const { owner: stranger } = s.neighbours()
    const participant = await s.signIn()
    for (const [method, path, body] of acts) {
      expect([path, (await stranger.call(method, path, body)).status]).toEqual([path, 404])
      expect([path, (await participant.call(method, path, body)).status]).toEqual([path, 401])
    }
  })

  test('a person of a site sees this board only, in counts too', async () => {
    const s = await boards()
    await s.owner.do('sendSiteMessage', s.north, { message: 'For North' })
    await s.owner.do('sendSiteMessage', s.south, { message: 'For South' })
    expect((await s.nurse.get<'listUnreadSiteMessages'>(s.unreadPath)).sites).toEqual([{ site: s.north, unread: 1 }])
    expect((await s.monitor.get<'listUnreadSiteMessages'>(s.unreadPath)).sites).toEqual([
      { site: s.north, unread: 1 },
      { site: s.south, unread: 1 },
    ])
    const { status, body } = await s.nurse.call('GET', s.other)
    expect([status, body.message]).toEqual([
      404,
      (await s.nurse.call('GET', `/sites/${'f'.repeat(24)}/messages`)).body.message,
    ])
  })

  test('30 messages a minute, and 10 broadcasts', async () => {
    const s = await boards()
    for (const [path, limit] of [
      [s.board, 30],
      [s.broadcast, 10],
    ] as const) {
      for (let n = 0; n < limit; n++) await s.nurse.post(path, { message: `${n}` })
      const { status, body } = await s.nurse.call('POST', path, { message: 'one too many' })
      expect([status, body['Allowed limit']]).toEqual([429, `${limit} per 1 minute`])
      await s.doctor.post(path === s.board ? s.other : path, { message: 'of another account' })
    }
    s.clock(60_000_000)
    await s.nurse.do('sendSiteMessage', s.north, { message: 'a minute later' })
  })
})
