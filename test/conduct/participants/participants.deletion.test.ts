import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { verifyChains } from '#audit/verify'
import { files, outbox, participants, responseEvents, storedSubmissions } from '#db/tables/index'
import { DAY } from '#kernel/time'
import { uploadPath } from '#storage/names'
import { keepDeleted } from '../../purge'
import { study } from './participants.study'

test('a deletion removes all data, frees the ID, and adds an audit entry without personal information', async () => {
  const { owner, at, anna, trial, db, entries, directory, clock, service } = await study()
  keepDeleted({ db })
  await owner.put<'updateParticipant'>(at, { name: 'Anna Muster' })
  const image = `${'a'.repeat(24)}-${'b'.repeat(32)}.png`
  const file = uploadPath(join(directory, 'files'), image)
  await Bun.write(file, 'picture')
  const stored = { createdAt: 0, kind: 'upload', forType: 'participant', createdBy: 'x', name: 'x', type: 'x' } as const
  db.insert(files)
    .values({ ...stored, storedName: image, forId: anna._id })
    .run()
  db.insert(files)
    .values({ ...stored, storedName: 'kept', forId: trial, forType: 'trial' })
    .run()
  db.$client.run(`INSERT INTO layouts (key, _id, trial, stage, dataTypes) VALUES (1, 'l', '${trial}', 's', '[]')`)
  db.insert(storedSubmissions)
    .values({
      at: 0,
      response: 'r',
      stageRecurrence: 0,
      participant: anna._id,
      layout: 1,
      values: '[]',
      partialSubmission: false,
      createdBy: 'x',
      createdByType: 'user',
    })
    .run()
  const by = { createdBy: 'x', createdByType: 'user', content: '{}' } as const
  db.insert(responseEvents)
    .values({ at: 1, trial, response: 'r', participant: anna._id, type: 'deleted', ...by })
    .run()
  db.insert(outbox)
    .values({
      _id: 'o',
      createdAt: 0,
      participant: anna._id,
      channel: 'email',
      recipient: 'anna@example.org',
      body: 'Hi',
      status: 'sent',
    })
    .run()
  for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }]) {
    expect((await owner.call('DELETE', at, body)).status).toBe(422)
  }
  expect(await owner.delete<'deleteParticipant'>(at, { reason: 'Asked for it' })).toEqual({})
  expect((await owner.call('GET', at)).status).toBe(404)
  expect(db.select().from(participants).all()).toEqual([])
  expect(db.select().from(storedSubmissions).all()).toEqual([])
  const mails = db.select().from(outbox).all()
  expect(mails).toMatchObject([{ recipient: 'owner@example.org', participant: null }]) // an admin is told
  expect(mails[0]?.body).not.toContain('A-1')
  expect(
    db
      .select()
      .from(files)
      .all()
      .map(({ storedName }) => storedName),
  ).toEqual(['kept'])
  const [entry] = entries('deleteParticipant')
  expect(entry).toMatchObject({
    participant: anna._id,
    event: { id: 'A-1', reason: 'Asked for it', deleted: { responses: 0, submissions: 1, messages: 1, files: 1 } },
  })
  expect(JSON.stringify(entries())).toContain('Anna Muster') // until it is purged
  clock(30 * DAY)
  await service.services.tick()
  expect(JSON.stringify(entries())).not.toContain('Anna Muster')
  expect(verifyChains(db.$client).every(({ fault }) => fault === undefined)).toBe(true)
  expect((await owner.do('registerParticipants', trial, { participantId: 'a-1' })).id).toBe('a-1')
  while (existsSync(file)) await Bun.sleep(1) // removed after the response
})

test('several are deleted together or not at all', async () => {
  const { owner, staff, trial, url, anna, site, db } = await study()
  const bert = await owner.do('registerParticipants', trial, { participantId: 'B-1' })
  await owner.do('addSiteMember', site._id, anna._id)
  const nurse = staff(trial, ['site.write', 'site.deleteParticipants'], site._id)
  const both = { participants: [anna._id, bert._id], reason: 'Test data' }
  expect((await nurse.call('DELETE', url, both)).status).toBe(404)
  const writer = staff(trial, ['trial.write'])
  expect((await writer.call('DELETE', url, both)).status).toBe(403)
  expect((await owner.call('DELETE', url, { participants: both.participants })).status).toBe(422)
  expect(db.select().from(participants).all()).toHaveLength(2)
  expect(await nurse.do('deleteParticipants', trial, { ...both, participants: [anna._id] })).toEqual({})
  expect(await owner.do('deleteParticipants', trial, { ...both, participants: [bert._id] })).toEqual({})
  expect(db.select().from(participants).all()).toHaveLength(0)
})
