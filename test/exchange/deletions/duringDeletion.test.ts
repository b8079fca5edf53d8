/** What the server does by itself for somebody whose deletion is under way, and for somebody who was restored. */
import { expect, test } from 'bun:test'
import { wearableSync } from '#conduct/wearables/sync'
import { insertDeletion } from '#design/deletions/store'
import { newId } from '#kernel/id'
import { DAY, parseInstant } from '#kernel/time'
import { dueClaims } from '#office/incentives/rules/store'
import { dexcomServer } from '../../conduct/wearables/providers'
import { wearableStudy } from '../../conduct/wearables/wearables.study'
import { PASSWORD } from '../../harness'
import { incentiveStudy } from '../../office/incentives/incentive.study'
import { firstOf } from '../../present'
import { keepDeleted } from '../../purge'

type Study = Awaited<ReturnType<typeof incentiveStudy>> | Awaited<ReturnType<typeof wearableStudy>>

/** A request to delete Anna was accepted, and the step that does it is still to come. */
function accept({ db, owner, team, trial, anna, now }: Study) {
  const at = parseInstant(now())!
  insertDeletion(db, {
    ...{ _id: newId(at), createdAt: at, team, trial, kind: 'participant', subject: anna, participant: anna },
    ...{ name: 'P-1', deletedBy: owner._id, deletedByEmail: owner.email, request: newId(at) },
    ...{ restorableUntil: at + 30 * DAY, status: 'deleting' },
  })
}

test('no wearable is read for somebody whose deletion is under way', async () => {
  const dexcom = dexcomServer()
  const s = await wearableStudy({ dexcom })
  await s.connect('dexcom')
  await s.synced('dexcom')
  s.clock(DAY)
  const { services } = s.service
  accept(s)
  const asked = dexcom.asked.length
  await wearableSync(services)(services, services.clock.now())
  await Bun.sleep(300)
  expect(dexcom.asked.length).toBe(asked)
})

test('no completion is paid to somebody whose deletion is under way', async () => {
  const s = await incentiveStudy()
  await s.owner.post<'createIncentiveRule'>(s.rulesUrl, { stage: s.stage, brand: 'shop', amount: 25 })
  await s.enter({ pulse: 60 }, {}, s.owner, s.url(s.anna))
  expect(dueClaims(s.db, 10)).toHaveLength(1)
  accept(s)
  expect(dueClaims(s.db, 10)).toEqual([])
})

test('a payment that waited is made to a participant who was deleted and restored', async () => {
  const s = await incentiveStudy()
  keepDeleted(s)
  await s.owner.post<'createIncentiveRule'>(s.rulesUrl, { stage: s.stage, brand: 'shop', amount: 25 })
  await s.load('A-1')
  await s.enter({ pulse: 60 }, {}, s.owner, s.url(s.anna))
  await s.tick()
  expect((await s.given())[0]).toMatchObject({ status: 'waiting' })
  await s.owner.do('deleteParticipant', s.trial, s.anna, { reason: 'By mistake' })
  await s.tick()
  const admin = await s.signInStaff(s.owner)
  await admin.do('confirmIdentity', { password: PASSWORD })
  const { _id } = firstOf((await s.owner.do('listDeletions', s.trial)).deletions)
  await admin.do('restoreDeletion', s.trial, _id, { reason: 'By mistake' })
  await s.topUp(100)
  await s.tick()
  expect((await s.given())[0]).toMatchObject({ status: 'issued' })
  expect(s.problems()).toEqual([])
})
