/** The message boards of sites in study records (docs/exports.md, "Study records"). */
import { expect, test } from 'bun:test'
import { PASSWORD } from '../../harness'
import { boards } from '../../office/siteMessages/boards.study'
import { firstOf } from '../../present'
import { until } from '../../until'
import { downloaded, ended, manifestIn, partsOf, recordOf, rowsIn } from './archive'

test('a study record has the messages of all boards with their files', async () => {
  const s = await boards()
  const forSite = await s.upload('site', s.north, s.nurse)
  const forTrial = await s.upload('trial', s.trial)
  await s.nurse.do('sendSiteMessage', s.north, { message: '=1+1, and a scan', attachments: [forSite] })
  const { _id: broadcast } = await s.owner.post<'broadcastSiteMessage'>(s.broadcast, {
    message: 'To all',
    attachments: [forTrial, forTrial],
  })
  await s.upload('site', s.south) // attached to nothing
  const { jobId } = await s.owner.do('exportStudyRecord', s.trial)
  const result = recordOf(await ended(s.owner, jobId))
  expect(result).toMatchObject({ counts: { siteMessages: 3, files: 2 }, amiss: [] })
  const parts = partsOf(await downloaded(s, result.request))
  const manifest = manifestIn(parts)
  expect(manifest.said).toEqual(manifest.true)
  const of = (user: { _id: string }, senderName: string) => ({ sender: user._id, senderName, createdAt: s.now() })
  expect(rowsIn(parts, 'site-messages.csv')).toMatchObject([
    {
      site: 'N1',
      siteName: 'North',
      number: '1',
      message: '=1+1, and a scan',
      attachments: forSite,
      broadcast: '',
      ...of(s.nurse, 'Person 1'),
    },
    { site: 'N1', number: '2', message: 'To all', attachments: forTrial, broadcast, ...of(s.owner, 'Olga Owner') },
    { site: 'S1', siteName: 'South', number: '1', message: 'To all', attachments: forTrial, broadcast },
  ])
  for (const name of [forSite, forTrial]) expect(`${parts.get(`files/${name}`)}`).toBe('a scan')
})

test('the record of a lock has the messages up to the lock', async () => {
  const s = await boards()
  await s.nurse.do('sendSiteMessage', s.north, { message: 'before' })
  const app = await s.signInStaff(s.owner)
  await app.do('confirmIdentity', { password: PASSWORD })
  // The worker begins when the board has gone on.
  const { pool } = s.service.services
  const { perform } = pool
  const { promise, resolve } = Promise.withResolvers<void>()
  pool.perform = async (...task) => {
    await promise
    return perform(...task)
  }
  await app.do('updateTrial', s.trial, { isDatabaseLocked: true, databaseLockJustification: 'All data is in.' })
  s.clock(1)
  await s.nurse.do('sendSiteMessage', s.north, { message: 'after' })
  resolve()
  const datasets = async () => (await s.owner.do('listLockedDatasets', s.trial)).datasets
  await until(async () => (await datasets())[0]?.status !== 'pending')
  const { counts, request } = firstOf(await datasets())
  expect(counts?.siteMessages).toBe(1)
  expect(rowsIn(partsOf(await downloaded(s, request)), 'site-messages.csv')).toMatchObject([{ message: 'before' }])
})
