import { expect, test } from 'bun:test'
import { sha256 } from '#kernel/id'
import { randomisedStudy, secretNames } from '../../office/randomisation/randomisation.study'
import { present } from '../../present'
import { downloaded, ended, manifestIn, partsOf, recordOf, rowsIn } from './archive'

test('a study record has the packs with their custody, the randomisations and the allocations', async () => {
  const s = await randomisedStudy()
  const { owner, trial } = s
  const record = async () => {
    const { jobId } = await owner.post(`/trials/${trial}/study-record`)
    return partsOf(await downloaded(s, recordOf(await ended(owner, jobId)).request))
  }
  const sealed = await s.sealed({ blockSizes: [2] })
  const given = [await s.allocate(sealed, s.person(1)), await s.allocate(sealed, s.person(2))].map(({ body }) => body)
  const [first] = given
  await owner.post(`/packs/${first.pack._id}/events`, { type: 'returned', units: 3, reason: 'Visit 2' })
  const before = await record()
  const packs = rowsIn(before, 'packs.csv')
  expect(packs).toHaveLength(120)
  const { name } = first.pack
  expect(packs.find((row) => row.name === name)).toMatchObject({ participantId: 'R-1', state: 'returned', site: 'N1' })
  const events = rowsIn(before, 'pack-events.csv')
  expect(events).toHaveLength(123)
  expect(events.filter((row) => row.name === name)).toMatchObject([
    { type: 'received', site: 'N1', participantId: '', createdBy: 'Olga Owner' },
    { type: 'dispensed', participantId: 'R-1', reason: 'Main randomisation' },
    { type: 'returned', participantId: 'R-1', units: '3', reason: 'Visit 2', state: 'returned' },
  ])
  const { commitment } = await owner.get(`/randomisations/${sealed}`)
  expect(rowsIn(before, 'randomisations.csv')).toMatchObject([
    { name: 'Main randomisation', status: 'sealed', isBlinded: 'true', commitment, sealedBy: 'Olga Owner' },
  ])
  expect(rowsIn(before, 'allocations.csv')).toMatchObject(
    given.map(({ armName, pack }, n) => ({
      ...{ number: `${n + 1}`, participantId: `R-${n + 1}`, pack: pack.name, arm: armName, site: 'N1', stratum: '[]' },
      group: armName === secretNames.arm ? secretNames.group : secretNames.otherGroup,
      packType: armName === secretNames.arm ? secretNames.packType : secretNames.otherPackType,
    })),
  )
  // The list would tell the next arms.
  expect([...before.keys()].filter((part) => part.startsWith('randomisations/'))).toEqual([])

  await owner.post(`/randomisations/${sealed}/closing`)
  const app = await s.confirmed(['trial.admin'])
  await app.post(`/randomisations/${sealed}/unblinding`, { reason: 'The end.' })
  const after = await record()
  expect(sha256(present(after.get(`randomisations/${sealed}.txt`)))).toBe(present(commitment))
  const manifest = manifestIn(after)
  expect(manifest.said).toEqual(manifest.true)
})
