/** Messages to all boards (docs/sites.md, "Broadcasts"). */
import { expect, test } from 'bun:test'
import { firstOf, present } from '../../present'
import { boards, unreadOf } from './boards.study'

const rows = ({ db }: { db: Awaited<ReturnType<typeof boards>>['db'] }) =>
  db.$client.query('SELECT site, number, user, message, broadcast FROM siteMessages ORDER BY _id').all() as {
    site: string
    broadcast: string | null
  }[]

test('a broadcast is on every board on which its author may write, with its files', async () => {
  const s = await boards()
  await s.doctor.do('sendSiteMessage', s.south, { message: 'Earlier' })
  const file = await s.upload('trial', s.trial)
  const sent = await s.owner.post<'broadcastSiteMessage'>(s.broadcast, {
    message: 'Protocol version 3',
    attachments: [file],
  })
  expect(sent).toMatchObject({
    ...{ createdAt: s.now(), sender: { _id: s.owner._id, name: 'Olga Owner' }, message: 'Protocol version 3' },
    ...{ attachments: [{ fileName: file }], sites: [s.north, s.south] },
  })
  for (const [reader, board] of [
    [s.nurse, s.board],
    [s.doctor, s.other],
  ] as const) {
    const message = firstOf((await reader.get<'listSiteMessages'>(board)).messages)
    expect(message).toMatchObject({ message: 'Protocol version 3', broadcast: sent._id, isRead: false })
    expect(await (await s.fetch(present(message.fileUrls[0]))).text()).toBe('a scan')
  }
  expect(rows(s).map(({ broadcast }) => broadcast)).toEqual([null, sent._id, sent._id])
  expect(s.entries('broadcastSiteMessage')).toEqual([
    [s.owner._id, { trialId: s.trial, broadcast: sent._id, sites: [s.north, s.south], attachments: 1 }],
  ])
  expect(await unreadOf(s, s.monitor)).toEqual({ [s.north]: 1, [s.south]: 2 })
  expect(await unreadOf(s, s.owner)).toEqual({ [s.north]: 0, [s.south]: 1 })
})

test('a person of some sites writes on the boards of these', async () => {
  const s = await boards()
  const east = await s.site('East', 'E1')
  s.db.$client
    .query(`INSERT INTO permissions SELECT user, trial, $east, '["site.write"]' FROM permissions WHERE user = $user`)
    .run({ east, user: s.nurse._id })
  s.db.$client
    .query(
      `INSERT INTO permissions SELECT user, trial, $south, '["site.read"]' FROM permissions WHERE user = $user LIMIT 1`,
    )
    .run({ south: s.south, user: s.nurse._id })
  const file = await s.upload('trial', s.trial, s.nurse)
  const { sites } = await s.nurse.post<'broadcastSiteMessage'>(s.broadcast, {
    message: 'From North',
    attachments: [file],
  })
  expect(sites).toEqual([s.north, east])
  expect((await s.doctor.do('listSiteMessages', s.south)).messages).toEqual([])
})

test('it is on all boards or on none', async () => {
  const s = await boards()
  const forSite = await s.upload('site', s.north)
  const refused = async (body: object, status: number) =>
    expect((await s.owner.call('POST', s.broadcast, body)).status).toBe(status)
  await refused({ message: 'x', attachments: [forSite] }, 400)
  await refused({ message: ' ' }, 422)
  // The database fails at the second board.
  s.db.$client.run(
    `CREATE TRIGGER fails BEFORE INSERT ON siteMessages WHEN NEW.site = '${s.south}' BEGIN SELECT RAISE(ABORT, 'full'); END`,
  )
  await refused({ message: 'x' }, 500)
  s.takeFaults()
  s.db.$client.run('DROP TRIGGER fails')
  expect(rows(s)).toEqual([])
  expect(s.entries('broadcastSiteMessage')).toEqual([])
  expect(s.db.$client.query('SELECT count(*) AS n FROM siteMessageQueue').get()).toEqual({ n: 0 })
})

test('with an Idempotency-Key it is sent once, also if it comes many times at once', async () => {
  const s = await boards()
  const send = (key: string) =>
    s.owner.call('POST', s.broadcast, { message: 'Once' }, { headers: { 'Idempotency-Key': key } })
  const answers = await Promise.all(['a', 'a', 'a', 'a', 'b'].map(send))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const ids = answers.map(({ body }) => body._id as string)
  expect(new Set(ids.slice(0, 4)).size).toBe(1)
  expect(rows(s)).toHaveLength(4)
  expect((await send('a')).body._id).toBe(ids[0])
  expect(rows(s)).toHaveLength(4)
})

test('without a board on which they may write, the person is told so', async () => {
  const s = await boards()
  await s.owner.do('deleteSite', s.north)
  await s.owner.do('deleteSite', s.south)
  const { status, body } = await s.owner.call('POST', s.broadcast, { message: 'Is anybody there?' })
  expect([status, body.message]).toEqual([400, 'There is no site on whose board you may write.'])
  expect(await s.owner.get<'listUnreadSiteMessages'>(s.unreadPath)).toEqual({ sites: [] })
})
