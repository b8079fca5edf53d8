import { expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { erasePersonal } from '#audit/store'
import { groups, participants, permissions, sites } from '#db/tables/index'
import { newId } from '#kernel/id'
import { type World, world } from '../../harness'
import { at, enrol, write } from './logs.study'

function siteOf(w: World, trial: string, id: string) {
  const _id = newId(at)
  w.db
    .insert(sites)
    .values({ _id, createdAt: at, trial, name: `Site ${id}`, id })
    .run()
  return _id
}

function groupOf(w: World, trial: string) {
  const _id = newId(at)
  w.db.insert(groups).values({ _id, createdAt: at, trial, name: 'Arm' }).run()
  return _id
}

test('personal information is separate from the event, and shown only with the permission', async () => {
  const w = world()
  const id = w.trial()
  const north = siteOf(w, id, 'N')
  const south = siteOf(w, id, 'S')
  const anna = enrol(w, id, 'A-1', { site: north })
  const ben = enrol(w, id, 'B-1', { site: south })
  write(w, id, { type: 'updateParticipant', participant: anna, personal: { after: { name: 'Anna' } } })
  write(w, id, { type: 'updateParticipant', participant: ben, personal: { after: { name: 'Ben' } } })
  write(w, id, { type: 'listConsents', personal: { query: 'anna@example.org' } })
  const client = { address: '198.51.100.7', device: 'Phone' }
  const own = { userType: 'participant' as const, user: null, userEmail: null, address: null, device: null }
  write(w, id, { ...own, type: 'signIn', participant: anna, personal: { client } })
  const seen = async (who: Pick<World['owner'], 'get'>) => {
    const staff = (await who.get<'readLogs'>(`/trials/${id}/logs`)).entries.slice(-3).reverse()
    const { entries } = await who.get<'readLogs'>(`/trials/${id}/logs?userType=participant`)
    return [...staff.map((entry) => entry.event.personal), entries[0]?.client]
  }
  const [a, b, c] = [{ after: { name: 'Anna' } }, { after: { name: 'Ben' } }, { query: 'anna@example.org' }]
  expect(await seen(w.owner)).toEqual([a, b, c, client])
  const reader = w.staff(id, ['trial.readLogs', 'trial.read'])
  expect(await seen(reader)).toEqual([undefined, undefined, undefined, null])
  const answer = await reader.call('GET', `/trials/${id}/logs?userType=participant`)
  expect(answer.body.entries[0]).toMatchObject({ participantId: 'A-1', userEmail: null, type: 'signIn' })
  // A person with that permission at the northern site sees it there.
  const keys = ['site.readParticipantPersonalInformation']
  w.db.insert(permissions).values({ user: reader._id, trial: id, scope: north, keys }).run()
  expect(await seen(reader)).toEqual([a, undefined, undefined, client])
  erasePersonal(w.db, anna)
  expect(await seen(w.owner)).toEqual([undefined, b, c, null])
})

test('a restricted account sees only entries about its participants, or about no participant', async () => {
  const w = world()
  const id = w.trial()
  const [north, south] = [siteOf(w, id, 'N'), siteOf(w, id, 'S')]
  const group = groupOf(w, id)
  const anna = enrol(w, id, 'A-1', { site: north })
  const ben = enrol(w, id, 'B-1', { site: south })
  const cleo = enrol(w, id, 'C-1', { group })
  for (const participant of [anna, ben, cleo, null]) write(w, id, { participant })
  const ids = async (grants: [string, string[]][]) => {
    const person = w.invite()
    for (const [scope, keys] of grants)
      w.db.insert(permissions).values({ user: person._id, trial: id, scope, keys }).run()
    const json = await person.do('readLogs', id, { type: 'createGroup' })
    const { csv } = await person.do('readLogs', id, { type: 'createGroup', format: 'csv' })
    const rows = parse(csv, { columns: true }) as { participantId: string }[]
    const found = json.entries.map((entry) => entry.participantId ?? '')
    expect(rows.map(({ participantId }) => participantId)).toEqual(found)
    expect([json.page, json.nextPageAvailable]).toEqual([1, false])
    return found.reverse()
  }
  const log = ['trial.readLogs']
  expect(await ids([[id, log]])).toEqual(['A-1', 'B-1', 'C-1', ''])
  expect(
    await ids([
      [id, log],
      [north, ['site.readParticipants']],
    ]),
  ).toEqual(['A-1', ''])
  expect(
    await ids([
      [id, log],
      [north, ['site.read']],
      [group, ['group.readParticipants']],
    ]),
  ).toEqual(['A-1', 'C-1', ''])
  expect(await ids([[south, ['site.readLogs']]])).toEqual(['B-1'])
  expect(await ids([[group, ['group.readLogs', 'group.read']]])).toEqual(['C-1'])
  expect(
    await ids([
      [south, ['site.readLogs']],
      [north, ['site.readParticipants']],
    ]),
  ).toEqual([])
})

test('pages of a restricted account', async () => {
  const w = world()
  const id = w.trial()
  const north = siteOf(w, id, 'N')
  const anna = enrol(w, id, 'A-1', { site: north })
  const ben = enrol(w, id, 'B-1')
  for (let n = 0; n < 61; n++) for (const participant of [anna, ben]) write(w, id, { participant })
  const person = w.staff(id, ['site.readLogs'], north)
  for (const [page, count, next] of [
    [1, 30, true],
    [2, 30, true],
    [3, 1, false],
    [4, 0, false],
  ] as const) {
    const answer = await person.do('readLogs', id, { page })
    expect([answer.entries.length, answer.nextPageAvailable, 'total' in answer]).toEqual([count, next, false])
  }
})

test('every entry about a deleted participant keeps their ID', async () => {
  const w = world()
  const id = w.trial()
  const anna = enrol(w, id, 'A-1')
  const ben = enrol(w, id, 'B-1')
  for (const participant of [anna, ben]) write(w, id, { type: 'viewParticipant', participant })
  write(w, id, { type: 'deleteParticipant', participant: anna, event: { participantId: anna, before: { id: 'A-1' } } })
  write(w, id, { type: 'deleteParticipant', participant: ben, event: { participantId: 'B-1' } })
  w.db.delete(participants).run()
  const { entries } = await w.owner.do('readLogs', id)
  expect(entries.map((entry) => entry.participantId)).toEqual(['B-1', 'A-1', 'B-1', 'A-1'])
})
