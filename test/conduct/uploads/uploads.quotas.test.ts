import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { bytesText } from '#conduct/uploads/quota'
import { verifyCounts } from '#db/counts'
import { uploadTotals } from '#db/tables/index'
import { type World, world } from '../../harness'
import { runs } from '../../proof'
import { atSite, putBytes, uploadRequestUrl } from './uploads.study'

const totals = ({ db }: Pick<World, 'db'>) =>
  Object.fromEntries(
    db
      .select()
      .from(uploadTotals)
      .all()
      .map(({ _id, bytes }) => [_id, bytes]),
  )

test('the uploads of a participant have a quota, for themselves and for staff who upload for them', async () => {
  const here = world({ quotas: { participant: 1000, trial: Number.POSITIVE_INFINITY } })
  const trial = here.trial()
  const { participant, patient } = atSite(here, trial)
  const other = atSite(here, trial)
  const first = await patient.get(uploadRequestUrl('participant', undefined, { size: 600 }))
  const refused = await patient.call('GET', uploadRequestUrl('participant', undefined, { size: 401 }))
  expect([refused.status, refused.body]).toEqual([
    400,
    {
      message:
        'Uploads for one participant may have 1000 bytes together: 600 bytes are used, and this file has 401 bytes.',
      details: {
        code: 'participantUploadsFull',
        params: { quota: '1000 bytes', used: '600 bytes', size: '401 bytes' },
        ...{ quota: 1000, used: 600, size: 401 },
      },
    },
  ])
  expect((await here.owner.call('GET', uploadRequestUrl('participant', participant, { size: 401 }))).status).toBe(400)
  await here.owner.get(uploadRequestUrl('participant', participant, { size: 400 }))
  await other.patient.get(uploadRequestUrl('participant', undefined, { size: 1000 }))
  await here.owner.get(uploadRequestUrl('trial', trial, { size: 1001 }))
  expect((await putBytes(here, first.signedRequestURL, 'x'.repeat(600))).status).toBe(200)
  expect((await patient.call('GET', uploadRequestUrl('participant', undefined, { size: 1 }))).status).toBe(400)
  expect(totals(here)).toEqual({ [participant]: 600, [trial]: 600 })
})

test('a trial has a quota for all of its uploads together', async () => {
  const here = world({ quotas: { participant: 10_000, trial: 1000 } })
  const [trial, another] = [here.trial(), here.trial()]
  const { patient, site } = atSite(here, trial)
  await patient.get(uploadRequestUrl('participant', undefined, { size: 400 }))
  await here.owner.get(uploadRequestUrl('site', site, { size: 400 }))
  const refused = await here.owner.call('GET', uploadRequestUrl('trial', trial, { size: 201 }))
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'Uploads for this trial may have 1000 bytes together: 800 bytes are used, and this file has 201 bytes.',
  ])
  await here.owner.get(uploadRequestUrl('trial', another, { size: 1000 }))
  await here.owner.get(uploadRequestUrl('team', here.team, { size: 5000 }))
})

test('deletions give the room back, and verify notices a wrong total', async () => {
  const here = world()
  const trial = here.trial()
  const { participant, patient } = atSite(here, trial)
  const { signedRequestURL } = await patient.get(uploadRequestUrl('participant', undefined, { size: 600 }))
  expect(totals(here)).toEqual({})
  expect((await putBytes(here, signedRequestURL, 'x'.repeat(600))).status).toBe(200)
  expect(totals(here)).toEqual({ [participant]: 600, [trial]: 600 })
  verifyCounts(here.db.$client)
  here.db.$client.run('UPDATE uploadTotals SET bytes = 1 WHERE _id = ?', [participant])
  expect(() => verifyCounts(here.db.$client)).toThrow(`uploadTotals ${participant}: bytes is 1, not 600`)
  here.db.$client.run('DELETE FROM uploadTotals WHERE _id = ?', [participant])
  expect(() => verifyCounts(here.db.$client)).toThrow(`uploadTotals ${participant}: some uploads are not counted`)
  here.db.$client.run('INSERT INTO uploadTotals VALUES (?, 600)', [participant])
  await here.owner.do('deleteParticipant', trial, participant, { reason: 'registered twice' })
  expect(totals(here)).toEqual({})
})

test('the totals are right after any sequence of uploads, moves and deletions', () => {
  const here = world()
  const { $client: sqlite } = here.db
  const owners = ['p1', 'p2']
  const act = fc.record({
    name: fc.integer({ min: 0, max: 3 }),
    kind: fc.constantFrom('add', 'move', 'finish', 'giveUp', 'delete'),
    owner: fc.constantFrom(...owners),
    forType: fc.constantFrom('participant', 'trial'),
    fileKind: fc.constantFrom('upload', 'export'),
    trial: fc.constantFrom('t1', 't2', null),
    size: fc.option(fc.integer({ min: 0, max: 100 })),
  })
  fc.assert(
    fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
      sqlite.run('DELETE FROM files')
      for (const { name, kind, owner, forType, fileKind, trial, size } of acts) {
        if (kind === 'add')
          sqlite.run(
            `INSERT INTO files (storedName, createdAt, kind, trial, forType, forId, createdBy, name, type, size)
             VALUES (?, 0, ?, ?, ?, ?, 'x', 'a', 'a/b', ?) ON CONFLICT DO NOTHING`,
            [`${name}`, fileKind, trial, forType, owner, size],
          )
        if (kind === 'move')
          sqlite.run('UPDATE files SET forId = ?, trial = ? WHERE storedName = ?', [owner, trial, `${name}`])
        if (kind === 'finish')
          sqlite.run('UPDATE files SET size = ?, finishedAt = 1 WHERE storedName = ?', [size, `${name}`])
        if (kind === 'giveUp')
          sqlite.run('UPDATE files SET size = NULL, finishedAt = NULL WHERE storedName = ?', [`${name}`])
        if (kind === 'delete') sqlite.run('DELETE FROM files WHERE storedName = ?', [`${name}`])
      }
      verifyCounts(sqlite)
    }),
    { numRuns: runs(60) },
  )
})

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 KB'],
  [1.5 * 1024 ** 2, '1.5 MB'],
  [10 * 1024 ** 3, '10 GB'],
  [2 * 1024 ** 4, '2 TB'],
])('%p bytes are %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})
