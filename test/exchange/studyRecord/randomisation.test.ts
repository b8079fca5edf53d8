import { expect, test } from 'bun:test'
import { sha256 } from '#kernel/id'
import { randomisedStudy, secretNames } from '../../office/randomisation/randomisation.study'
import { present } from '../../present'
import { downloaded, ended, manifestIn, partsOf, recordOf, rowsIn } from './archive'

test('a study record has the packs with their custody, the randomisations and the allocations', async () => {
  const s = await randomisedStudy()
  const { owner, trial } = s
  const record = async () => {
    const { jobId } = await owner.do('exportStudyRecord', trial)
    return partsOf(await downloaded(s, recordOf(await ended(owner, jobId)).request))
  }
  const arms = s.arms.map((arm) => ({ ...arm, dispensing: [{ packType: arm.packType, doseLevel: 'low' }] }))
  const sealed = await s.sealed({ blockSizes: [2], arms })
  const given = [await s.allocate(sealed, s.person(1)), await s.allocate(sealed, s.person(2))].map(({ body }) => body)
  const [first] = given
  await owner.do('recordPackEvent', first.pack._id, { type: 'returned', units: 3, reason: 'Visit 2' })
  const later = await owner.do('dispensePacks', sealed, {
    ...{ participant: s.person(1), quantity: 2, reason: 'Visit 2' },
  })
  const before = await record()
  const packs = rowsIn(before, 'packs.csv')
  expect(packs).toHaveLength(120)
  const { name } = first.pack
  expect(packs.find((row) => row.name === name)).toMatchObject({ participantId: 'R-1', state: 'returned', site: 'N1' })
  const events = rowsIn(before, 'pack-events.csv')
  expect(events).toHaveLength(125)
  expect(events.filter((row) => row.name === name)).toMatchObject([
    { type: 'received', site: 'N1', participantId: '', createdBy: 'Olga Owner' },
    { type: 'dispensed', participantId: 'R-1', reason: 'Main randomisation' },
    { type: 'returned', participantId: 'R-1', units: '3', reason: 'Visit 2', state: 'returned' },
  ])
  const { commitment } = await owner.do('readRandomisation', sealed)
  expect(rowsIn(before, 'randomisations.csv')).toMatchObject([
    { name: 'Main randomisation', status: 'sealed', isBlinded: 'true', commitment, sealedBy: 'Olga Owner' },
  ])
  expect(rowsIn(before, 'randomisations.csv')[0]!.dispensing).toBe(
    `${secretNames.arm}: 1 of ${secretNames.packType} at low; ${secretNames.otherArm}: 1 of ${secretNames.otherPackType} at low`,
  )
  expect(rowsIn(before, 'dispensations.csv')).toMatchObject(
    later.packs.map(({ name }) => ({
      ...{
        number: '1',
        participantId: 'R-1',
        site: 'N1',
        pack: name,
        doseLevel: 'low',
        quantity: '2',
        reason: 'Visit 2',
      },
      ...{ replaces: '', arm: first.armName, createdBy: 'Olga Owner' },
      packType: first.armName === secretNames.arm ? secretNames.packType : secretNames.otherPackType,
    })),
  )
  expect(rowsIn(before, 'allocations.csv')).toMatchObject(
    given.map(({ armName, pack }, n) => ({
      ...{ number: `${n + 1}`, participantId: `R-${n + 1}`, pack: pack.name, arm: armName, site: 'N1', stratum: '[]' },
      group: armName === secretNames.arm ? secretNames.group : secretNames.otherGroup,
      packType: armName === secretNames.arm ? secretNames.packType : secretNames.otherPackType,
    })),
  )
  // The list would tell the next arms.
  expect([...before.keys()].filter((part) => part.startsWith('randomisations/'))).toEqual([])

  await owner.do('closeRandomisation', sealed)
  const app = await s.confirmed(['trial.admin'])
  await app.do('unblindRandomisation', sealed, { reason: 'The end.' })
  const after = await record()
  expect(sha256(present(after.get(`randomisations/${sealed}.txt`)))).toBe(present(commitment))
  const manifest = manifestIn(after)
  expect(manifest.said).toEqual(manifest.true)
})
