import { expect, test } from 'bun:test'
import { sharedInFile } from '../../harness'
import { firstOf } from '../../present'
import { study } from './participants.study'

test('viewing a participant is logged', async () => {
  const { owner, at, anna, entries, trial } = await study()
  expect(await owner.get<'readParticipant'>(at)).toEqual(anna)
  expect(entries('viewParticipant')).toMatchObject([{ participant: anna._id, userEmail: 'owner@example.org' }])
  await owner.do('listParticipants', trial)
  expect(entries('viewParticipant')).toHaveLength(1)
})

test('every field can be changed or cleared with null; the log keeps personal values separate', async () => {
  const { owner, at, anna, entries } = await study()
  const change = {
    id: 'A-2',
    name: 'Anna Muster',
    email: 'anna@example.org',
    phone: '+44 7700 900123',
    whatsapp: '+49 30 123456',
    dob: '1980-02-29',
    timezone: 'Europe/Berlin',
    isUnallocated: true,
    allocatedReason: 'Wait and see',
    isArchived: true,
    isWithdrawn: true,
  }
  const after = await owner.put<'updateParticipant'>(at, change)
  expect(after).toEqual({ ...anna, ...change, emailAvailable: true, smsAvailable: true, whatsappAvailable: true })
  // A client may send back what a GET returned; other memberships are refused, since other operations set them.
  expect(await owner.call('PUT', at, after)).toMatchObject({ status: 200, body: after })
  const refused = await owner.call('PUT', at, { ...after, groups: ['another'], sites: ['another'] })
  expect(refused.body.details.fields).toEqual({
    groups: expect.stringContaining('PATCH /trials/:trialId/participants'),
    sites: expect.stringContaining('PATCH /trials/:trialId/participants'),
  })
  const [entry] = entries('updateParticipant')
  expect(entry).toMatchObject({ participant: anna._id, event: { before: { id: 'A-1' }, after: { id: 'A-2' } } })
  expect(JSON.stringify(entry!.event)).not.toContain('Anna')
  expect(entry!.personal).toContain('Anna Muster')
  const cleared = { name: null, email: null, phone: null, whatsapp: null, dob: null, timezone: null }
  expect(await owner.put<'updateParticipant'>(at, cleared)).toMatchObject({
    ...cleared,
    emailAvailable: false,
    smsAvailable: false,
  })
  expect(await owner.put<'updateParticipant'>(at, { password: 'new' })).toMatchObject({ passwordSet: true })
  expect(await owner.put<'updateParticipant'>(at, { password: '' })).toMatchObject({ passwordSet: false })
  expect(JSON.stringify(entries())).not.toContain('"new"')
})

const shared = sharedInFile(() => study())

test.each([
  [{ id: '' }, 'id'],
  [{ id: 'a ' }, 'id'],
  [{ email: 'nobody' }, 'email'],
  [{ phone: '12' }, 'phone'],
  [{ phone: '0770 900123' }, 'phone'],
  [{ whatsapp: '+1' }, 'whatsapp'],
  [{ dob: '2026-03-03' }, 'dob'],
  [{ dob: '1980-02-30' }, 'dob'],
  [{ timezone: 'Mars/Base' }, 'timezone'],
  [{ isArchived: 'yes' }, 'isArchived'],
  [{ password: 'x'.repeat(201) }, 'password'],
  [{ colour: 'red' }, 'colour'],
])('refuses the change %j and changes nothing', async (change, field) => {
  const { owner, at, anna } = await shared()
  const { status, body } = await owner.call('PUT', at, { allocatedReason: 'no', ...change })
  expect(status).toBe(422)
  expect(Object.keys(body.validations.json)).toEqual([field])
  expect(await owner.get<'readParticipant'>(at)).toEqual(anna)
})

test('a participant may be born today', async () => {
  const { owner, at } = await study()
  expect((await owner.put<'updateParticipant'>(at, { dob: '2026-03-02' })).dob).toBe('2026-03-02')
})

test('an ID in use is refused; the case of an ID can be changed', async () => {
  const { owner, at, trial } = await study()
  await owner.do('registerParticipants', trial, { participantId: 'B-1' })
  expect((await owner.call('PUT', at, { id: 'b-1' })).status).toBe(400)
  expect((await owner.put<'updateParticipant'>(at, { id: 'a-1' })).id).toBe('a-1')
})

const fields = [
  ['writeParticipants', { id: 'N' }],
  ['writeParticipants', { password: 'N' }],
  ['writeParticipants', { name: 'N' }],
  ['writeParticipants', { email: 'n@example.org' }],
  ['writeParticipants', { phone: null }],
  ['writeParticipants', { whatsapp: null }],
  ['writeParticipants', { dob: null }],
  ['writeParticipants', { timezone: 'UTC' }],
  ['allocateParticipants', { isUnallocated: true }],
  ['allocateParticipants', { allocatedReason: 'N' }],
  ['archiveParticipants', { isArchived: true }],
  ['withdrawParticipants', { isWithdrawn: true }],
] as const

test.each(fields)('a person with %s may change %j and nothing else', async (key, change) => {
  const { staff, trial, at, owner, entries } = await study()
  const person = staff(trial, [`trial.${key}`])
  const others = ['write', 'allocate', 'archive', 'withdraw'].filter((verb) => !key.startsWith(verb))
  for (const verb of others) {
    const other = staff(trial, [`trial.${verb}Participants`])
    expect((await other.call('PUT', at, change)).status).toBe(403)
  }
  expect(entries('accessRefused')).toHaveLength(3)
  expect((await person.call('PUT', at, change)).status).toBe(200)
  const foreign = fields.find(([other]) => other !== key)![1]
  const before = await owner.get<'readParticipant'>(at)
  expect((await person.call('PUT', at, { ...foreign, ...change })).status).toBe(403)
  expect(await owner.get<'readParticipant'>(at)).toEqual(before)
})

test('personal information is shown only to people with the permission for this participant', async () => {
  const { staff, owner, trial, at, site, anna } = await study()
  await owner.put<'updateParticipant'>(at, { name: 'Anna', email: 'anna@example.org' })
  const personal = ['name', 'dob', 'email', 'phone', 'whatsapp']
  const reader = staff(trial, ['trial.write'])
  const views = [
    await reader.get<'readParticipant'>(at),
    firstOf((await reader.do('listParticipants', trial)).participants),
    await reader.put<'updateParticipant'>(at, { name: 'Anne' }),
  ]
  for (const each of views) for (const field of personal) expect(each).not.toHaveProperty(field)
  expect(firstOf(views).emailAvailable).toBe(true)
  const nurse = staff(trial, ['site.read', 'site.readParticipantPersonalInformation'], site._id)
  expect((await nurse.call('GET', at)).status).toBe(404)
  await owner.do('addSiteMember', site._id, anna._id)
  expect((await nurse.get<'readParticipant'>(at)).name).toBe('Anne')
  expect((await nurse.do('listParticipants', trial)).participants).toMatchObject([{ name: 'Anne' }])
})

test('a participant of another trial, team or site is 404', async () => {
  const { staff, owner, trial, at, anna, neighbours, site } = await study()
  const elsewhere = `/trials/${'a'.repeat(24)}/participants/${anna._id}`
  const nurse = staff(trial, ['site.write'], site._id)
  for (const [person, path] of [
    [neighbours().owner, at],
    [owner, elsewhere],
    [nurse, at],
  ] as const) {
    expect((await person.call('GET', path)).status).toBe(404)
    expect((await person.call('PUT', path, { isArchived: true })).status).toBe(404)
    expect((await person.call('DELETE', path, { reason: 'x' })).status).toBe(404)
  }
  expect((await staff(trial, ['trial.readTasks']).call('GET', at)).status).toBe(403)
})

test('a participant is found through their own trial only', async () => {
  const { owner, anna, otherTrial } = await study()
  expect((await owner.call('GET', `/trials/${otherTrial()}/participants/${anna._id}`)).status).toBe(404)
})

test('a locked database refuses every change', async () => {
  const { owner, at, url, anna, db } = await study()
  db.$client.run('UPDATE trials SET isDatabaseLocked = 1')
  const updates = [{ participant: anna._id, isArchived: true }]
  expect((await owner.call('PUT', at, { isArchived: true })).status).toBe(403)
  expect((await owner.call('PATCH', url, { updates })).status).toBe(403)
  expect((await owner.call('DELETE', at, { reason: 'x' })).status).toBe(403)
  expect((await owner.call('DELETE', url, { participants: [anna._id], reason: 'x' })).status).toBe(403)
  expect((await owner.get<'readParticipant'>(at)).isArchived).toBe(false)
  expect((await owner.call('POST', `${at}/grants`, {})).status).toBe(200)
})

test('an empty change is refused without the permission to change participants', async () => {
  const { staff, trial, at, url, anna } = await study()
  const typist = staff(trial, ['trial.support'])
  expect((await typist.call('PUT', at, {})).status).toBe(403)
  expect((await typist.call('PATCH', url, { updates: [{ participant: anna._id }] })).status).toBe(403)
})
