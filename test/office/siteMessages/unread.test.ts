/** What each account has read of the boards (docs/sites.md, "Read and unread"). */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { lastOf, take } from '../../present'
import { runs } from '../../proof'
import { boards, unreadOf } from './boards.study'

test('each account has marks of its own, and one’s own messages are never unread', async () => {
  const s = await boards()
  await s.nurse.do('sendSiteMessage', s.north, { message: 'one' })
  await s.owner.do('sendSiteMessage', s.north, { message: 'two' })
  expect([await unreadOf(s, s.nurse), await unreadOf(s, s.owner), await unreadOf(s, s.monitor)]).toEqual([
    { [s.north]: 1 },
    { [s.north]: 1, [s.south]: 0 },
    { [s.north]: 2, [s.south]: 0 },
  ])
  expect(await s.nurse.do('markSiteMessagesRead', s.north)).toEqual({ site: s.north, unread: 0 })
  expect((await s.nurse.do('listSiteMessages', s.north)).messages.map(({ isRead }) => isRead)).toEqual([true, true])
  expect(await unreadOf(s, s.monitor)).toEqual({ [s.north]: 2, [s.south]: 0 })
  await s.nurse.do('sendSiteMessage', s.north, { message: 'three' })
  expect((await s.nurse.do('listSiteMessages', s.north)).unread).toBe(0)
  expect((await s.owner.do('listSiteMessages', s.north)).unread).toBe(2)
  // To read it again writes nothing.
  const reads = () => s.db.$client.query('SELECT count(*) AS n FROM siteMessageReads').get()
  await s.monitor.do('markSiteMessagesRead', s.north)
  const before = reads()
  await s.monitor.do('markSiteMessagesRead', s.north, {})
  expect(reads()).toEqual(before)
})

test('what is written while somebody reads stays unread, with upTo; a mark never goes back', async () => {
  const s = await boards()
  await s.nurse.do('sendSiteMessage', s.north, { message: 'one' })
  const { messages } = await s.monitor.do('listSiteMessages', s.north)
  const [shown] = take(1, messages)
  await s.nurse.do('sendSiteMessage', s.north, { message: 'two' })
  expect(await s.monitor.do('markSiteMessagesRead', s.north, { upTo: shown._id })).toEqual({ site: s.north, unread: 1 })
  await s.monitor.do('markSiteMessagesRead', s.north)
  expect(await s.monitor.do('markSiteMessagesRead', s.north, { upTo: shown._id })).toEqual({ site: s.north, unread: 0 })
  const elsewhere = await s.doctor.do('sendSiteMessage', s.south, { message: 'elsewhere' })
  for (const upTo of [elsewhere._id, 'f'.repeat(24)])
    expect((await s.monitor.call('PUT', `${s.board}/read`, { upTo })).status).toBe(404)
  expect((await s.monitor.call('PUT', `${s.board}/read`, { upTo: 'nonsense' })).status).toBe(422)
})

test('for a person who gets access later, what was there before is unread until they mark it', async () => {
  const s = await boards()
  for (const message of ['one', 'two']) await s.nurse.do('sendSiteMessage', s.north, { message })
  const late = s.staff(s.trial, ['site.readSiteMessages'], s.north)
  expect(await unreadOf(s, late)).toEqual({ [s.north]: 2 })
  await late.do('markSiteMessagesRead', s.north)
  s.db.$client.query('DELETE FROM permissions WHERE user = ?').run(late._id)
  await s.nurse.do('sendSiteMessage', s.north, { message: 'three' })
  s.db.$client
    .query('INSERT INTO permissions VALUES ($user, $trial, $trial, $keys)')
    .run({ user: late._id, trial: s.trial, keys: '["trial.readSiteMessages"]' })
  // The marks of before still hold.
  expect(await unreadOf(s, late)).toEqual({ [s.north]: 1, [s.south]: 0 })
})

type Act = { by: 'nurse' | 'doctor' | 'monitor' | 'owner'; does: 'write' | 'read' | 'readPart' | 'broadcast' }

test('the counts are those of the messages, whatever is done at once and in any order', async () => {
  const s = await boards()
  const people = { nurse: s.nurse, doctor: s.doctor, monitor: s.monitor, owner: s.owner }
  const sites = [s.north, s.south]
  const expected = (user: string) =>
    s.db.$client
      .query<{ site: string; unread: number }, [{ user: string; trial: string }]>(
        `SELECT s._id AS site, (SELECT count(*) FROM siteMessages m WHERE m.site = s._id AND m.user <> $user
           AND NOT EXISTS (SELECT 1 FROM siteMessageReads r WHERE r.site = s._id AND r.user = $user AND r.upTo >= m.number)) AS unread
         FROM sites s WHERE s.trial = $trial ORDER BY s._id`,
      )
      .all({ user, trial: s.trial })

  async function perform({ by, does }: Act, site: string) {
    const [person, path] = [people[by], `/sites/${site}/messages` as const]
    if (does === 'broadcast') return person.call('POST', s.broadcast, { message: 'all' })
    if (does === 'write') return person.call('POST', path, { message: 'one' })
    if (does === 'read') return person.call('PUT', `${path}/read`)
    const { body } = await person.call('GET', path)
    const messages: { _id: string }[] = body.messages ?? []
    const some = messages[Math.floor(messages.length / 2)]
    return person.call('PUT', `${path}/read`, some ? { upTo: some._id } : {})
  }

  const act = fc.record({
    by: fc.constantFrom<Act['by'][]>('nurse', 'doctor', 'monitor', 'owner'),
    does: fc.constantFrom<Act['does'][]>('write', 'write', 'read', 'readPart', 'broadcast'),
  })
  let unread = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(act, fc.nat(1)), { minLength: 1, maxLength: 12 }), async (acts) => {
      s.clock(60_000_000) // the limits count by minute
      const answers = await Promise.all(acts.map(([each, at]) => perform(each, sites[at]!)))
      expect(answers.every(({ status }) => [200, 403, 404].includes(status))).toBe(true)
      for (const [name, person] of Object.entries(people)) {
        const shown = (await person.get<'listUnreadSiteMessages'>(s.unreadPath)).sites
        const mine = { nurse: [s.north], doctor: [s.south] }[name] ?? sites
        expect(shown).toEqual(expected(person._id).filter(({ site }) => mine.includes(site)))
        for (const { site, unread } of shown)
          expect(
            (await person.do('listSiteMessages', site, { page_size: 500 })).messages.filter(({ isRead }) => !isRead),
          ).toHaveLength(unread)
        unread += lastOf(shown).unread
      }
    }),
    { numRuns: runs(25) },
  )
  expect(unread).toBeGreaterThan(runs(10))
  const numbers = s.db.$client
    .query('SELECT site, max(number) = count(*) AND min(number) = 1 AS dense FROM siteMessages GROUP BY site')
    .all()
  expect(numbers).toEqual(sites.map((site) => ({ site, dense: 1 })))
}, 180_000)
