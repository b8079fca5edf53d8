/** The trail of reads shows no arm to blinded people, although people who see arms read lists by arm. */
import { expect, test } from 'bun:test'
import { concealedIds } from '#access/armConcealmentStore'
import { dispensationStudy } from '../../office/dispensations/dispensation.study'
import { secretNames } from '../../office/randomisation/randomisation.study'
import { firstOf, present } from '../../present'

test('lists that somebody who sees arms chose by arm name nobody in the trail', async () => {
  const s = await dispensationStudy()
  await s.dispense(1)
  const keeper = s.staff(s.trial, ['trial.read', 'trial.readRandomisation'])
  const base = `/trials/${s.trial}` as const
  const lists = [
    `${base}/packs?packType=${s.verum}`,
    `${base}/packs?term=${secretNames.batch}-0&assigned=true`,
    `${base}/participants?groupsInclude=${s.active}`,
  ] as const
  const reader = s.staff(s.trial, ['trial.read', 'trial.readLogs'])
  for (const url of lists) {
    const told = JSON.stringify(await keeper.get(url))
    expect([url, told.includes(s.person(1)), told.includes(s.person(2))]).toEqual([url, true, false])
    const row = firstOf((await reader.do('listReads', s.trial, { user: keeper._id })).reads)
    expect([row.participants, row.isFilter]).toEqual([[], true])
    const seen = JSON.stringify(row)
    for (const secret of [...concealedIds(s.db, s.trial), secretNames.batch]) expect(seen).not.toContain(secret)
    // Asked for a participant, the trail has the row whichever arm they have.
    for (const n of [1, 2])
      expect(
        (await reader.do('listReads', s.trial, { user: keeper._id, participant: s.person(n) })).reads.length,
      ).toBeGreaterThan(0)
  }
  // Who sees arms reads the filter too, and a list of everybody names them.
  const both = s.staff(s.trial, ['trial.read', 'trial.readLogs', 'trial.readRandomisation'])
  const filters = (await both.do('listReads', s.trial, { user: keeper._id })).reads.map(({ filter }) => filter)
  expect(filters).toContainEqual({ groupsInclude: s.active })
  await keeper.do('listParticipants', s.trial, { sort: 'ratioComplete', sortOrder: 'desc' })
  const all = firstOf((await reader.do('listReads', s.trial, { user: keeper._id })).reads)
  expect([all.isFilter, all.participants.length]).toEqual([false, 24])
})

test('a list by a blinded reader names whom it told of, and so does a list of dispensations', async () => {
  const s = await dispensationStudy()
  await s.dispense(1)
  const nurse = s.staff(s.trial, ['trial.read'])
  await nurse.do('listPacks', s.trial, { assigned: true })
  await nurse.do('listDispensations', s.sealed)
  const { reads } = await s.owner.do('listReads', s.trial, { user: nurse._id })
  expect(reads.map(({ operation, participants }) => [operation, participants.length])).toEqual([
    ['listDispensations', 1],
    ['listPacks', 4],
  ])
  expect(present(reads[0]).participants).toEqual([{ _id: s.person(1), participantId: 'R-1' }])
})
