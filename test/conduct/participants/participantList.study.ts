/** Participants who differ in every field that lists are filtered and sorted by. */
import fc from 'fast-check'
import { sortId } from '#conduct/participants/rules'
import { participantGroups, participantSites, participants } from '#db/tables/index'
import { newId } from '#kernel/id'
import { world } from '../../harness'

export type Row = typeof participants.$inferInsert & { groups: string[]; sites: string[] }

/** A trial with two sites, three groups and these participants, inserted directly into the database. */
export async function study(rows: Partial<Row & { groupsAt: number[]; sitesAt: number[] }>[]) {
  const all = world()
  const trial = all.trial()
  const groups: string[] = []
  const sites: string[] = []
  for (const name of ['Arm 1', 'Arm 2', 'Arm 3']) groups.push((await all.owner.do('createGroup', trial, { name }))._id)
  for (const id of ['BER', 'PAR']) sites.push((await all.owner.do('createSite', trial, { name: id, id }))._id)
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
  const url = (query: Query) =>
    `/trials/${trial}/participants?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])))}` as const
  const list = (query: Query = {}, person: typeof all.nobody = all.owner) =>
    person.get<'listParticipants'>(`${url(query)}&format=json`)
  const csv = async (query: Query = {}, person: typeof all.nobody = all.owner) =>
    (await person.get(`${url(query)}&format=csv`)).csv
  const ids = async (query: Query = {}) => (await list(query)).participants.map(({ id }) => id)
  return { ...all, trial, groups, sites, known, list, csv, ids }
}

export type Query = Record<string, string | number | boolean | undefined>

export const people = [
  { id: 'P-1', groupsAt: [0], sitesAt: [0], joinedAt: 5, lastSeenAt: 50, ratioComplete: 0.5 },
  { id: 'p-10', groupsAt: [0, 1], joinedAt: 6, lastSeenAt: 40, isUnallocated: true, stagesBehindSchedule: 2 },
  { id: 'P-2', sitesAt: [1], isWithdrawn: true, unreadCount: 3, lastMessageAt: 9, ratioComplete: 1 },
  { id: 'a%b_c', groupsAt: [2], isUnallocated: true },
  { id: 'Old', isArchived: true, groupsAt: [0], sitesAt: [0], joinedAt: 1, lastSeenAt: 60 },
]

export const person = fc.record({
  id: fc.string({ unit: fc.constantFrom('a', 'B', 'É', '0', '1', '7', '_', '%', '-'), minLength: 1, maxLength: 6 }),
  createdAt: fc.nat(5),
  lastSeenAt: fc.option(fc.nat(5), { nil: null }),
  joinedAt: fc.option(fc.nat(5), { nil: null }),
  ratioComplete: fc.constantFrom(0, 0.25, 1),
  stagesBehindSchedule: fc.nat(2),
  unreadCount: fc.nat(1),
  lastMessageAt: fc.nat(3),
  isUnallocated: fc.boolean(),
  isArchived: fc.boolean(),
  isWithdrawn: fc.boolean(),
  groupsAt: fc.uniqueArray(fc.nat(2)),
  sitesAt: fc.uniqueArray(fc.nat(1)),
})

export const sorts = ['createdAt', 'id', 'lastSeenAt', 'ratioComplete', 'hasUnreadMessages'] as const
export type Sort = (typeof sorts)[number]

/**
 * A simple sort to compare with: participants who never signed in come last in both directions; ties are sorted by `_id`. By
 * unread messages, those who have none are before the others, and within each of the two who wrote last comes last.
 */
export function inOrder(sort: Sort, descending: boolean) {
  const key = (row: Row) => {
    if (sort === 'hasUnreadMessages') return (row.unreadCount ? 1e6 : 0) + (row.lastMessageAt ?? 0)
    return sort === 'id' ? row.idSort : (row[sort] ?? null)
  }
  const compare = (a: unknown, b: unknown) => (a === b ? 0 : (a as number) < (b as number) ? -1 : 1)
  return (a: Row, b: Row) => {
    const [x, y] = [key(a), key(b)]
    if ((x === null) !== (y === null)) return x === null ? 1 : -1
    return (compare(x, y) || compare(a._id, b._id)) * (descending ? -1 : 1)
  }
}
