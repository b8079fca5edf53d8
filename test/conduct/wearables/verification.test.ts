/** What the trail says of wearables and diaries stays true after erasures and deletions, and in a backup. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemsIn } from '#cli/checks'
import { DAY } from '#kernel/time'
import { backedUp, contentAfterRestore, directory, restored } from '../../cli/backup.study'
import { afterKill } from '../../harness'
import { fitbitServer, garminServer } from './providers'
import { configured, wearableStudy } from './wearables.study'

test('verify accepts them while they are there, after a kill, an erasure, and deletions of the participant and the trial', async () => {
  const servers = { fitbit: fitbitServer(), garmin: garminServer() }
  servers.fitbit.data.steps['2026-03-08'] = 6000
  const s = await wearableStudy(servers)
  const problems = () => {
    s.service.flush()
    return problemsIn(s.db.$client)
  }
  const count = (sql: string) => s.db.$client.query(sql).all().length
  await s.owner.do('updateTrial', s.trial, { foodDiariesEnabled: true, fitbitConnectionReminders: true })
  await s.connect('fitbit')
  await s.connectGarmin()
  const bert = await s.signIn('P-2')
  await bert.do('beginWearableSignIn', 'fitbit', {})
  const { foods } = await s.patient.do('searchFoods', s.trial, { q: 'apple' })
  const eaten = { date: '2026-03-08', meal: 'lunch', foodId: foods[0]!.foodId, portion: { size: 5, unit: 'grams' } }
  const { _id } = await s.patient.do('createOwnFoodDiaryEntry', eaten)
  await s.owner.do('updateFoodDiaryEntry', s.trial, s.anna, _id, { quantity: 2 })
  await s.ticked(() => !count('SELECT 1 FROM wearableConnections WHERE syncedAt IS NULL'))
  await s.ticked(() => count('SELECT 1 FROM wearableReminders'))
  s.clock(2 * DAY)
  await s.ticked(() => count('SELECT 1 FROM wearableReminders WHERE sent = 1'))
  expect(problems()).toEqual([])

  const killed = afterKill(s, { wearables: configured(servers) })
  expect(problemsIn(killed.services.db.$client)).toEqual([])

  copyFileSync(join(directory([]).root, 'secrets'), join(s.directory, 'secrets'))
  const { archive } = await backedUp(s.directory)
  const { data } = await restored(archive)
  expect(contentAfterRestore(data)).toEqual(contentAfterRestore(s.directory))
  const copy = new Database(join(data, 'trialbox.db'), { readonly: true })
  const counts = ['hardwareRecords', 'wearableConnections', 'wearableSignIns', 'wearableReminders', 'foodDiaryEntries']
  expect(counts.map((table) => copy.query(`SELECT 1 FROM ${table}`).all().length > 0)).toEqual(counts.map(() => true))
  copy.close()

  await s.owner.do('updateParticipant', s.trial, s.anna, { isWithdrawn: true })
  await s.owner.do('erasePersonalInformation', s.trial, s.anna, { reason: 'asked us by letter' })
  await s.ticked(() => !count('SELECT 1 FROM wearableConnections WHERE tokens IS NOT NULL'))
  expect(problems()).toEqual([])
  await s.owner.call('DELETE', `/trials/${s.trial}/participants/${s.bert}`, { reason: 'registered twice' })
  expect(problems()).toEqual([])
  await s.owner.do('deleteTrial', s.trial)
  expect(problems()).toEqual([])
}, 30_000)
