import { expect, test } from 'bun:test'
import { incentiveStudy } from '../../office/incentives/incentive.study'
import { downloaded, ended, manifestIn, partsOf, recordOf, rowsIn } from './archive'

test('a study record has the journal of the wallet and what participants got, and no code', async () => {
  const s = await incentiveStudy()
  await s.topUp(60)
  await s.load('CODE-111', 'CODE-222')
  await s.give()
  const { _id } = (await s.give(s.bert)).body
  await s.owner.post<'revealIncentive'>(`${s.listUrl(s.bert)}/${_id}/code`)
  await s.owner.do('updateParticipant', s.trial, s.anna, { isArchived: true })
  const { jobId } = await s.owner.do('exportStudyRecord', s.trial)
  const parts = partsOf(await downloaded(s, recordOf(await ended(s.owner, jobId)).request))
  expect(rowsIn(parts, 'wallet.csv')).toMatchObject([
    { number: '1', category: 'topUp', amount: '60.00', balance: '60.00', funding: '-60.00' },
    { number: '2', category: 'incentive', amount: '-25.00', balance: '35.00', incentives: '25.00' },
    { number: '3', category: 'incentive', incentive: _id, balance: '10.00' },
  ])
  expect(rowsIn(parts, 'incentives.csv')).toMatchObject([
    { participantId: 'P-2', _id, brand: 'shop', amount: '25.00', currency: 'EUR', status: 'issued' },
  ])
  for (const [, bytes] of parts) expect(bytes.includes('CODE-')).toBe(false)
  const manifest = manifestIn(parts)
  expect(manifest.said).toEqual(manifest.true)
})

test('a report on a person has what they got, without the code', async () => {
  const s = await incentiveStudy()
  await s.topUp(60)
  await s.load('CODE-111')
  const { _id } = (await s.give()).body
  const { jobId } = await s.owner.do('exportPersonalData', s.trial, s.anna)
  const parts = partsOf(await downloaded(s, recordOf(await ended(s.owner, jobId)).request))
  const all = [...parts.values()].join('\n')
  expect(all).toContain(_id)
  expect(all).not.toContain('CODE-')
  expect(all).not.toContain('"secret"')
})
