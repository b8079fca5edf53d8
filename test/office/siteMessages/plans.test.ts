/** Pages, counts and marks of boards are index look-ups: their cost does not grow with the messages. */
import { expect, test } from 'bun:test'
import { notifyReaders } from '#office/siteMessages/mail'
import { collectStatements, explained, scans } from '../../plan'
import { boards } from './boards.study'

/** Two boards with some thousand messages each. */
async function large() {
  const s = await boards()
  const insert = s.db.$client.query(
    `INSERT INTO siteMessages SELECT format('%016x%08x', $serial, value), value, $site, value, iif(value % 3, $owner, $nurse),
       iif(value % 3, value - value / 3, value / 3), 'Some text', '[]', NULL, NULL FROM json_each($numbers)`,
  )
  const numbers = JSON.stringify(Array.from({ length: 3000 }, (_, at) => at + 1))
  s.db.$client.transaction(() => {
    for (const [serial, site] of [s.north, s.south].entries())
      insert.run({ serial, site, owner: s.owner._id, nurse: s.nurse._id, numbers })
  })()
  return s
}

/** What may be read as a whole: what the request names, the few boards that wait, and tables of a few rows. */
const SMALL = /^SCAN (q|b|m|t|u|s|siteMessageQueue|users|trials|sites|permissions|roles|teamMembers)\b/

test('no page, count, mark, message or e-mail scans the messages', async () => {
  const s = await large()
  const { commit, clock } = s.service.services
  const first = (await s.nurse.do('listSiteMessages', s.north, { page: 100 })).messages[0]
  const acts: Record<string, () => Promise<unknown>> = {
    'first page': () => s.monitor.do('listSiteMessages', s.north),
    'deep page': () => s.nurse.do('listSiteMessages', s.north, { page: 90 }),
    'unread of the trial': () => s.monitor.get<'listUnreadSiteMessages'>(s.unreadPath),
    'unread of a site': () => s.nurse.get<'listUnreadSiteMessages'>(s.unreadPath),
    'mark a part': () => s.monitor.do('markSiteMessagesRead', s.north, { upTo: first!._id }),
    mark: () => s.nurse.do('markSiteMessagesRead', s.north),
    write: () => s.nurse.do('sendSiteMessage', s.north, { message: 'Hello' }),
    broadcast: () => s.owner.post<'broadcastSiteMessage'>(s.broadcast, { message: 'Hello' }),
    'boards of the e-mails': () => commit((): unknown => notifyReaders(s.db, clock.now(), 50)),
    'e-mails': () => commit((): unknown => notifyReaders(s.db, clock.now(), 50)),
  }
  for (const analyzed of [false, true]) {
    if (analyzed) s.db.$client.run('ANALYZE') // the plans are the same if SQLite knows how many rows there are
    for (const [name, act] of Object.entries(acts)) {
      s.clock(3_600_000_000)
      const collector = collectStatements(s.db.$client)
      await act()
      const statements = collector.end().filter((sql) => /\bsiteMessage/.test(sql))
      expect([name, statements.length > 0]).toEqual([name, true])
      for (const sql of statements) {
        expect([name, scans(s.db.$client, sql).filter((scan) => !SMALL.test(scan))]).toEqual([name, []])
        const onMessages = explained(s.db.$client, sql).filter(({ detail }) =>
          /siteMessages?By|\bsiteMessages\b/.test(detail),
        )
        for (const { detail } of onMessages)
          expect([name, detail]).toEqual([
            name,
            expect.stringMatching(
              /siteMessagesByBoard \(site=\?|siteMessagesByUser \(site=\? AND user=\?|autoindex_siteMessages_1|siteMessageMailsBy/,
            ),
          ])
      }
    }
  }
  // A page is a bounded range of the index, however deep it is: neither skipped rows nor a sort.
  const page =
    'SELECT * FROM siteMessages WHERE site = $site AND number > $after AND number <= $upTo ORDER BY number DESC'
  expect(explained(s.db.$client, page).map(({ detail }) => detail)).toEqual([
    'SEARCH siteMessages USING INDEX siteMessagesByBoard (site=? AND number>? AND number<?)',
  ])
})

test('the numbers on a board of thousands are right', async () => {
  const s = await large()
  const { messages, nextPageAvailable, unread } = await s.nurse.do('listSiteMessages', s.north, { page: 100 })
  expect([messages.length, messages[0]?.createdAt, nextPageAvailable, unread]).toEqual([
    30,
    '1970-01-01T00:00:00.000030Z',
    false,
    2000,
  ])
  expect((await s.monitor.get<'listUnreadSiteMessages'>(s.unreadPath)).sites.map((each) => each.unread)).toEqual([
    3000, 3000,
  ])
})
