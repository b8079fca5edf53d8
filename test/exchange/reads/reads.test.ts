/** Who read what about whom: the rows of the trail, who may list them, and what a participant sees. */
import { expect, test } from 'bun:test'
import { permissions, sites } from '#db/tables/index'
import { newId } from '#kernel/id'
import { MINUTE, parseInstant } from '#kernel/time'
import type { Person } from '../../harness'
import { firstOf, present } from '../../present'
import { type Study, study } from '../../study'

const readsIn = async (s: Study, query = '', by: Person = s.owner) =>
  (await by.get<'listReads'>(`/trials/${s.trial}/reads${query}` as `/trials/${string}/reads`)).reads

/** The reads by operation, oldest first, without those of the trail itself. */
const operationsIn = async (s: Study, query = '') =>
  (await readsIn(s, query))
    .map(({ operation }) => operation)
    .filter((each) => each !== 'listReads')
    .reverse()

test('a read of a participant leaves one row with who, when, from where, what and whom', async () => {
  const s = await study()
  const nurse = s.staff(s.trial, ['trial.readParticipants', 'trial.readParticipantStudyData'])
  await nurse.do('readParticipantResponses', s.trial, s.anna)
  const own = await readsIn(s, `?user=${nurse._id}`)
  expect(own).toEqual([
    {
      number: 1,
      createdAt: s.now(),
      operation: 'readParticipantResponses',
      user: nurse._id,
      userEmail: nurse.email,
      apiToken: expect.stringMatching(/^[0-9a-f]{24}$/),
      address: expect.any(String),
      participants: [{ _id: s.anna, participantId: 'P-1' }],
      isFilter: false,
    },
  ])
})

test('an account, an operation and a participant have one row in 15 minutes', async () => {
  const s = await study()
  for (let n = 0; n < 3; n++) await s.owner.do('readParticipantResponses', s.trial, s.anna)
  await s.owner.do('readParticipantResponses', s.trial, s.bert)
  expect(await operationsIn(s)).toEqual(['readParticipantResponses', 'readParticipantResponses'])
  s.clock(14 * MINUTE)
  await s.owner.do('readParticipantResponses', s.trial, s.anna)
  expect(await operationsIn(s)).toHaveLength(2)
  s.clock(MINUTE)
  await s.owner.do('readParticipantResponses', s.trial, s.anna)
  expect(await operationsIn(s)).toHaveLength(3)
})

test('a list names all of its page; an export is all of a filter, without what was searched for', async () => {
  const s = await study()
  await s.owner.do('listParticipants', s.trial)
  const list = firstOf(await readsIn(s))
  expect(list).toMatchObject({ operation: 'listParticipants', isFilter: false })
  expect(list.participants.map(({ participantId }) => participantId).sort()).toEqual(['P-1', 'P-10', 'P-2'])
  await s.owner.do('listParticipants', s.trial, { term: 'P-1', format: 'csv' })
  const all = firstOf(await readsIn(s, '?operation=listParticipants'))
  expect(all).toMatchObject({ isFilter: true, filter: { format: 'csv' }, participants: [] })
  expect(all.filter).not.toHaveProperty('term')
  await s.owner.do('exportStudyRecord', s.trial)
  expect(await operationsIn(s)).toEqual(['listParticipants', 'listParticipants', 'exportStudyRecord'])
})

test('what a participant reads of their own, and what is refused, leaves no row', async () => {
  const s = await study()
  const anna = await s.signIn('P-1')
  await anna.do('readOwnParticipant')
  const stranger = s.staff(s.trial, ['trial.readLogs'])
  expect((await stranger.call('GET', `/trials/${s.trial}/participants/${s.anna}`)).status).toBe(403)
  expect((await s.owner.call('GET', `/trials/${s.trial}/participants/${newId(1)}/notes`)).status).toBe(404)
  expect(await operationsIn(s)).toEqual([])
})

test('rows are found by account, participant, operation and day, page by page', async () => {
  const s = await study()
  const nurse = s.staff(s.trial, ['trial.readParticipants'])
  await nurse.do('readParticipant', s.trial, s.anna)
  await s.owner.do('listParticipants', s.trial)
  await s.owner.do('listNotes', s.trial, s.bert)
  s.clock('2026-03-04T10:00:00Z')
  await s.owner.do('listNotes', s.trial, s.anna)
  expect(await operationsIn(s, `?user=${nurse._id}`)).toEqual(['readParticipant'])
  expect(await operationsIn(s, `?participant=${s.anna}`)).toEqual(['readParticipant', 'listParticipants', 'listNotes'])
  expect(await operationsIn(s, `?participant=${s.bert}`)).toEqual(['listParticipants', 'listNotes'])
  expect(await operationsIn(s, '?operation=listNotes')).toEqual(['listNotes', 'listNotes'])
  expect(await operationsIn(s, '?to=2026-03-02')).toEqual(['readParticipant', 'listParticipants', 'listNotes'])
  expect(await operationsIn(s, '?from=2026-03-03')).toEqual(['listNotes'])
  expect(await operationsIn(s, '?from=2026-03-05')).toEqual([])
  expect(await operationsIn(s, `?participant=${s.anna}&from=2026-03-03&to=2026-03-04`)).toEqual(['listNotes'])
  for (let n = 0; n < 40; n++) {
    s.clock(15 * MINUTE)
    await s.owner.do('listNotes', s.trial, s.bert)
  }
  const first = await s.owner.do('listReads', s.trial, { operation: 'listNotes' })
  const second = await s.owner.do('listReads', s.trial, { operation: 'listNotes', page: 2 })
  expect([first.reads.length, first.nextPageAvailable]).toEqual([30, true])
  expect([second.reads.length, second.nextPageAvailable]).toEqual([12, false])
  for (const query of ['page=0', 'page=x', 'participant=nobody', 'from=yesterday', 'to=2026-02-30'])
    expect([query, (await s.owner.call('GET', `/trials/${s.trial}/reads?${query}`)).status]).toEqual([query, 422])
})

test('a reader of the log who is limited to a site gets the rows of its participants, and nobody else of them', async () => {
  const s = await study()
  const site = newId(1)
  s.db
    .insert(sites)
    .values({ _id: site, createdAt: present(parseInstant(s.now())), trial: s.trial, name: 'North', id: 'N' })
    .run()
  await s.owner.do('addSiteMember', site, s.anna)
  await s.owner.do('listParticipants', s.trial)
  await s.owner.do('listNotes', s.trial, s.bert)
  await s.owner.do('exportResponses', s.trial)
  const reader = s.staff(s.trial, ['site.readLogs', 'site.readParticipants'], site)
  const rows = (await reader.do('listReads', s.trial)).reads
  expect(rows.map(({ operation, participants }) => [operation, participants])).toEqual([
    ['listParticipants', [{ _id: s.anna, participantId: 'P-1' }]],
  ])
  const blind = s.staff(s.trial, ['trial.readParticipants'])
  expect((await blind.call('GET', `/trials/${s.trial}/reads`)).status).toBe(403)
  expect((await s.neighbours().owner.call('GET', `/trials/${s.trial}/reads`)).status).toBe(404)
  s.db.delete(permissions).run()
})

test('a participant sees who read about them, if the trial shows it', async () => {
  const s = await study()
  const nurse = s.staff(s.trial, ['trial.readParticipants'])
  await nurse.do('readParticipant', s.trial, s.anna)
  await s.owner.do('listNotes', s.trial, s.bert)
  const anna = await s.signIn('P-1')
  expect((await anna.call('GET', '/participants/me/reads')).status).toBe(403)
  await s.owner.do('updateTrial', s.trial, { showsReads: true })
  const name = expect.stringMatching(/^Person \d+$/)
  expect(await anna.do('listOwnReads')).toEqual({
    reads: [{ createdAt: s.now(), operation: 'readParticipant', name, isFilter: false }],
    page: 1,
    nextPageAvailable: false,
  })
  expect((await anna.do('listOwnReads', { from: '2026-03-03' })).reads).toEqual([])
  expect((await s.owner.call('GET', '/participants/me/reads')).status).toBe(401)
})

test('a download of a file of a participant is a read of whoever was offered the link', async () => {
  const s = await study()
  const query = 'name=a.pdf&size=3&type=application/pdf&forType=participant'
  const { signedRequestURL, fileName } = await s.owner.get<'requestFileUpload'>(
    `/uploads/file/request?${query}&forId=${s.anna}`,
  )
  await s.fetch(signedRequestURL, { method: 'PUT', body: 'abc', headers: { 'Content-Type': 'application/pdf' } })
  await s.owner.put<'enterResponse'>(s.url(), { response: { [s.ids.letter!]: { value: { fileName, name: 'a.pdf' } } } })
  const links = (await s.owner.call('GET', `/trials/${s.trial}/participants/${s.anna}/responses`)).body
  const url = present(/http:[^"]+\/storage\/[^"]+/.exec(JSON.stringify(links))?.[0])
  expect(url).toContain(`reader=${s.owner._id}`)
  expect((await s.fetch(url)).status).toBe(200)
  expect((await s.fetch(url.replace('reader=', 'reader=0'))).status).toBe(403)
  expect(firstOf(await readsIn(s, '?operation=downloadFile'))).toMatchObject({
    user: s.owner._id,
    userEmail: s.owner.email,
    participants: [{ _id: s.anna }],
  })
  const anna = await s.signIn('P-1')
  const own = JSON.stringify((await anna.call('GET', `/participants/trials/${s.trial}/stages/${s.stage}`)).body)
  const ownUrl = /http:[^"]+\/storage\/[^"]+/.exec(own)?.[0]
  if (ownUrl !== undefined) expect((await s.fetch(ownUrl)).status).toBe(200)
  expect(await readsIn(s, '?operation=downloadFile')).toHaveLength(1)
})

test('the calendar of a member of staff is a read, that of a participant is none', async () => {
  const s = await study()
  const { url } = await s.owner.do('createCalendarLink', s.trial)
  const ask = (link: string) => s.service.calendar(new Request(link), '192.0.2.9')
  expect((await ask(url)).status).toBe(200)
  expect(firstOf(await readsIn(s, '?operation=readCalendar'))).toMatchObject({
    user: s.owner._id,
    address: '192.0.2.9',
  })
  const anna = await s.signIn('P-1')
  const own = await anna.do('createOwnCalendarLink')
  expect((await ask(own.url)).status).toBe(200)
  expect(await readsIn(s, '?operation=readCalendar')).toHaveLength(1)
})

test('only an admin says how long the rows are kept, and whether participants see them', async () => {
  const s = await study()
  const writer = s.staff(s.trial, ['trial.write'])
  for (const change of [{ readsKept: 1 }, { showsReads: true }]) {
    const refused = await writer.call('PUT', `/trials/${s.trial}`, change)
    expect([refused.status, refused.body.details?.needs]).toEqual([403, ['trial.admin']])
  }
  expect(await writer.do('updateTrial', s.trial, { readsKept: 6 })).toMatchObject({ readsKept: 6 }) // as it is: no change
  const admin = s.staff(s.trial, ['trial.admin'])
  expect(await admin.do('updateTrial', s.trial, { readsKept: 10, showsReads: true })).toMatchObject({ readsKept: 10 })
})
