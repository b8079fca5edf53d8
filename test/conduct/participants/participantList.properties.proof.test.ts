import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { sortId } from '#conduct/participants/rules'
import { foldId } from '#kernel/text'
import { inOrder, people, person, type Row, type Sort, sorts, study } from './participantList.study'

test('every page of a long list is right in every order, also after changes', async () => {
  const rows = Array.from({ length: 2_600 }, (_, n) => ({
    id: `P-${(n * 7919) % 2_600}`,
    createdAt: n >> 2,
    lastSeenAt: n % 3 ? (n * 31) % 977 : null,
    ratioComplete: (n % 11) / 10,
    isUnallocated: n % 2 === 0,
    unreadCount: n % 5 ? 0 : 1 + (n % 3),
    lastMessageAt: (n * 17) % 1013,
  }))
  const { known, ids, db } = await study(rows)
  const check = async (sort: Sort, sortOrder: string) => {
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
  for (const sort of sorts) {
    for (const sortOrder of ['asc', 'desc']) await check(sort, sortOrder)
  }
  db.$client.run('UPDATE participants SET ratioComplete = 0.05, lastSeenAt = 7 WHERE createdAt % 2 = 0')
  for (const row of known) if (row.createdAt % 2 === 0) Object.assign(row, { ratioComplete: 0.05, lastSeenAt: 7 })
  for (const sort of sorts) await check(sort, 'desc')
}, 180_000)

const flag = fc.constantFrom(undefined, true)

const question = fc.record(
  {
    term: fc.string({ unit: fc.constantFrom('a', 'b', 'é', '0', '1', '_', '%'), minLength: 1, maxLength: 2 }),
    sort: fc.constantFrom(...sorts),
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

/** The list's filters as the manual describes them, for one participant. */
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

test('any filter and sort return the same as a simple implementation', async () => {
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
            .sort(inOrder(flags.sort ?? 'createdAt', flags.sortOrder === 'desc'))
            .map(({ id }) => id)
          expect([query, await ids(query)]).toEqual([query, expected])
        }
      },
    ),
    { numRuns: 40 },
  )
}, 180_000)

test('a changed participant is found at once, by the new filter and at the new position', async () => {
  const { owner, trial, list, ids, known, groups, sites } = await study(people)
  const [first] = known
  const counts = async () => [
    (await list()).total,
    (await list({ term: '1' })).total,
    (await list({ site: sites[1]! })).total,
  ]
  expect(await counts()).toEqual([4, 2, 1])
  await owner.do('updateParticipant', trial, first!._id, { id: 'Z-9' })
  expect(await counts()).toEqual([4, 1, 1])
  await owner.do('addSiteMember', sites[1], first!._id)
  expect(await counts()).toEqual([4, 1, 2])
  await owner.do('updateParticipant', trial, first!._id, { isArchived: true })
  expect(await counts()).toEqual([3, 1, 1])
  await owner.do('updateParticipant', trial, first!._id, { isArchived: false })
  expect(await ids({ groupsInclude: groups[0]! })).toEqual(['Z-9', 'p-10'])
  await owner.do('deleteGroup', groups[0])
  expect(await ids({ groupsIncludeNone: true })).toEqual(['Z-9', 'P-2'])
  await owner.do('deleteSite', sites[1])
  expect(await counts()).toEqual([4, 1, 0])
  await owner.do('deleteParticipant', trial, first!._id, { reason: 'Test' })
  expect(await counts()).toEqual([3, 1, 0])
})

test('IDs are sorted by the value of their numbers, ignoring case', () => {
  const ids = ['b', 'A10', 'a9', 'a010', 'a', 'A-2', 'É', 'a10b2', 'a10b10', '2', '10']
  const sorted = ids.toSorted((a, b) => (sortId(a) < sortId(b) ? -1 : 1))
  expect(sorted).toEqual(['2', '10', 'a', 'A-2', 'a9', 'a010', 'A10', 'a10b2', 'a10b10', 'b', 'É'])
})

test('two IDs have the same sort key exactly if they differ only in case', () => {
  const id = fc.string({ unit: fc.constantFrom('a', 'A', '0', '1', '-'), minLength: 1, maxLength: 5 })
  fc.assert(fc.property(id, id, (a, b) => (sortId(a) === sortId(b)) === (a.toLowerCase() === b.toLowerCase())))
})
