/** Arms in exports in the shape of SDTM (docs/sdtm.md, docs/randomisation.md, "Concealment"). */
import { expect, test } from 'bun:test'
import { keys } from '#access/keys'
import { PASSWORD, world } from '../../harness'
import { armSecrets, armStudy } from '../../secrets.arms.study'
import { study } from './exportStudy'
import { sdtmOf } from './exports.sdtm.study'

const blind = keys.filter((key) => key !== 'admin' && key !== 'readRandomisation').map((key) => `trial.${key}`)

/** A study with one blinded randomisation of two participants of three. @param order of the arms in the list */
async function randomised(order: readonly string[] = ['Verumquagga', 'Shamquagga']) {
  const here = world()
  const of = study(here)
  of.stage('Visit', [of.field('pulse', { format: 'integer' })])
  const people = ['P-1', 'P-2', 'P-3'].map((id) => of.participant(id))
  const arms = []
  for (const name of ['Verumquagga', 'Shamquagga']) {
    const { _id } = await here.owner.do('createGroup', of.trial, { name: `${name}group` })
    arms.push({ name, group: _id })
  }
  const { _id } = await here.owner.do('createRandomisation', of.trial, {
    ...{ name: 'The only one', method: 'list', arms, list: `arm\n${order.join('\n')}\n` },
  })
  await here.owner.do('sealRandomisation', _id)
  for (const participant of people.slice(0, 2)) {
    await here.owner.do('allocateParticipant', _id, { participant })
  }
  return { here, of, randomisation: _id, groups: arms.map(({ group }) => group) }
}

const armsIn = (sdtm: Awaited<ReturnType<typeof sdtmOf>>) =>
  Object.fromEntries(sdtm.rows('dm').map(({ SUBJID, ARM, ARMCD, ARMNRS }) => [SUBJID, [ARM, ARMCD, ARMNRS]]))

test('a blinded reader gets no arm in any byte, and the same whatever the arms are', async () => {
  const orders = [undefined, ['Shamquagga', 'Verumquagga']]
  const made = await Promise.all(
    orders.map(async (order) => {
      const { here, of, groups } = await randomised(order)
      const sdtm = await sdtmOf(here, here.staff(of.trial, blind), of.trial)
      for (const [name, bytes] of sdtm.parts)
        for (const secret of ['quagga', 'ARM1', 'ARM2', ...groups])
          expect(`${name} has ${secret}: ${bytes.includes(secret)}`).toBe(`${name} has ${secret}: false`)
      expect(sdtm.readme).toContain('The arms are blinded for this reader')
      expect(sdtm.rows('ds').filter(({ DSDECOD }) => DSDECOD === 'RANDOMIZED')).toHaveLength(2)
      return armsIn(sdtm)
    }),
  )
  const expected = { 'P-1': ['', '', 'BLINDED'], 'P-2': ['', '', 'BLINDED'], 'P-3': ['', '', 'NOT ASSIGNED'] }
  expect(made).toEqual([expected, expected])
})

test('who may see arms gets them, and so does everybody after the unblinding', async () => {
  const { here, of, randomisation } = await randomised()
  const expected = {
    ...{ 'P-1': ['Verumquagga', 'ARM1', ''], 'P-2': ['Shamquagga', 'ARM2', ''], 'P-3': ['', '', 'NOT ASSIGNED'] },
  }
  expect(armsIn(await sdtmOf(here, here.owner, of.trial))).toEqual(expected)
  const app = await here.signIn(here.owner)
  await app.do('confirmIdentity', { password: PASSWORD })
  await here.owner.do('closeRandomisation', randomisation)
  await app.do('unblindRandomisation', randomisation, { reason: 'The end.' })
  expect(armsIn(await sdtmOf(here, here.staff(of.trial, blind), of.trial))).toEqual(expected)
  // Who may not see participants sees no allocations either.
  const reader = here.staff(of.trial, ['trial.readParticipantStudyData', 'trial.exportData'])
  const sdtm = await sdtmOf(here, reader, of.trial)
  expect(Object.values(armsIn(sdtm)).flat().join('')).toBe('')
  expect(sdtm.rows('ds')).toEqual([])
})

test('with packs, and a second randomisation, no byte shows an arm, and which arm is ARM is not certain', async () => {
  const s = await armStudy()
  const ids = s.arms.flatMap(({ group, packType }) => [group, packType])
  const sdtm = await sdtmOf(s, s.staff(s.trial, blind), s.trial)
  for (const [name, bytes] of sdtm.parts)
    for (const secret of [...Object.values(armSecrets), ...ids])
      expect(`${name} has ${secret}: ${bytes.includes(secret)}`).toBe(`${name} has ${secret}: false`)
  const seen = await sdtmOf(s, s.owner, s.trial)
  expect(Object.values(armsIn(seen)).flat().join('')).toBe('')
  expect(seen.readme).toContain('The study has several randomisations')
})
