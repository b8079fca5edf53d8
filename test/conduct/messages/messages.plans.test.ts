/** Threads, counts and lists of many messages are ranges of indexes: their cost does not grow with the trial. */
import { expect, test } from 'bun:test'
import { notifyTeamsDue } from '#conduct/messages/teamMail'
import { sendNextNotifications } from '#conduct/notifications/send'
import { keepParticipants } from '#exchange/exports/store'
import { BEGINNING, messagesAfter } from '#exchange/studyRecord/messageStore'
import { parseInstant } from '#kernel/time'
import { collectStatements, explained, scans } from '../../plan'
import { notificationStudy } from '../notifications/notifications.study'

/** A trial with 200 more participants, each with a thread of 40 messages of people and 40 automatic ones. */
async function largeThreadStudy() {
  const s = await notificationStudy()
  const site = (await s.owner.do('createSite', s.trial, { name: 'North', id: 'N1' }))._id
  await s.owner.do('addSiteMember', site, s.anna)
  const people = [...s.addPeople(200), s.anna]
  const now = parseInstant(s.now())!
  const insert = s.db.$client.query(
    `INSERT INTO messages SELECT format('%016x%08x', $serial, value), $now, $participant, value, value % 2, iif(value % 2, 'notice', 'message'),
       iif(value % 4 = 0, $user, NULL), NULL, 'Some text', '[]', '[]' FROM json_each($numbers)`,
  )
  s.db.$client.transaction(() => {
    const numbers = JSON.stringify(Array.from({ length: 80 }, (_, n) => n + 1))
    for (const [serial, participant] of people.entries())
      insert.run({ serial, now, participant, user: s.nurse._id, numbers })
  })()
  return { ...s, site, localNurse: s.staff(s.trial, ['site.support', 'site.read'], site) }
}

/** The set of participants that the request names, which is read as a whole. */
const CHOSEN = /^SCAN chosen$/
/** Tables of a few rows too, if SQLite knows that they have no more. */
const SMALL = /^SCAN (chosen|t|trials|s|jobs|u|users)\b/

/** The plans of the statements that an act runs about these tables. @param read what it may read as a whole */
async function plansOf(
  s: Awaited<ReturnType<typeof largeThreadStudy>>,
  act: () => Promise<unknown>,
  about: RegExp,
  read = CHOSEN,
) {
  const collector = collectStatements(s.db.$client)
  await act()
  const statements = collector.end()
  const found = statements.flatMap((sql) => scans(s.db.$client, sql).map((scan) => [scan, sql]))
  expect(found.filter(([scan]) => !read.test(scan!))).toEqual([])
  const plans = statements.filter((sql) => about.test(sql)).flatMap((sql) => explained(s.db.$client, sql))
  return plans.map(({ detail }) => detail)
}

test('no thread page, read mark, message, count or list of many messages scans a table', async () => {
  const s = await largeThreadStudy()
  const { commit, clock } = s.service.services
  const acts: Record<string, () => Promise<unknown>> = {
    thread: () => s.owner.get<'listMessages'>(`${s.thread}?limit=10`),
    'thread of a nurse of a site': () => s.localNurse.get<'listMessages'>(`${s.thread}?limit=10`),
    'earlier page': async () =>
      s.nurse.get<'listMessages'>(
        `${s.thread}?before=${(await s.nurse.get<'listMessages'>(s.thread)).messages[20]?._id}`,
      ),
    'own thread': () => s.me.do('listOwnMessages', { limit: 10 }),
    write: () => s.nurse.post<'sendMessage'>(s.thread, { message: 'Hello', sendVia: ['email'] }),
    'write to the team': () => s.me.do('sendOwnMessage', { message: 'Hello' }),
    read: () => s.nurse.put<'markMessagesRead'>(s.thread),
    'own read': () => s.me.do('markOwnMessagesRead'),
    list: () => s.owner.do('listParticipants', s.trial, { unread: true, sort: 'hasUnreadMessages', sortOrder: 'desc' }),
    'page of the list': () => s.owner.do('listParticipants', s.trial, { sort: 'hasUnreadMessages', page: 4 }),
    'list of a site': () => s.localNurse.do('listParticipants', s.trial, { unread: true }),
    'counts of the trial': () => s.owner.do('readTrial', s.trial),
    'e-mails that are due': () => commit((): unknown => notifyTeamsDue(s.db, Number.MAX_SAFE_INTEGER, 50)),
    'notify by a job': () => s.notify({ filter: {} }),
    'a page of the job': () => commit((): unknown => sendNextNotifications(s.db, clock.now(), 50)),
    preview: () => s.notify({ participants: [s.anna] }, s.owner, '?preview=true'),
    notify: () => s.notify({ participants: [s.anna] }),
  }
  for (const analyzed of [false, true]) {
    if (analyzed) s.db.$client.run('ANALYZE') // the plans are the same if SQLite knows how many rows there are
    for (const [name, act] of Object.entries(acts)) {
      if (analyzed && name === 'notify by a job') continue // everybody in the trial, which is the only one
      const plans = await plansOf(s, act, /\bmessages\b|\bmessageReads\b/, analyzed ? SMALL : CHOSEN)
      const lookups = plans.filter((detail) => /\b(messages|messageReads|m|r)\b/.test(detail))
      for (const detail of lookups) {
        if (!detail.startsWith('SEARCH')) continue
        expect([name, detail]).toEqual([
          name,
          expect.stringMatching(
            /messagesByThread \(participant=\?|PRIMARY KEY \(participant=\?|autoindex_messages_1|\(message=\?\)/,
          ),
        ])
      }
    }
  }

  // So are the pages of a study record.
  keepParticipants(s.db, s.trial, [])
  const record = await plansOf(s, async () => messagesAfter(s.db, BEGINNING, 1), /\bmessages\b/)
  expect(record).toContain('SEARCH m USING INDEX messagesByThread (participant=? AND isAutomatic=? AND number>?)')

  // A page and a count are bounded ranges of the index.
  const plans = await plansOf(s, () => s.owner.get<'listMessages'>(`${s.thread}?limit=10`), /FROM messages m/, SMALL)
  expect(plans).toContain('SEARCH m USING INDEX messagesByThread (participant=? AND isAutomatic=? AND number<?)')
  expect(plans.join()).not.toContain('TEMP B-TREE')
  const counts = await plansOf(
    s,
    () => s.nurse.put<'markMessagesRead'>(s.thread),
    /count\(\*\) AS count FROM messages/,
    SMALL,
  )
  expect(counts).toEqual([
    'SEARCH messages USING INDEX messagesByThread (participant=? AND isAutomatic=? AND number>?)',
  ])
}, 180_000)
