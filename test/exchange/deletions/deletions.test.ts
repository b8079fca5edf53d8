/** What was deleted is kept, restored whole, and purged when its time has passed. */
import { describe, expect, test } from 'bun:test'
import { problemsIn } from '#cli/checks'
import { DAY } from '#kernel/time'
import { everything } from '../../everything'
import { PASSWORD } from '../../harness'
import { firstOf } from '../../present'
import { keepDeleted } from '../../purge'
import { allRows } from './tables'

type World = Awaited<ReturnType<typeof everything>>

const reason = 'By mistake'

/** A world with one of everything, and its owner in the web app, who has confirmed their identity. */
async function deleted() {
  const all = await everything()
  keepDeleted(all)
  const confirmed = async (who: { _id: string; email: string }) => {
    const person = await all.signInStaff(who)
    await person.do('confirmIdentity', { password: PASSWORD })
    return person
  }
  const wait = async (time: number) => {
    all.clock(time)
    await all.service.services.tick()
  }
  // The world of every operation has a deletion already.
  all.db.$client.run(
    `DELETE FROM deletedRows; UPDATE deletions SET status = 'purged', endedAt = restorableUntil, hash = NULL`,
  )
  return { ...all, confirmed, wait, admin: await confirmed(all.owner) }
}

const KINDS = {
  participant: (w: World) => `/trials/${w.trial}/participants/${w.anna}`,
  response: (w: World) => `/trials/${w.trial}/responses/${w.params.responseId}`,
  site: (w: World) => `/sites/${w.params.siteId}`,
  file: (w: World) => `/files/${w.params.fileId}`,
} as const

describe.each(Object.entries(KINDS))('a %s', (kind, pathOf) => {
  test('is gone, and comes back whole', async () => {
    const w = await deleted()
    w.service.flush()
    expect(problemsIn(w.db.$client)).toEqual([])
    const before = allRows(w.db)
    const path = pathOf(w)
    const answer = await w.owner.call('DELETE', path, kind === 'site' ? undefined : { reason })
    expect([answer.status, answer.body]).toEqual([200, {}])
    expect((await w.owner.call('GET', path)).status).toBe(404)
    w.service.flush()
    expect(problemsIn(w.db.$client)).toEqual([])
    const { deletions, nextPage } = await w.owner.do('listDeletions', w.trial)
    expect(nextPage).toBe(null)
    const kept = firstOf(deletions)
    expect(kept).toMatchObject({ kind, deletedBy: w.owner._id, deletedByEmail: 'owner@example.org' })
    const restored = await w.admin.do('restoreDeletion', w.trial, kept._id, { reason })
    expect(restored).toEqual({ _id: kept.subject, kind: kept.kind, name: kept.name })
    w.service.flush()
    expect(allRows(w.db)).toEqual(before)
    expect(problemsIn(w.db.$client)).toEqual([])
    expect((await w.owner.do('listDeletions', w.trial)).deletions).toEqual([])
    expect((await w.owner.call('GET', path)).status).toBe(200)
  })

  test('is purged when its time has passed', async () => {
    const w = await deleted()
    await w.owner.call('DELETE', pathOf(w), kind === 'site' ? undefined : { reason })
    await w.wait(30 * DAY - 1)
    expect((await w.owner.do('listDeletions', w.trial)).deletions).toHaveLength(1)
    await w.wait(1)
    expect((await w.owner.do('listDeletions', w.trial)).deletions).toEqual([])
    expect(w.db.$client.query('SELECT count(*) FROM deletedRows').values()).toEqual([[0]])
    w.service.flush()
    expect(problemsIn(w.db.$client)).toEqual([])
  })
})

test('the list of what was deleted names participants: reading it leaves a row in the trail of reads', async () => {
  const w = await deleted()
  const reads = async () => {
    await w.owner.do('listDeletions', w.trial)
    await w.service.services.reads.flush()
    return (await w.owner.do('listReads', w.trial, { operation: 'listDeletions' })).reads
  }
  await w.owner.call('DELETE', KINDS.site(w))
  expect(await reads()).toEqual([])
  await w.owner.call('DELETE', KINDS.participant(w), { reason })
  expect(await reads()).toMatchObject([{ user: w.owner._id, participants: [{ _id: w.anna }], isFilter: false }])
})
