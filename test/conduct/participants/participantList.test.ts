import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { foldId, sortId } from '#conduct/participants/rules'
import { auditEntries, participantGroups, participantSites, participants } from '#db/tables/index'
import { newId } from '#kernel/id'
import { world } from '../../harness'

type Row = typeof participants.$inferInsert & { groups: string[]; sites: string[] }

/** A trial with two sites, three groups and these participants, put straight into the database. */
async function study(rows: Partial<Row & { groupsAt: number[]; sitesAt: number[] }>[]) {
  const all = world()
  const trial = all.trial()
  const groups: string[] = []
  const sites: string[] = []
  for (const name of ['Arm 1', 'Arm 2', 'Arm 3'])
    groups.push((await all.owner.post(`/trials/${trial}/groups`, { name }))._id)
  for (const id of ['BER', 'PAR']) sites.push((await all.owner.post(`/trials/${trial}/sites`, { name: id, id }))._id)
  const known: Row[] = []
  all.db.$client.transaction(() => {
    for (const [index, { groupsAt = [], sitesAt = [], ...given }] of rows.entries()) {
      const id = given.id ?? `P-${index}`
      const row: Row = {
        _id: newId(1e15),
        createdAt: index,
        trial,
        progressDueAt: null,
        ...given,
        id,
        idSort: sortId(id),
        groups: groupsAt.map((at) => groups[at]!),
        sites: sitesAt.map((at) => sites[at]!),
      }
      all.db.insert(participants).values(row).run()
      for (const group of row.groups) all.db.insert(participantGroups).values({ participant: row._id, group }).run()
      for (const site of row.sites) all.db.insert(participantSites).values({ participant: row._id, site }).run()
      known.push(row)
    }
  })()
  const list = (query: Record<string, unknown> = {}, person = all.owner as typeof all.nobody) =>
    person.get(`/trials/${trial}/participants?${new URLSearchParams(query as Record<string, string>)}`)
  const ids = async (query: Record<string, unknown> = {}) =>
    (await list(query)).participants.map(({ id }: { id: string }) => id)
  return { ...all, trial, groups, sites, known, list, ids }
}

const people = [
  { id: 'P-1', groupsAt: [0], sitesAt: [0], joinedAt: 5, lastSeenAt: 50, ratioComplete: 0.5 },
  { id: 'p-10', groupsAt: [0, 1], joinedAt: 6, lastSeenAt: 40, isUnallocated: true, stagesBehindSchedule: 2 },
  { id: 'P-2', sitesAt: [1], isWithdrawn: true, unreadCount: 3, ratioComplete: 1 },
  { id: 'a%b_c', groupsAt: [2], isUnallocated: true },
  { id: 'Old', isArchived: true, groupsAt: [0], sitesAt: [0], joinedAt: 1, lastSeenAt: 60 },
]

describe('filters and sorts', () => {
  const cases: [
    Record<string, unknown> | ((ids: { groups: string[]; sites: string[] }) => Record<string, unknown>),
    string[],
  ][] = [
    [{}, ['P-1', 'p-10', 'P-2', 'a%b_c']],
    [{ sortOrder: 'desc' }, ['a%b_c', 'P-2', 'p-10', 'P-1']],
    [{ includeArchived: true }, ['P-1', 'p-10', 'P-2', 'a%b_c', 'Old']],
    [{ includeArchived: false }, ['P-1', 'p-10', 'P-2', 'a%b_c']],
    [{ sort: 'id' }, ['a%b_c', 'P-1', 'P-2', 'p-10']],
    [{ sort: 'id', sortOrder: 'desc' }, ['p-10', 'P-2', 'P-1', 'a%b_c']],
    [{ sort: 'lastSeenAt' }, ['p-10', 'P-1', 'P-2', 'a%b_c']],
    [{ sort: 'lastSeenAt', sortOrder: 'desc' }, ['P-1', 'p-10', 'a%b_c', 'P-2']],
    [{ sort: 'ratioComplete', sortOrder: 'desc' }, ['P-2', 'P-1', 'a%b_c', 'p-10']],
    [{ term: 'P-1' }, ['P-1', 'p-10']],
    [{ term: '10' }, ['p-10']],
    [{ term: '%' }, ['a%b_c']],
    [{ term: '_' }, ['a%b_c']],
    [{ term: 'P_1' }, []],
    [{ term: 'OLD' }, []],
    [{ term: 'OLD', includeArchived: true }, ['Old']],
    [({ sites }) => ({ site: sites[0] }), ['P-1']],
    [({ sites }) => ({ site: sites[0], includeArchived: true }), ['P-1', 'Old']],
    [({ groups }) => ({ groupsInclude: groups[0] }), ['P-1', 'p-10']],
    [({ groups }) => ({ groupsInclude: `${groups[1]},${groups[2]}` }), ['p-10', 'a%b_c']],
    [({ groups }) => ({ groupsInclude: groups[1], groupsIncludeNone: true }), ['p-10', 'P-2']],
    [({ groups }) => ({ groupsInclude: groups[0], groupsExclude: groups[1] }), ['P-1']],
    [({ groups }) => ({ groupsExclude: groups[0] }), ['P-2', 'a%b_c']],
    [({ groups }) => ({ groupsExclude: groups[0], groupsExcludeNone: true }), ['a%b_c']],
    [{ groupsIncludeNone: true }, ['P-2']],
    [{ groupsExcludeNone: true }, ['P-1', 'p-10', 'a%b_c']],
    [{ scheduleBehind: true }, ['p-10']],
    [{ scheduleOnSchedule: true }, ['P-1', 'P-2', 'a%b_c']],
    [{ scheduleBehind: true, scheduleOnSchedule: true }, ['P-1', 'p-10', 'P-2', 'a%b_c']],
    [{ allocationUnallocated: true }, ['p-10', 'a%b_c']],
    [{ allocationAllocated: true }, ['P-1', 'P-2']],
    [{ joinedJoined: true }, ['P-1', 'p-10']],
    [{ joinedNotJoined: true }, ['P-2', 'a%b_c']],
    [{ withdrawnWithdrawn: true }, ['P-2']],
    [{ withdrawnNotWithdrawn: true }, ['P-1', 'p-10', 'a%b_c']],
    [{ unread: true }, ['P-2']],
    [{ unread: true, joinedJoined: true }, []],
  ]
  test('each answers those it should, in order, with their total', async () => {
    const { list, groups, sites } = await study(people)
    for (const [query, expected] of cases) {
      const asked = typeof query === 'function' ? query({ groups, sites }) : query
      const { participants, total, nextPageAvailable, prevPageAvailable } = await list(asked)
      expect([asked, participants.map(({ id }: { id: string }) => id)]).toEqual([asked, expected])
      expect([total, nextPageAvailable, prevPageAvailable]).toEqual([expected.length, false, false])
    }
  })
})

test.each([
  ['page=0', 'page'],
  ['page=x', 'page'],
  ['sort=name', 'sort'],
  ['sortOrder=up', 'sortOrder'],
  ['site=BER', 'site'],
  ['groupsInclude=aaaaaaaaaaaaaaaaaaaaaaaa,b', 'groupsInclude'],
  ['unread=maybe', 'unread'],
  ['format=xlsx', 'format'],
  ['colour=red', 'colour'],
])('refuses ?%s', async (query, field) => {
  const { owner, trial } = await study([])
  const { status, body } = await owner.call('GET', `/trials/${trial}/participants?${query}`)
  expect(status).toBe(422)
  expect(Object.keys(body.validations.query)).toEqual([field])
})

test('80 a page, to the last page and beyond', async () => {
  const { list, ids } = await study(Array.from({ length: 161 }, () => ({})))
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list({ page })))
  expect(pages.map(({ participants }) => participants.length)).toEqual([80, 80, 1, 0])
  expect(pages.map(({ nextPageAvailable }) => nextPageAvailable)).toEqual([true, true, false, false])
  expect(pages.map(({ prevPageAvailable }) => prevPageAvailable)).toEqual([false, true, true, true])
  expect(pages.map(({ total }) => total)).toEqual([161, 161, 161, 161])
  expect(await ids({ page: 2, term: 'p' })).toEqual(pages[1].participants.map(({ id }: { id: string }) => id))
})

test('a long list is right on every page of every sort, also after it changed', async () => {
  const rows = Array.from({ length: 2_600 }, (_, n) => ({
    id: `P-${(n * 7919) % 2_600}`,
    createdAt: n >> 2,
    lastSeenAt: n % 3 ? (n * 31) % 977 : null,
    ratioComplete: (n % 11) / 10,
    isUnallocated: n % 2 === 0,
  }))
  const { known, ids, db } = await study(rows)
  const check = async (sort: 'createdAt' | 'id' | 'lastSeenAt' | 'ratioComplete', sortOrder: string) => {
    const order = known.toSorted(inOrder(sort, sortOrder === 'desc')).map(({ id }) => id)
    for (const page of [1, 13, 14, 16, 17, 20, 32, 33, 15]) {
      expect([sort, sortOrder, page, await ids({ sort, sortOrder, page })]).toEqual([
        sort,
        sortOrder,
        page,
        order.slice((page - 1) * 80, page * 80),
      ])
    }
  }
  for (const sort of ['createdAt', 'id', 'lastSeenAt', 'ratioComplete'] as const) {
    for (const sortOrder of ['asc', 'desc']) await check(sort, sortOrder)
  }
  db.$client.run('UPDATE participants SET ratioComplete = 0.05, lastSeenAt = 7 WHERE createdAt % 2 = 0')
  for (const row of known) if (row.createdAt % 2 === 0) Object.assign(row, { ratioComplete: 0.05, lastSeenAt: 7 })
  for (const sort of ['createdAt', 'id', 'lastSeenAt', 'ratioComplete'] as const) await check(sort, 'desc')
}, 60_000)

/** The plain meaning of a sort: never seen last in both orders, equal ones by `_id`. */
function inOrder(sort: 'createdAt' | 'id' | 'lastSeenAt' | 'ratioComplete', descending: boolean) {
  const key = (row: Row) => (sort === 'id' ? row.idSort : (row[sort] ?? null))
  const compare = (a: unknown, b: unknown) => (a === b ? 0 : (a as number) < (b as number) ? -1 : 1)
  return (a: Row, b: Row) => {
    const [x, y] = [key(a), key(b)]
    if ((x === null) !== (y === null)) return x === null ? 1 : -1
    return (compare(x, y) || compare(a._id, b._id)) * (descending ? -1 : 1)
  }
}

const flag = fc.constantFrom(undefined, true)
const person = fc.record({
  id: fc.string({ unit: fc.constantFrom('a', 'B', 'É', '0', '1', '7', '_', '%', '-'), minLength: 1, maxLength: 6 }),
  createdAt: fc.nat(5),
  lastSeenAt: fc.option(fc.nat(5), { nil: null }),
  joinedAt: fc.option(fc.nat(5), { nil: null }),
  ratioComplete: fc.constantFrom(0, 0.25, 1),
  stagesBehindSchedule: fc.nat(2),
  unreadCount: fc.nat(1),
  isUnallocated: fc.boolean(),
  isArchived: fc.boolean(),
  isWithdrawn: fc.boolean(),
  groupsAt: fc.uniqueArray(fc.nat(2)),
  sitesAt: fc.uniqueArray(fc.nat(1)),
})
const question = fc.record(
  {
    term: fc.string({ unit: fc.constantFrom('a', 'b', 'é', '0', '1', '_', '%'), minLength: 1, maxLength: 2 }),
    sort: fc.constantFrom('createdAt', 'id', 'lastSeenAt', 'ratioComplete'),
    sortOrder: fc.constantFrom('asc', 'desc'),
    siteAt: fc.nat(1),
    includeAt: fc.uniqueArray(fc.nat(2), { minLength: 1 }),
    excludeAt: fc.uniqueArray(fc.nat(2), { minLength: 1 }),
    groupsIncludeNone: flag,
    groupsExcludeNone: flag,
    includeArchived: flag,
    scheduleBehind: flag,
    scheduleOnSchedule: flag,
    allocationAllocated: flag,
    allocationUnallocated: flag,
    joinedJoined: flag,
    joinedNotJoined: flag,
    withdrawnWithdrawn: flag,
    withdrawnNotWithdrawn: flag,
    unread: flag,
  },
  { requiredKeys: [] },
)
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never

/** The list's filters as they are described, one participant at a time. */
function fits(row: Row, q: Question & { site?: string; include?: string[]; exclude?: string[] }): boolean {
  const one = (yes: unknown, no: unknown, is: boolean) => !(yes && !no && !is) && !(no && !yes && is)
  const inAny = (ids: string[]) => row.groups.some((group) => ids.includes(group))
  const none = row.groups.length === 0
  const included = q.include ? inAny(q.include) || (q.groupsIncludeNone === true && none) : !q.groupsIncludeNone || none
  return (
    (q.includeArchived === true || !row.isArchived) &&
    (q.term === undefined || foldId(row.id).includes(foldId(q.term))) &&
    (q.site === undefined || row.sites.includes(q.site)) &&
    included &&
    !(q.exclude && inAny(q.exclude)) &&
    !(q.groupsExcludeNone && none) &&
    one(q.scheduleBehind, q.scheduleOnSchedule, row.stagesBehindSchedule! > 0) &&
    one(q.allocationUnallocated, q.allocationAllocated, row.isUnallocated!) &&
    one(q.joinedJoined, q.joinedNotJoined, row.joinedAt != null) &&
    one(q.withdrawnWithdrawn, q.withdrawnNotWithdrawn, row.isWithdrawn!) &&
    (!q.unread || row.unreadCount! > 0)
  )
}

test('any filter and sort answers what a plain look at every participant answers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(person, { selector: ({ id }) => foldId(id), maxLength: 30 }),
      fc.array(question, { minLength: 1, maxLength: 12 }),
      async (rows, questions) => {
        const { ids, known, groups, sites } = await study(rows as never)
        for (const { siteAt, includeAt, excludeAt, ...flags } of questions) {
          const site = siteAt === undefined ? undefined : sites[siteAt]
          const include = includeAt?.map((at) => groups[at]!)
          const exclude = excludeAt?.map((at) => groups[at]!)
          const query = Object.fromEntries(
            Object.entries({
              ...flags,
              site,
              groupsInclude: include?.join(','),
              groupsExclude: exclude?.join(','),
            }).filter(([, value]) => value !== undefined),
          )
          const expected = known
            .filter((row) => fits(row, { ...flags, site, include, exclude } as never))
            .sort(inOrder((flags.sort ?? 'createdAt') as 'id', flags.sortOrder === 'desc'))
            .map(({ id }) => id)
          expect([query, await ids(query)]).toEqual([query, expected])
        }
      },
    ),
    { numRuns: 40 },
  )
}, 30_000)

test('what changes is found at once, by its new filter and in its new place', async () => {
  const { owner, trial, list, ids, known, groups, sites } = await study(people)
  const [first] = known
  const at = `/trials/${trial}/participants/${first!._id}`
  const counts = async () => [
    (await list()).total,
    (await list({ term: '1' })).total,
    (await list({ site: sites[1] })).total,
  ]
  expect(await counts()).toEqual([4, 2, 1])
  await owner.put(at, { id: 'Z-9' })
  expect(await counts()).toEqual([4, 1, 1])
  await owner.put(`/sites/${sites[1]}/memberships/${first!._id}`)
  expect(await counts()).toEqual([4, 1, 2])
  await owner.put(at, { isArchived: true })
  expect(await counts()).toEqual([3, 1, 1])
  await owner.put(at, { isArchived: false })
  expect(await ids({ groupsInclude: groups[0] })).toEqual(['Z-9', 'p-10'])
  await owner.delete(`/groups/${groups[0]}`)
  expect(await ids({ groupsIncludeNone: true })).toEqual(['Z-9', 'P-2'])
  await owner.delete(`/sites/${sites[1]}`)
  expect(await counts()).toEqual([4, 1, 0])
  await owner.delete(at, { reason: 'Test' })
  expect(await counts()).toEqual([3, 1, 0])
})

test('accounts held to a site or a group see theirs, in lists, totals and CSV', async () => {
  const { staff, trial, sites, groups, list, nobody } = await study(people)
  const names = ({ participants }: { participants: { id: string }[] }) => participants.map(({ id }) => id)
  const nurse = staff(trial, ['site.read'], sites[0]!)
  const both = staff(trial, ['site.readParticipants'], sites[1]!)
  const coach = staff(trial, ['group.read'], groups[0]!)
  const typist = staff(trial, ['site.support'], sites[0]!)
  expect(names(await list({}, nurse))).toEqual(['P-1'])
  expect((await list({ includeArchived: true }, nurse)).total).toBe(2)
  expect(names(await list({ term: 'p' }, both))).toEqual(['P-2'])
  expect(names(await list({ sort: 'id' }, coach))).toEqual(['P-1', 'p-10'])
  expect((await list({ format: 'csv', includeArchived: true }, nurse)).csv.match(/^(P-1|Old),/gm)).toEqual([
    'P-1,',
    'Old,',
  ])
  expect((await typist.call('GET', `/trials/${trial}/participants`)).status).toBe(403)
  expect((await nobody.call('GET', `/trials/${trial}/participants`)).status).toBe(401)
})

test('the CSV holds the whole filtered list, personal columns by permission, and is logged', async () => {
  const rows = Array.from({ length: 300 }, (_, n) => ({ name: `Name "${n}", =1+1`, sitesAt: [n % 2] }))
  const { owner, list, staff, trial, db, sites } = await study([
    ...rows,
    { id: '=SUM(A1)', groupsAt: [0], createdAt: 9e14 },
  ])
  const { csv } = await list({ format: 'csv', page: 2, sort: 'id' })
  const lines = csv.trimEnd().split('\r\n')
  expect(lines[0]).toBe(
    'participantId,_id,createdAt,lastSeenAt,sites,groups,isUnallocated,isArchived,isWithdrawn,ratioComplete,stagesBehindSchedule,timezone,name,dob,email,phone,whatsapp',
  )
  expect(lines).toHaveLength(302)
  expect(lines[1]).toStartWith("'=SUM(A1),")
  expect(lines[1]).toContain(',Arm 1,false,false,false,0,0,')
  expect(lines[3]).toMatch(/^P-1,.*,PAR,.*"Name ""1"", =1\+1",,,,$/)
  const reader = staff(trial, ['trial.read'])
  expect((await list({ format: 'csv' }, reader)).csv).not.toContain('Name')
  const mixed = staff(trial, ['trial.readParticipants'])
  db.$client
    .query('INSERT INTO permissions VALUES (?, ?, ?, ?)')
    .run(mixed._id, trial, sites[0]!, '["site.readParticipantPersonalInformation"]')
  expect((await list({ format: 'csv' }, mixed)).csv.match(/Name ""/g)).toHaveLength(150)
  const entries = db
    .select()
    .from(auditEntries)
    .all()
    .filter(({ type }) => type === 'exportParticipants')
  expect(entries[0]).toMatchObject({ user: owner._id, event: { format: 'csv', filters: { sort: 'id' } } })
  expect(entries).toHaveLength(3)
})

test('IDs sort by the value of their numbers, whatever the case', () => {
  const ids = ['b', 'A10', 'a9', 'a010', 'a', 'A-2', 'É', 'a10b2', 'a10b10', '2', '10']
  const sorted = ids.toSorted((a, b) => (sortId(a) < sortId(b) ? -1 : 1))
  expect(sorted).toEqual(['2', '10', 'a', 'A-2', 'a9', 'a010', 'A10', 'a10b2', 'a10b10', 'b', 'É'])
})

test('two IDs sort alike exactly where they are the same but for case', () => {
  const id = fc.string({ unit: fc.constantFrom('a', 'A', '0', '1', '-'), minLength: 1, maxLength: 5 })
  fc.assert(fc.property(id, id, (a, b) => (sortId(a) === sortId(b)) === (a.toLowerCase() === b.toLowerCase())))
})
