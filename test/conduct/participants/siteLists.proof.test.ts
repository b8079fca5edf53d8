/** Lists of one site: read from indexes of its own, and equal to a plain computation whatever has changed before. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { verifyCounts } from '#db/counts'
import type { Sqlite } from '#db/open'
import { sharedInFile } from '../../harness'
import { inOrder, person, type Row, type Sort, sorts, study } from './participantList.study'

const orders = sorts.flatMap((sort) => (['asc', 'desc'] as const).map((sortOrder) => ({ sort, sortOrder })))

/** What a reader of a site should see: those at the site, without archived ones. */
const atSite = (rows: readonly Row[], site: string, { sort, sortOrder }: { sort: Sort; sortOrder: string }) =>
  rows
    .filter((row) => row.sites.includes(site) && !row.isArchived)
    .toSorted(inOrder(sort, sortOrder === 'desc'))
    .map(({ id }) => id)

test('every page of the list of a site is right in every order, and its total is exact', async () => {
  // Six in a hundred are at the first site, all others at the second.
  const rows = Array.from({ length: 2_800 }, (_, n) => ({
    id: `P-${(n * 7919) % 2_800}`,
    createdAt: n >> 2,
    lastSeenAt: n % 3 ? (n * 31) % 977 : null,
    ratioComplete: (n % 11) / 10,
    unreadCount: n % 5 ? 0 : 1,
    lastMessageAt: (n * 17) % 1013,
    isArchived: n % 50 === 0,
    sitesAt: [n % 100 < 6 ? 0 : 1],
  }))
  const { known, list, sites, staff, trial } = await study(rows)
  for (const [site, pages] of [
    [sites[0]!, [1, 2, 3]],
    [sites[1]!, [1, 16, 33]],
  ] as const) {
    const nurse = staff(trial, ['site.read'], site)
    for (const order of orders) {
      const expected = atSite(known, site, order)
      for (const page of pages) {
        const read = await list({ ...order, page }, nurse)
        expect([order, page, read.total, read.participants.map(({ id }) => id)]).toEqual([
          order,
          page,
          expected.length,
          expected.slice((page - 1) * 80, page * 80),
        ])
      }
    }
  }
}, 60_000)

/** The rows and counts that triggers keep, and the same from the participants themselves. */
const keptIn = (sqlite: Sqlite) => [
  sqlite
    .query(
      `SELECT participant, site, facets, createdAt, idSort, lastSeenAt, lastMessageAt FROM siteParticipants
       ORDER BY participant, site`,
    )
    .all(),
  sqlite.query('SELECT * FROM siteParticipantCounts WHERE count <> 0 ORDER BY site, facets').all(),
]
const countedIn = (sqlite: Sqlite) => [
  sqlite
    .query(
      `SELECT participant, site, facets, createdAt, idSort, lastSeenAt, lastMessageAt
       FROM participantSites JOIN participants ON _id = participant ORDER BY participant, site`,
    )
    .all(),
  sqlite
    .query(
      `SELECT site, facets, count(*) AS count FROM participantSites JOIN participants ON _id = participant
       GROUP BY site, facets ORDER BY site, facets`,
    )
    .all(),
]

const change = fc.record({
  at: fc.nat(11),
  what: fc.oneof(
    fc.record({ isArchived: fc.boolean() }),
    fc.record({ isWithdrawn: fc.boolean() }),
    fc.record({ lastSeenAt: fc.nat(5) }),
    fc.record({ ratioComplete: fc.constantFrom(0, 0.25, 1) }),
    fc.record({ unreadCount: fc.nat(1), lastMessageAt: fc.nat(3) }),
    fc.record({ stagesBehindSchedule: fc.nat(2) }),
    fc.record({ leaves: fc.nat(1) }),
    fc.record({ joins: fc.nat(1) }),
    fc.record({ isDeleted: fc.constant(true) }),
  ),
})

test('after any changes, a reader of a site sees its participants, and the counts that are kept are right (property)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(person, { selector: ({ id }) => id.toUpperCase(), minLength: 1, maxLength: 12 }),
      fc.array(change, { maxLength: 15 }),
      async (people, changes) => {
        const { known, list, sites, staff, trial, db } = await study(people)
        const { $client: sqlite } = db
        const rows: (Row | undefined)[] = [...known]
        for (const { at, what } of changes) {
          const row = rows[at]
          if (!row) continue
          if ('isDeleted' in what) {
            sqlite.run('DELETE FROM participants WHERE _id = ?', [row._id])
            rows[at] = undefined
          } else if ('joins' in what) {
            const site = sites[what.joins]!
            sqlite.run('INSERT INTO participantSites VALUES (?, ?) ON CONFLICT DO NOTHING', [row._id, site])
            row.sites = [...new Set([...row.sites, site])]
          } else if ('leaves' in what) {
            const site = sites[what.leaves]!
            sqlite.run('DELETE FROM participantSites WHERE participant = ? AND site = ?', [row._id, site])
            row.sites = row.sites.filter((each) => each !== site)
          } else {
            for (const [column, value] of Object.entries(what))
              sqlite.run(`UPDATE participants SET ${column} = ? WHERE _id = ?`, [Number(value), row._id])
            Object.assign(row, what)
          }
        }
        const left = rows.filter((row) => row !== undefined)
        for (const [n, site] of sites.entries()) {
          const nurse = staff(trial, ['site.read'], site)
          for (const order of orders) {
            const expected = atSite(left, site, order)
            const read = await list(order, nurse)
            expect([n, order, read.total, read.participants.map(({ id }) => id)]).toEqual([
              n,
              order,
              expected.length,
              expected,
            ])
          }
        }
        expect(keptIn(sqlite)).toEqual(countedIn(sqlite))
        sqlite.run('DELETE FROM sites WHERE _id = ?', [sites[0]!])
        expect(keptIn(sqlite)).toEqual(countedIn(sqlite))
      },
    ),
    { numRuns: 25 },
  )
}, 60_000)

const shared = sharedInFile(async () => {
  const s = await study([
    { id: 'A', sitesAt: [0], isWithdrawn: true },
    { id: 'B', sitesAt: [1] },
    { id: 'C', sitesAt: [0, 1] },
    { id: 'D' },
  ])
  const other = (await s.owner.do('createTrial', s.team, { name: 'Another study' }))._id
  return { ...s, other }
})

test.each([
  ['nothing of another site', {}, ['A', 'C']],
  ['one’s own site', { site: 0 }, ['A', 'C']],
  ['another site: those who are at both', { site: 1 }, ['C']],
  ['flags', { withdrawnWithdrawn: true }, ['A']],
  ['flags and no such', { withdrawnWithdrawn: true, unread: true }, []],
  ['an ID', { term: 'C' }, ['C']],
  ['an ID of another site', { term: 'B' }, []],
] as const)('a reader of one site asks for %s', async (_, query, expected) => {
  const { list, sites, staff, trial } = await shared()
  const nurse = staff(trial, ['site.read'], sites[0])
  const site = 'site' in query ? { site: sites[query.site] } : {}
  const { participants, total } = await list({ ...query, ...site }, nurse)
  expect([participants.map(({ id }) => id), total]).toEqual([[...expected], expected.length])
})

test('the site of another trial shows nobody, to whoever may read it', async () => {
  const { owner, sites, other } = await shared()
  const read = await owner.do('listParticipants', other, { site: sites[0]!, format: 'json' })
  expect([read.total, read.participants]).toEqual([0, []])
})

test.each([
  ['a participant who is missing', 'DELETE FROM siteParticipants'],
  ['other values', 'UPDATE siteParticipants SET createdAt = createdAt + 1'],
  ['another count', 'UPDATE siteParticipantCounts SET count = count + 1'],
])('verify finds %s in the lists of sites', async (_, sql) => {
  const { db } = await study([{ id: 'A', sitesAt: [0] }])
  db.$client.run(sql)
  expect(() => verifyCounts(db.$client)).toThrow('siteParticipant')
})
