import { describe, expect, test } from 'bun:test'
import { auditEntries } from '#db/tables/index'
import { present } from '../../present'
import { until } from '../../until'
import { people, type Query, study } from './participantList.study'

describe('filters and sorts', () => {
  const cases: [Query | ((ids: { groups: string[]; sites: string[] }) => Query), string[]][] = [
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
  test('each returns the right participants, in order, with their total', async () => {
    const { list, groups, sites } = await study(people)
    for (const [query, expected] of cases) {
      const parameters = typeof query === 'function' ? query({ groups, sites }) : query
      const { participants, total, nextPageAvailable, prevPageAvailable } = await list(parameters)
      expect([parameters, participants.map(({ id }) => id)]).toEqual([parameters, expected])
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

test('a page has 80, up to the last page and beyond', async () => {
  const { list, ids } = await study(Array.from({ length: 161 }, () => ({})))
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list({ page })))
  expect(pages.map(({ participants }) => participants.length)).toEqual([80, 80, 1, 0])
  expect(pages.map(({ nextPageAvailable }) => nextPageAvailable)).toEqual([true, true, false, false])
  expect(pages.map(({ prevPageAvailable }) => prevPageAvailable)).toEqual([false, true, true, true])
  expect(pages.map(({ total }) => total)).toEqual([161, 161, 161, 161])
  expect(await ids({ page: 2, term: 'p' })).toEqual(present(pages[1]).participants.map(({ id }) => id))
})

test('accounts restricted to a site or group see its participants only, in lists, totals and CSV', async () => {
  const { staff, trial, sites, groups, list, csv, nobody } = await study(people)
  const names = ({ participants }: { participants: { id: string }[] }) => participants.map(({ id }) => id)
  const nurse = staff(trial, ['site.read'], sites[0]!)
  const both = staff(trial, ['site.readParticipants'], sites[1]!)
  const coach = staff(trial, ['group.read'], groups[0]!)
  const typist = staff(trial, ['site.support'], sites[0]!)
  expect(names(await list({}, nurse))).toEqual(['P-1'])
  expect((await list({ includeArchived: true }, nurse)).total).toBe(2)
  expect(names(await list({ term: 'p' }, both))).toEqual(['P-2'])
  expect(names(await list({ sort: 'id' }, coach))).toEqual(['P-1', 'p-10'])
  expect((await csv({ includeArchived: true }, nurse)).match(/^(P-1|Old),/gm)).toEqual(['P-1,', 'Old,'])
  expect((await typist.call('GET', `/trials/${trial}/participants`)).status).toBe(403)
  expect((await nobody.call('GET', `/trials/${trial}/participants`)).status).toBe(401)
})

test('the CSV has the whole filtered list, personal columns only with the permission, and is logged', async () => {
  const rows = Array.from({ length: 300 }, (_, n) => ({ name: `Name "${n}", =1+1`, sitesAt: [n % 2] }))
  const { owner, csv, staff, trial, db, sites } = await study([
    ...rows,
    { id: '=SUM(A1)', groupsAt: [0], createdAt: 9e14 },
  ])
  const whole = await csv({ page: 2, sort: 'id' })
  const lines = whole.trimEnd().split('\r\n')
  expect(lines[0]).toBe(
    'participantId,_id,createdAt,lastSeenAt,sites,groups,isUnallocated,isArchived,isWithdrawn,ratioComplete,stagesBehindSchedule,timezone,name,dob,email,phone,whatsapp',
  )
  expect(lines).toHaveLength(302)
  expect(lines[1]).toStartWith("'=SUM(A1),")
  expect(lines[1]).toContain(',Arm 1,false,false,false,0,0,')
  expect(lines[3]).toMatch(/^P-1,.*,PAR,.*"Name ""1"", =1\+1",,,,$/)
  const reader = staff(trial, ['trial.read'])
  expect(await csv({}, reader)).not.toContain('Name')
  const mixed = staff(trial, ['trial.readParticipants'])
  db.$client
    .query('INSERT INTO permissions VALUES (?, ?, ?, ?)')
    .run(mixed._id, trial, sites[0]!, '["site.readParticipantPersonalInformation"]')
  expect((await csv({}, mixed)).match(/Name ""/g)).toHaveLength(150)
  const entries = db
    .select()
    .from(auditEntries)
    .all()
    .filter(({ type }) => type === 'exportParticipants')
  expect(entries[0]).toMatchObject({ user: owner._id, event: { format: 'csv', filters: { sort: 'id' } } })
  expect(entries).toHaveLength(3)
})

test('a client who does not read its csv keeps nobody from emptying the write-ahead log', async () => {
  const many = Array.from({ length: 300 }, (_, at) => ({ id: `P-${at}`, name: 'x'.repeat(2_000) }))
  const { service, owner, trial, db } = await study(many)
  const url = `http://localhost/trials/${trial}/participants?format=csv`
  const response = await service.handle(new Request(url, { headers: owner.credentials }), null)
  const reader = response.body!.getReader()
  await reader.read()
  await owner.do('createGroup', trial, { name: 'New' })
  const emptied = () => db.$client.query<{ busy: number }, []>('PRAGMA wal_checkpoint(TRUNCATE)').get()!.busy === 0
  await until(emptied)
  await reader.cancel()
})
