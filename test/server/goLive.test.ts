/** What waited when a backup was made is not sent by the restored server, whenever its senders are set up. */
import { expect, test } from 'bun:test'
import { rowsWhere } from '#db/rows'
import { outbox } from '#db/tables/index'
import { parseInstant } from '#kernel/time'
import { dueCount, nextDue } from '#outbox/store'
import { goLive } from '#server/backup/goLive'
import { world } from '../harness'

const copy = { address: null, madeAt: '2026-03-02T12:00:00.000000Z', restoredAt: '2026-03-02T13:00:00.000000Z' }

test('a copy that goes live before it has a sender sends nothing that waited once it has one', async () => {
  const w = world()
  const { db } = w.service.services
  const admin = w.invite(['team.admin'])
  expect(
    (await admin.do('inviteMember', w.team, { email: 'nils@example.org', name: 'Nils', permissions: [] }))._id,
  ).toBeString()
  const now = parseInstant(w.now())!
  expect(nextDue(db, 'email', now, true)).not.toBeNull()
  const waiting = rowsWhere(db, outbox, { status: 'notSent' }, '_id')
  expect(goLive(db, copy, [], now)).toBe(waiting.length)
  const later = now + 10 * 86_400_000_000
  expect([nextDue(db, 'email', later, true), dueCount(db, 'email', later, 10, true)]).toEqual([null, 0])
  const held = rowsWhere(db, outbox, { status: 'notSent' }, '_id')
  // Staff can read and hand over what is still needed.
  expect(held.map(({ _id, body }) => [_id, body])).toEqual(waiting.map(({ _id, body }) => [_id, body]))
  expect(held[0]!.detail).toContain('is not sent by itself')
})
