/** Acts that wait for a second person (docs/permissions.md, "A second person"). */
import { describe, expect, test } from 'bun:test'
import { problemsIn } from '#cli/checks'
import { DAY, HOUR } from '#kernel/time'
import { PASSWORD } from '../../harness'
import { randomisedStudy } from '../../office/randomisation/randomisation.study'
import { firstOf } from '../../present'

const reason = 'As the plan says'
const missing = '0'.repeat(24)

async function world(secondPerson: string[] = ['unlocking', 'unblinding', 'erasure']) {
  const s = await randomisedStudy()
  const at = `/trials/${s.trial}` as const
  const admin = await s.confirmed(['trial.admin'])
  const other = await s.confirmed(['trial.admin'])
  await admin.do('updateTrial', s.trial, { secondPerson })
  const listed = `${at}/second-requests` as const
  const open = async () => (await s.owner.do('listSecondRequests', s.trial)).requests
  const only = async () => firstOf(await open())
  const again = async (who: { _id: string; email: string }) => {
    const app = await s.signIn(who)
    await app.do('confirmIdentity', { password: PASSWORD })
    return app
  }
  const confirm = (by: Pick<typeof admin, 'call'>, _id: string) => by.call('POST', `${listed}/${_id}/confirmation`)
  const first = s.person(1)
  const person = `${at}/participants/${first}` as const
  const withdrawn = async () => {
    await s.owner.do('updateParticipant', s.trial, first, { name: 'Ann Quux', isWithdrawn: true })
    return s.owner.do('erasePersonalInformation', s.trial, first, { reason })
  }
  const nameOf = async () => (await s.owner.do('readParticipant', s.trial, first)).name
  const mails = () =>
    s.db.$client.query(`SELECT recipient FROM outbox WHERE subject LIKE 'A second person%'`).all() as {
      recipient: string
    }[]
  const logged = async (type: string) => (await s.owner.do('readLogs', s.trial, { type })).entries
  return {
    ...s,
    people: s.person,
    at,
    admin,
    other,
    listed,
    open,
    only,
    again,
    confirm,
    first,
    person,
    withdrawn,
    nameOf,
    mails,
    logged,
  }
}

describe('an erasure', () => {
  test('waits, is told to the other admins, and is performed by the confirmation of another', async () => {
    const w = await world()
    expect(await w.withdrawn()).toEqual({ erasedAt: null })
    expect(await w.nameOf()).toBe('Ann Quux')
    const request = await w.only()
    expect(request).toEqual({
      _id: expect.any(String),
      createdAt: expect.any(String),
      ...{ act: 'erasure', subject: w.first, participant: w.first, reason, locks: [], secondPerson: null },
      ...{ askedBy: w.owner._id, askedByEmail: w.owner.email, apiKey: expect.any(String) },
      expiresAt: expect.any(String),
    })
    expect(new Set(w.mails().map(({ recipient }) => recipient))).toEqual(new Set([w.admin.email, w.other.email]))
    expect(w.mails()).toHaveLength(2)
    expect(await w.logged('askForSecondPerson')).toMatchObject([
      { event: { act: 'erasure', reason }, participantId: 'R-1' },
    ])
    expect(await w.confirm(w.other, request._id)).toMatchObject({ status: 200, body: {} })
    expect(await w.nameOf()).toBeNull()
    expect(await w.logged('erasePersonalInformation')).toMatchObject([
      { userEmail: w.other.email, event: { reason, askedBy: w.owner._id } },
    ])
    expect(await w.logged('confirmSecondRequest')).toMatchObject([{ event: { request: request._id } }])
    expect((await w.confirm(w.other, request._id)).status).toBe(404)
    w.service.flush()
    expect(problemsIn(w.db.$client)).toEqual([])
  })

  test('is at once where the setting does not name it', async () => {
    const w = await world(['unlocking'])
    expect((await w.withdrawn()).erasedAt).not.toBeNull()
    expect(await w.open()).toEqual([])
  })

  test('is confirmed neither by whoever asked, nor with a key, nor without the permission', async () => {
    const w = await world()
    await w.withdrawn()
    const { _id } = await w.only()
    expect((await w.confirm(await w.again(w.owner), _id)).status).toBe(400)
    expect((await w.confirm(w.owner, _id)).body.details.code).toBe('reauth')
    const key = w.staff(w.trial, ['trial.admin'])
    expect((await w.confirm(key, _id)).body.details.code).toBe('reauth')
    for (const [words, status] of [
      [['trial.write'], 403],
      [['trial.lockDatabase'], 404],
    ] as const) {
      const nurse = await w.confirmed([...words])
      expect((await w.confirm(nurse, _id)).status).toBe(status)
      expect((await nurse.call('DELETE', `${w.listed}/${_id}`)).status).toBe(status)
    }
    const locker = await w.confirmed(['trial.lockDatabase'])
    expect((await locker.get<'listSecondRequests'>(w.listed)).requests).toEqual([])
    const stranger = await w.confirmed([])
    expect((await stranger.call('GET', w.listed)).status).toBe(404)
    expect((await w.confirm(stranger, _id)).status).toBe(404)
    expect((await w.confirm(w.other, missing)).status).toBe(404)
    expect(await w.nameOf()).toBe('Ann Quux')
    expect(await w.open()).toHaveLength(1)
  })

  test('is done once by two confirmations at once', async () => {
    const w = await world()
    await w.withdrawn()
    const { _id } = await w.only()
    const statuses = (await Promise.all([w.confirm(w.admin, _id), w.confirm(w.other, _id)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 404])
    expect(await w.logged('erasePersonalInformation')).toHaveLength(1)
  })

  test('is done and told once by one confirmation that is sent twice at once, with one Idempotency-Key', async () => {
    const w = await world()
    await w.owner.do('createWebhook', w.trial, {
      ...{ name: 'Hub', url: 'https://hub.example.org/x', events: ['participant.erased'] },
    })
    await w.withdrawn()
    const { _id } = await w.only()
    const headers = { 'Idempotency-Key': 'once' }
    const send = () => w.other.call('POST', `${w.listed}/${_id}/confirmation`, undefined, { headers })
    const answers = [...(await Promise.all([send(), send(), send()])), await send()]
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(4).fill([200, {}]))
    expect(await w.logged('erasePersonalInformation')).toHaveLength(1)
    await w.service.services.tick()
    expect(w.db.$client.query('SELECT event FROM webhookDeliveries').all()).toEqual([{ event: 'participant.erased' }])
  })

  test('is refused while the database was locked in between, and after a change of the participant', async () => {
    const w = await world()
    await w.withdrawn()
    const { _id } = await w.only()
    const lock = { databaseLockJustification: 'The data are complete.' }
    await w.admin.do('updateTrial', w.trial, { isDatabaseLocked: true, ...lock })
    expect((await w.confirm(w.other, _id)).status).toBe(403)
    await w.admin.do('updateTrial', w.trial, { isDatabaseLocked: false, ...lock })
    const unlocking = (await w.open()).find(({ act }) => act === 'unlocking')!
    expect((await w.confirm(w.other, unlocking._id)).status).toBe(200)
    await w.owner.put<'updateParticipant'>(w.person, { isWithdrawn: false })
    expect((await w.confirm(w.other, _id)).status).toBe(409)
    expect(await w.nameOf()).toBe('Ann Quux')
  })

  test('cannot be confirmed after seven days, and is asked for again', async () => {
    const w = await world()
    await w.withdrawn()
    const { _id } = await w.only()
    expect((await w.owner.call('POST', `${w.person}/erasure`, { reason })).status).toBe(409)
    w.clock(7 * DAY - HOUR)
    expect(await w.open()).toHaveLength(1)
    w.clock(HOUR)
    expect(await w.open()).toEqual([])
    expect((await w.confirm(await w.again(w.other), _id)).status).toBe(404)
    expect(await w.owner.post<'erasePersonalInformation'>(`${w.person}/erasure`, { reason })).toEqual({
      erasedAt: null,
    })
    expect(await w.open()).toHaveLength(1)
  })

  test.each(['withdraw', 'refuse'] as const)('is ended by %s', async (how) => {
    const w = await world()
    await w.withdrawn()
    const { _id } = await w.only()
    const by = how === 'withdraw' ? w.owner : w.other
    expect((await by.call('DELETE', `${w.listed}/${_id}`)).body).toEqual({})
    expect(await w.logged(`${how}SecondRequest`)).toMatchObject([{ event: { request: _id }, userEmail: by.email }])
    expect((await w.confirm(w.other, _id)).status).toBe(404)
    expect(await w.nameOf()).toBe('Ann Quux')
  })

  test('is refused if whoever asked has lost the permission', async () => {
    const w = await world()
    await w.owner.put<'updateParticipant'>(w.person, { isWithdrawn: true })
    await w.admin.post<'erasePersonalInformation'>(`${w.person}/erasure`, { reason })
    w.db.$client.run('DELETE FROM permissions WHERE user = ?', [w.admin._id])
    expect((await w.confirm(w.other, (await w.only())._id)).status).toBe(409)
  })
})

test('unlocking waits, alone, and leaves the trial locked', async () => {
  const w = await world()
  const lock = { isLocked: true, lockJustification: 'The forms are final.' }
  await w.admin.do('updateTrial', w.trial, lock)
  const off = { isLocked: false, lockJustification: 'A form is wrong.' }
  expect((await w.admin.call('PUT', w.at, { ...off, isArchived: true })).status).toBe(400)
  expect(await w.admin.do('updateTrial', w.trial, off)).toMatchObject(lock)
  const request = await w.only()
  expect(request).toMatchObject({ act: 'unlocking', locks: ['isLocked'], reason: off.lockJustification })
  const locker = await w.confirmed(['trial.lockDatabase'])
  expect((await w.confirm(locker, request._id)).status).toBe(404)
  expect((await w.confirm(w.other, request._id)).status).toBe(200)
  expect(await w.owner.do('readTrial', w.trial)).toMatchObject(off)
  expect(await w.logged('unlockTrial')).toMatchObject([
    { event: { justification: off.lockJustification, askedBy: w.admin._id } },
  ])
})

test('the study is unblinded by two, and one participant in an emergency by one', async () => {
  const w = await world()
  const _id = await w.sealed()
  const { _id: allocation } = (await w.allocate(_id, w.first)).body
  await w.owner.do('closeRandomisation', _id)
  expect((await w.admin.do('unblindRandomisation', _id, { reason })).unblindedAt).toBeNull()
  const emergency = { participantId: 'R-1', reason: 'An emergency.' }
  const one = await w.admin.call('POST', `/randomisations/${_id}/allocations/${allocation}/unblinding`, emergency)
  expect(one.status).toBe(200)
  expect((await w.confirm(w.other, (await w.only())._id)).status).toBe(200)
  expect((await w.owner.do('readRandomisation', _id)).unblindedAt).not.toBeNull()
  expect(await w.logged('unblindRandomisation')).toMatchObject([{ event: { reason, askedBy: w.admin._id } }])
})

describe('the setting', () => {
  test('needs a fresh confirmation and trial.admin; an act is added by one and taken out by two', async () => {
    const w = await world([])
    expect((await w.owner.call('PUT', w.at, { secondPerson: ['erasure'] })).body.details.code).toBe('reauth')
    const writer = await w.confirmed(['trial.write'])
    expect((await writer.call('PUT', w.at, { secondPerson: ['erasure'] })).status).toBe(403)
    const both = ['erasure', 'unblinding']
    expect((await w.admin.do('updateTrial', w.trial, { secondPerson: both })).secondPerson).toEqual([
      'erasure',
      'unblinding',
    ])
    expect((await w.admin.call('PUT', w.at, { secondPerson: ['erasure'], name: 'Another' })).status).toBe(400)
    // One act for another is taking out, too.
    expect((await w.admin.do('updateTrial', w.trial, { secondPerson: ['erasure', 'unlocking'] })).secondPerson).toEqual(
      ['erasure', 'unblinding'],
    )
    const request = await w.only()
    expect(request).toMatchObject({ act: 'setting', secondPerson: ['erasure', 'unlocking'], reason: null })
    expect((await w.confirm(w.admin, request._id)).status).toBe(400)
    expect((await w.confirm(w.other, request._id)).status).toBe(200)
    expect((await w.owner.do('readTrial', w.trial)).secondPerson).toEqual(['erasure', 'unlocking'])
    expect(firstOf(await w.logged('updateTrial'))).toMatchObject({ event: { askedBy: w.admin._id } })
  })
})

test('one page follows another, and bounds of the query are refused', async () => {
  const w = await world()
  for (const n of [1, 2]) {
    await w.owner.do('updateParticipant', w.trial, w.people(n), { isWithdrawn: true })
    await w.owner.do('erasePersonalInformation', w.trial, w.people(n), { reason })
  }
  const { requests, nextPage } = await w.owner.get<'listSecondRequests'>(`${w.listed}?perPage=1`)
  expect(requests).toMatchObject([{ subject: w.people(2) }])
  const rest = await w.owner.get<'listSecondRequests'>(`${w.listed}?perPage=1&before=${nextPage}`)
  expect(rest).toMatchObject({ requests: [{ subject: w.people(1) }], nextPage: null })
  for (const wrong of ['perPage=0', 'perPage=1001', 'before=x', 'more=1'])
    expect([wrong, (await w.owner.call('GET', `${w.listed}?${wrong}`)).status]).toEqual([wrong, 422])
})

test('a kept deletion is purged with the reason “erasure” only by two', async () => {
  const w = await world()
  w.db.$client.run('UPDATE teams SET deletionGraceDays = 30')
  await w.owner.call('DELETE', w.person, { reason })
  const { _id } = firstOf((await w.owner.do('listDeletions', w.trial)).deletions)
  const purge = `${w.at}/deletions/${_id}/purge` as const
  expect(await w.admin.post<'purgeDeletion'>(purge, { reason: 'erasure' })).toEqual({ isPurged: false })
  expect(await w.other.do('confirmPurge', w.trial, _id)).toEqual({ isPurged: true })
})
