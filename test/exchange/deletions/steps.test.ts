/** What is large is deleted and purged in short transactions: nothing is wrong between two of them, and a kill loses none. */
import { expect, spyOn, test } from 'bun:test'
import { problemsIn } from '#cli/checks'
import { deleteNextBatch } from '#conduct/participants/deletionSteps'
import { verifyDeletions } from '#design/deletions/verify'
import { purgeTrials } from '#exchange/deletions/trialPurge'
import { DAY, parseInstant } from '#kernel/time'
import { everything } from '../../everything'
import { afterKill, PASSWORD, world } from '../../harness'
import { proof } from '../../proof'
import { keepDeleted } from '../../purge'

/** Ends each step after its first statement that deletes something. */
async function inSmallSteps(act: () => Promise<void>) {
  let time = 0
  const clock = spyOn(performance, 'now').mockImplementation(() => (time += 1_000))
  try {
    await act()
  } finally {
    clock.mockRestore()
  }
}

proof(
  'between any two steps of the purge of a trial nothing is wrong, and after a kill the next start goes on',
  async () => {
    const w = await everything()
    keepDeleted(w)
    const { $client: sqlite } = w.db
    await w.owner.do('deleteTrial', w.trial)
    sqlite.run(`UPDATE deletions SET record = 'kept before' WHERE subject = '${w.trial}'`)
    w.clock(30 * DAY)
    const now = parseInstant(w.now())!
    const rows = (of: typeof sqlite) =>
      of
        .query<{ trials: number; entries: number }, [{ trial: string }]>(
          `SELECT (SELECT count(*) FROM trials WHERE _id = $trial) AS trials,
           (SELECT count(*) FROM auditEntries WHERE chain = $trial) AS entries`,
        )
        .get({ trial: w.trial })!
    let steps = 0
    const seen = new Set<string>()
    await inSmallSteps(async () => {
      while (await purgeTrials(w.service.services, now)) {
        steps++
        expect([steps, problemsIn(sqlite)]).toEqual([steps, []])
        const { trials, entries } = rows(sqlite)
        seen.add(`${trials} ${entries > 0}`)
        if (steps % 25 !== 1 && trials) continue
        const again = afterKill(w)
        while (await purgeTrials(again.services, now));
        expect(rows(again.services.db.$client)).toEqual({ trials: 0, entries: 0 })
        expect(problemsIn(again.services.db.$client)).toEqual([])
      }
    })
    expect(steps).toBeGreaterThan(40)
    expect([...seen]).toEqual(expect.arrayContaining(['1 true', '0 true', '0 false']))
    expect(sqlite.query(`SELECT status FROM deletions WHERE subject = ?`).all(w.trial)).toEqual([{ status: 'purged' }])
  },
  180_000,
)

test('entries that are left of a trial are a fault when nothing purges them', async () => {
  const w = await everything()
  keepDeleted(w)
  const { $client: sqlite } = w.db
  await w.owner.do('deleteTrial', w.trial)
  sqlite.run(`UPDATE deletions SET record = 'kept before' WHERE subject = '${w.trial}'`)
  w.clock(30 * DAY)
  const now = parseInstant(w.now())!
  await inSmallSteps(async () => {
    while (sqlite.query('SELECT 1 FROM trials WHERE _id = ?').get(w.trial)) await purgeTrials(w.service.services, now)
  })
  expect(verifyDeletions(sqlite)).toContain('1 are under way')
  expect(problemsIn(sqlite)).toEqual([])
  sqlite.run(`UPDATE deletions SET status = 'purged' WHERE subject = '${w.trial}'`)
  expect(problemsIn(sqlite).join()).toContain('is marked as deleted with its trial')
})

test('a trial whose study record cannot be written holds up the purge of no other', async () => {
  const w = await everything()
  keepDeleted(w)
  const { $client: sqlite } = w.db
  const { _id: other } = await w.owner.do('createTrial', w.team, { name: 'Another study' })
  await w.owner.do('deleteTrial', w.trial)
  w.clock(DAY)
  await w.owner.do('deleteTrial', other)
  w.clock(31 * DAY)
  const now = parseInstant(w.now())!
  const { services } = w.service
  expect(await purgeTrials({ ...services, startJob: async () => {} }, now)).toBe(true) // the record of the first waits
  while (await purgeTrials(services, now));
  expect(sqlite.query('SELECT 1 FROM trials WHERE _id = ?').get(other)).toBeNull()
  expect(sqlite.query('SELECT 1 FROM trials WHERE _id = ?').get(w.trial)).not.toBeNull()
})

async function several(count: number) {
  const w = world()
  keepDeleted(w)
  const trial = w.trial()
  const url = `/trials/${trial}/participants` as const
  const list = Array.from({ length: count }, (_, n) => ({ participantId: `P-${n}` }))
  const { participants } = await w.owner.do('registerParticipants', trial, { participants: list })
  const ids = participants.map(({ _id }: { _id: string }) => _id)
  return { ...w, trial, url, ids, body: { participants: ids, reason: 'A test' } }
}

const countOf = (w: { db: { $client: { query(sql: string): { get(): unknown } } } }, from: string) =>
  w.db.$client.query(`SELECT count(*) AS count FROM ${from}`).get() as { count: number }

proof(
  'from when a request to delete many is accepted, nobody finds them; a kill loses none, and verify is clean',
  async () => {
    const w = await several(50)
    const { service, owner, url, ids, trial } = w
    let whileDeleting: unknown
    await inSmallSteps(async () => {
      const answered = owner.call('DELETE', url, w.body)
      while (!countOf(w, `deletions WHERE status = 'deleting'`).count) await Bun.sleep(0)
      const left = ids.filter((_id) =>
        w.db.$client.query(`SELECT 1 FROM deletions WHERE subject = ? AND status = 'deleting'`).get(_id),
      )
      whileDeleting = await Promise.all(left.map(async (_id) => (await owner.call('GET', `${url}/${_id}`)).status))
      expect(await owner.do('listParticipants', trial)).toMatchObject({
        participants: [],
        total: 0,
        nextPageAvailable: false,
      })
      expect(await owner.do('listParticipants', trial, { term: 'P-49' })).toMatchObject({ participants: [], total: 0 })
      expect(await owner.do('readTrial', trial)).toMatchObject({ participantCount: 0 })
      expect((await owner.do('readDashboard', trial)).participants).toMatchObject({ total: 0 })
      expect(countOf(w, `deletions WHERE status = 'deleting'`).count).toBeGreaterThan(0) // the last reads came before the last step
      const again = afterKill(w)
      const { services } = again
      expect(problemsIn(services.db.$client)).toEqual([])
      while (await deleteNextBatch(services));
      again.flush()
      expect(countOf(services, 'participants')).toEqual({ count: 0 })
      expect(countOf(services, `deletions WHERE status = 'kept' AND address IS NULL`)).toEqual({ count: 50 })
      expect(problemsIn(services.db.$client)).toEqual([])
      expect((await answered).body).toEqual({})
    })
    expect([...new Set(whileDeleting as number[])]).toEqual([404])
    service.flush()
    expect(countOf(w, 'participants')).toEqual({ count: 0 })
    expect(countOf(w, `auditEntries WHERE type = 'deleteParticipant' AND user = '${owner._id}'`)).toEqual({ count: 50 })
    expect(countOf(w, `auditEntries WHERE type = 'deleteParticipants'`)).toEqual({ count: 1 })
    expect(problemsIn(w.db.$client)).toEqual([])
    const { deletions } = await owner.do('listDeletions', trial)
    expect(deletions).toHaveLength(50)
    expect(new Set(deletions.map(({ request }) => request)).size).toBe(1)
  },
)

test('requests of others are answered between the steps', async () => {
  const w = await several(50)
  await inSmallSteps(async () => {
    const answered = w.owner.call('DELETE', w.url, w.body)
    while (!countOf(w, `deletions WHERE status = 'deleting'`).count) await Bun.sleep(0)
    const note = await w.owner.call('PUT', `/trials/${w.trial}`, { description: 'Another request' })
    expect(note.status).toBe(200)
    expect(countOf(w, `deletions WHERE status = 'deleting'`).count).toBeGreaterThan(0)
    expect((await answered).status).toBe(200)
    expect(countOf(w, 'participants')).toEqual({ count: 0 })
  })
})

test('a database that is locked meanwhile is locked after the last step', async () => {
  const w = await several(50)
  const admin = await w.signIn(w.owner)
  await admin.do('confirmIdentity', { password: PASSWORD })
  await inSmallSteps(async () => {
    const answered = w.owner.call('DELETE', w.url, w.body)
    while (!countOf(w, `deletions WHERE status = 'deleting'`).count) await Bun.sleep(0)
    const lock = { isDatabaseLocked: true, databaseLockJustification: 'The end of it' }
    expect((await admin.call('PUT', `/trials/${w.trial}`, lock)).status).toBe(200)
    expect(countOf(w, 'participants')).toEqual({ count: 0 })
    expect((await answered).status).toBe(200)
  })
})
