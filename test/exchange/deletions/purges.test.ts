/** A purge before its time, its bounds and its limits, and what `verify` says of one that nobody confirmed. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemsIn } from '#cli/checks'
import { verifyDeletions } from '#design/deletions/verify'
import { verifyRecord } from '#exchange/studyRecord/verifyRecord'
import { DAY } from '#kernel/time'
import { uploadPath } from '#storage/names'
import { everything } from '../../everything'
import { PASSWORD, sharedInFile } from '../../harness'
import { dispensationStudy } from '../../office/dispensations/dispensation.study'
import { firstOf } from '../../present'
import { proof } from '../../proof'
import { keepDeleted } from '../../purge'
import { until } from '../../until'
import { allRows } from './tables'

const reason = 'By mistake'

async function deletable() {
  const w = await everything()
  keepDeleted(w)
  w.db.$client.run(
    `DELETE FROM deletedRows; UPDATE deletions SET status = 'purged', endedAt = restorableUntil, hash = NULL`,
  )
  const admin = await w.signInStaff(w.owner)
  await admin.do('confirmIdentity', { password: PASSWORD })
  const listed = `/trials/${w.trial}/deletions` as const
  const remove = async (path: string, body?: object) => {
    await w.owner.call('DELETE', path, body)
    return firstOf((await w.owner.do('listDeletions', w.trial)).deletions)
  }
  return { ...w, admin, listed, remove }
}

describe('a purge with the reason “erasure”', () => {
  test.each(['participant', 'response'] as const)('of a %s needs no other admin', async (kind) => {
    const w = await deletable()
    const paths = { participant: `participants/${w.anna}`, response: `responses/${w.params.responseId}` }
    const { _id } = await w.remove(`/trials/${w.trial}/${paths[kind]}`, { reason })
    const purge = `${w.listed}/${_id}/purge` as const
    expect((await w.owner.call('POST', purge, { reason: 'erasure' })).body.details.code).toBe('reauth')
    expect(await w.admin.post<'purgeDeletion'>(purge, { reason: 'erasure' })).toEqual({ isPurged: true })
    expect((await w.owner.do('listDeletions', w.trial)).deletions).toEqual([])
    expect((await w.admin.call('POST', `${w.listed}/${_id}/restoration`, { reason })).status).toBe(404)
    const { entries } = await w.owner.do('readLogs', w.trial, { type: 'purgeDeletion' })
    expect(firstOf(entries)).toMatchObject({
      userEmail: w.owner.email,
      event: { deletion: _id, kind, restorableUntil: '2026-04-01T12:00:00.000000Z' },
    })
    w.service.flush()
    expect(problemsIn(w.db.$client)).toEqual([])
  })

  test('of a participant takes what is kept of their responses, with an entry of its own, which is no fault', async () => {
    const w = await deletable()
    const response = await w.remove(`/trials/${w.trial}/responses/${w.params.responseId}`, { reason })
    const { _id } = await w.remove(`/trials/${w.trial}/participants/${w.anna}`, { reason })
    expect(await w.admin.do('purgeDeletion', w.trial, _id, { reason: 'erasure' })).toEqual({ isPurged: true })
    expect((await w.owner.do('listDeletions', w.trial)).deletions).toEqual([])
    const { entries } = await w.owner.do('readLogs', w.trial, { type: 'purgeDeletion' })
    const about = { userEmail: w.owner.email, participantId: 'P-1' }
    const entry = (deletion: string) => ({ ...about, event: { deletion, reason: 'erasure' } })
    expect(entries).toMatchObject([entry(response._id), entry(_id)])
    w.service.flush()
    expect(problemsIn(w.db.$client)).toEqual([])
  })

  test('is what an erasure does to what is kept of the responses, with an entry for each', async () => {
    const w = await deletable()
    const { _id } = await w.remove(`/trials/${w.trial}/responses/${w.params.responseId}`, { reason })
    await w.owner.do('updateParticipant', w.trial, w.anna, { isWithdrawn: true })
    await w.owner.do('erasePersonalInformation', w.trial, w.anna, { reason: 'Asked for' })
    expect((await w.owner.do('listDeletions', w.trial)).deletions).toEqual([])
    const { entries } = await w.owner.do('readLogs', w.trial, { userType: 'system', type: 'purgeDeletion' })
    expect(entries).toMatchObject([{ participantId: 'P-1', event: { deletion: _id, reason: 'erasure' } }])
    w.service.flush()
    expect(problemsIn(w.db.$client)).toEqual([])
  })

  test('of a site needs another', async () => {
    const w = await deletable()
    const { _id } = await w.remove(`/sites/${w.params.siteId}`)
    expect(await w.admin.do('purgeDeletion', w.trial, _id, { reason: 'erasure' })).toEqual({ isPurged: false })
    expect((await w.owner.do('listDeletions', w.trial)).deletions).toMatchObject([{ _id, purgeAskedBy: w.owner._id }])
  })
})

describe('bodies', () => {
  const one = sharedInFile(async () => {
    const w = await deletable()
    const { _id } = await w.remove(`/sites/${w.params.siteId}`)
    const empty = (await w.owner.do('createTrial', w.team, { name: 'Never began' }))._id
    await w.owner.do('deleteTrial', empty)
    const ofTeam = firstOf((await w.owner.do('listDeletedTrials', w.team)).deletions)._id
    return { ...w, _id, ofTeam, empty }
  })
  const PATHS = [
    ['restoration', (w: Awaited<ReturnType<typeof one>>) => `${w.listed}/${w._id}/restoration`],
    ['purge', (w: Awaited<ReturnType<typeof one>>) => `${w.listed}/${w._id}/purge`],
    ['restoration of a trial', (w: Awaited<ReturnType<typeof one>>) => `/trials/${w.empty}/restoration`],
    ['purge of a trial', (w: Awaited<ReturnType<typeof one>>) => `/teams/${w.team}/deletions/${w.ofTeam}/purge`],
  ] as const

  test.each(PATHS)('of a %s', async (_, pathOf) => {
    const w = await one()
    const path = pathOf(w)
    for (const wrong of ['', '   ', 'x'.repeat(501), '\ud83d', 'a\0b', 7, null])
      expect([wrong, (await w.admin.call('POST', path, { reason: wrong })).status]).toEqual([wrong, 422])
    expect((await w.admin.call('POST', path, {})).status).toBe(422)
    expect((await w.admin.call('POST', path, { reason, more: 1 })).status).toBe(422)
  })
})

describe('verify notices', () => {
  const CHANGES = {
    'a purge before its time': `UPDATE deletions SET status = 'purged', endedAt = restorableUntil - 1, hash = NULL WHERE status = 'kept'`,
    'one that its asker confirmed': `UPDATE deletions SET status = 'purged', endedAt = restorableUntil - 1, hash = NULL,
      purgeAskedBy = deletedBy, purgeConfirmedBy = deletedBy WHERE status = 'kept'`,
    'an erasure of a site': `UPDATE deletions SET status = 'purged', endedAt = restorableUntil - 1, hash = NULL,
      purgeAskedBy = deletedBy, purgeReason = 'erasure' WHERE status = 'kept'`,
    'kept rows that are gone': 'DELETE FROM deletedRows',
    'kept rows that cannot be read': `UPDATE deletedRows SET content = x'00'`,
  }
  test.each(Object.entries(CHANGES))('%s', async (_, sql) => {
    const w = await deletable()
    await w.remove(`/sites/${w.params.siteId}`)
    w.service.flush()
    expect(verifyDeletions(w.db.$client)).toBe('1 deletions are kept as they were')
    w.db.$client.run(sql)
    expect(() => verifyDeletions(w.db.$client)).toThrow(/deletion/)
  })
})

describe('a trial that dispenses', () => {
  proof('cannot lose a participant with a dispensation, comes back whole, and is purged with its record', async () => {
    const s = await dispensationStudy()
    keepDeleted(s)
    expect((await s.dispense(1)).status).toBe(200)
    await s.owner.do('listNotes', s.trial, s.person(1))
    await s.service.services.reads.flush()
    s.db.$client.run(
      `INSERT INTO unblindingGrants SELECT '${s.owner._id}', '${s.trial}', '${s.trial}', 1, '[]', '${s.owner._id}', 'x'`,
    )
    const refused = await s.owner.call('DELETE', `/trials/${s.trial}/participants/${s.person(1)}`, { reason })
    expect(refused.status).toBe(400)
    s.service.flush()
    const without = ['deletedChains', 'trialInsights', 'webhooks', 'users', 'jobs', 'apiKeys', 'readHeads']
    const before = allRows(s.db, without)
    await s.owner.do('deleteTrial', s.trial)
    const admin = await s.confirmed(['trial.read'])
    expect((await admin.call('POST', `/trials/${s.trial}/restoration`, { reason })).status).toBe(404)
    const owner = await s.signIn(s.owner)
    await owner.do('confirmIdentity', { password: PASSWORD })
    await owner.do('restoreTrial', s.trial, { reason })
    s.service.flush()
    const after = allRows(s.db, without)
    for (const table of ['dispensations', 'dispensedPacks', 'randomisationDispensing', 'unblindingGrants', 'reads'])
      expect([table, after[table]]).toEqual([table, before[table]!])
    expect(after.dispensations).toHaveLength(1)
    expect(after.reads?.length).toBeGreaterThan(0)
    expect(problemsIn(s.db.$client)).toEqual([])
    await s.owner.do('deleteTrial', s.trial)
    s.clock(30 * DAY)
    await until(async () => {
      await s.service.services.tick()
      return s.db.$client.query('SELECT 1 FROM trials WHERE _id = ?').get(s.trial) === null
    })
    s.service.flush()
    expect(problemsIn(s.db.$client)).toEqual([])
    const { storedName } = s.db.$client
      .query<{ storedName: string }, [string]>(`SELECT storedName FROM files WHERE kind = 'dataset' AND forId = ?`)
      .get(s.team)!
    // It is signed as every study record is.
    const path = uploadPath(join(s.directory, 'files'), storedName)
    expect(readFileSync(path).length).toBeGreaterThan(0)
    expect(await verifyRecord(path)).toMatchObject({ chain: { chain: s.trial } })
  })
})
