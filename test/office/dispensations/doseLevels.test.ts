import { describe, expect, test } from 'bun:test'
import type { Id } from '#kernel/id'
import { firstOf, present } from '../../present'
import { type RandomisedStudy, randomisedStudy } from '../randomisation/randomisation.study'
import { type DispensationStudy, dispensationStudy } from './dispensation.study'

type Plan = { doseLevel?: string | null; packType: Id; quantity?: number }
const planned = (s: RandomisedStudy, ...plans: Plan[][]) => ({
  arms: s.arms.map((arm, n) => ({ ...arm, dispensing: plans[n] })),
})
const LOW = '10 mg'
const HIGH = '20 mg'

/** Both arms have two dose levels: of the second, two packs of the other type and one of the own. */
const levels = (s: RandomisedStudy) =>
  planned(
    s,
    [
      { doseLevel: LOW, packType: s.verum },
      { doseLevel: HIGH, packType: s.verum, quantity: 2 },
    ],
    [
      { doseLevel: LOW, packType: s.sham },
      { doseLevel: HIGH, packType: s.sham },
      { doseLevel: HIGH, packType: s.verum },
    ],
  )

const typesIn = (s: DispensationStudy, body: { packs: { _id: Id }[] }) =>
  body.packs.map(({ _id }) => s.typeOf(_id)).sort()

describe('dose levels', () => {
  test('are known to a blinded nurse; without one it is that of before, at first the first', async () => {
    const s = await dispensationStudy(levels)
    const seen = await s.staff(s.trial, ['trial.randomise']).do('readRandomisation', s.sealed)
    expect([seen.doseLevels, seen.arms]).toEqual([[LOW, HIGH], undefined])
    const given = async (n: number, more: object = {}) => {
      const { body } = await s.dispense(n, more, s.nurse)
      return [body.doseLevel, typesIn(s, body)]
    }
    const mixed = [s.verum, s.sham].sort()
    expect(await given(1)).toEqual([LOW, [s.verum]])
    expect(await given(1, { doseLevel: HIGH })).toEqual([HIGH, [s.verum, s.verum]])
    expect(await given(1)).toEqual([HIGH, [s.verum, s.verum]])
    expect(await given(2, { doseLevel: HIGH })).toEqual([HIGH, mixed])
    expect(await given(2, { doseLevel: LOW, quantity: 2 })).toEqual([LOW, [s.sham, s.sham]])
    expect(await given(2)).toEqual([LOW, [s.sham]])
    expect(await given(2, { doseLevel: ` ${LOW} ` })).toEqual([LOW, [s.sham]])
    expect((await s.dispense(1, { doseLevel: `${LOW}\n` }, s.nurse)).status).toBe(422)
    const refused = await s.dispense(1, { doseLevel: '30 mg' }, s.nurse)
    expect([refused.status, refused.body.validations?.json.doseLevel]).toEqual([422, ['There is no such dose level.']])
    const many = await s.dispense(1, { doseLevel: HIGH, quantity: 20 }, s.nurse)
    expect(many.status).toBe(400)
  })

  test('of a replacement is that of its pack, and the types of this level must be in stock', async () => {
    const s = await dispensationStudy(levels)
    const { body } = await s.dispense(2, { doseLevel: HIGH })
    const own = body.packs.find(({ _id }: { _id: Id }) => s.typeOf(_id) === s.verum)._id
    await s.owner.do('recordPackEvent', own, { type: 'lost', reason: 'Left on a train.' })
    s.leave(s.sham, 0)
    expect((await s.dispense(2, { replaces: own }, s.nurse)).body.details).toEqual({
      code: 'tooFewPacks',
      reason: 'noPack',
    })
    s.db.$client.run(`UPDATE packs SET state = 'inStock' WHERE state = 'quarantined'`)
    const replaced = await s.dispense(2, { replaces: own }, s.nurse)
    expect([replaced.body.doseLevel, typesIn(s, replaced.body)]).toEqual([HIGH, [s.verum]])
    // A replacement changes no dose level.
    await s.dispense(2, { doseLevel: LOW })
    await s.owner.do('recordPackEvent', replaced.body.packs[0]._id, { type: 'lost', reason: 'Again.' })
    expect((await s.dispense(2, { replaces: replaced.body.packs[0]._id })).body.doseLevel).toBe(HIGH)
    expect((await s.dispense(2)).body.doseLevel).toBe(LOW)
  })

  test('of an open randomisation may be those of one arm', async () => {
    const s = await dispensationStudy((each) => ({
      ...planned(each, [
        { doseLevel: LOW, packType: each.verum },
        { doseLevel: HIGH, packType: each.verum, quantity: 2 },
      ]),
      isBlinded: false,
    }))
    expect((await s.dispense(1, { doseLevel: HIGH })).body.packs).toHaveLength(2)
    const refused = await s.dispense(2, { doseLevel: HIGH })
    expect(refused.body.validations?.json.doseLevel).toEqual(['The arm of the participant does not have it.'])
    expect((await s.dispense(2)).body).toMatchObject({ doseLevel: null, packs: [{ packType: s.sham }] })
  })
})

test('more than a hundred packs at a time are refused', async () => {
  const s = await dispensationStudy((each) =>
    planned(each, [{ packType: each.verum, quantity: 20 }], [{ packType: each.sham, quantity: 20 }]),
  )
  const refused = await s.dispense(1, { quantity: 6 }, s.nurse)
  expect([refused.status, refused.body.validations?.json.quantity]).toEqual([
    422,
    ['That is 120 packs; 100 can be dispensed at a time.'],
  ])
  expect((await s.dispense(1, {}, s.nurse)).body.packs).toHaveLength(20)
})

describe('a draft', () => {
  test('keeps the plan of its arms, which can be sent back as it was read', async () => {
    const s = await randomisedStudy()
    const draft = await s.draft(levels(s))
    const read = await s.owner.do('readRandomisation', draft)
    expect(present(read.arms).map(({ dispensing }) => dispensing)).toEqual([
      [
        { doseLevel: LOW, packType: s.verum, quantity: 1 },
        { doseLevel: HIGH, packType: s.verum, quantity: 2 },
      ],
      [
        { doseLevel: LOW, packType: s.sham, quantity: 1 },
        { doseLevel: HIGH, packType: s.sham, quantity: 1 },
        { doseLevel: HIGH, packType: s.verum, quantity: 1 },
      ],
    ])
    expect(await s.owner.do('updateRandomisation', draft, { arms: present(read.arms) })).toEqual(read)
    expect((await s.owner.do('updateRandomisation', draft, { name: 'Renamed' })).arms).toEqual(read.arms)
    await s.owner.do('sealRandomisation', draft)
    const arms = present(read.arms).map((arm) => ({ ...arm, dispensing: [] }))
    expect((await s.owner.call('PUT', `/randomisations/${draft}`, { arms })).body.message).toContain('is sealed: arms')
    expect((await s.owner.call('PUT', `/randomisations/${draft}`, { arms: read.arms })).status).toBe(200)
  })

  const plans: [string, (s: RandomisedStudy, foreign: Id) => Plan[][], number, RegExp][] = [
    [
      'of unlike arms',
      (s) => [[{ packType: s.verum, quantity: 2 }], [{ packType: s.sham }]],
      422,
      /same number of packs/,
    ],
    [
      'of another trial',
      (s, foreign) => [[{ packType: s.verum }], [{ packType: foreign }]],
      400,
      /does not belong to this trial/,
    ],
    ['of none', (s) => [[{ packType: s.verum, quantity: 0 }], []], 422, /quantity/],
    ['of too many', (s) => [[{ packType: s.verum, quantity: 21 }], []], 422, /quantity/],
    ['with half an emoji', (s) => [[{ packType: s.verum, doseLevel: '\ud83d' }], []], 422, /doseLevel/],
  ]
  test.each(plans)('is refused with a plan %s', async (_, plan, status, message) => {
    const s = await randomisedStudy()
    const { _id: other } = await s.owner.do('createTrial', s.team, { name: 'Other study' })
    const foreign = (await s.owner.do('createPackType', other, { name: 'Elsewhere' }))._id
    const body = s.body(planned(s, ...plan(s, foreign)))
    const refused = await s.owner.call('POST', `/trials/${s.trial}/randomisations`, body)
    expect(refused.status).toBe(status)
    expect(JSON.stringify(refused.body)).toMatch(message)
  })

  test('conceals the types of its plan, which cannot be deleted, nor be of an open randomisation', async () => {
    const s = await randomisedStudy()
    const types = [(await s.owner.do('createPackType', s.trial, { name: 'Later one' }))._id]
    types.push((await s.owner.do('createPackType', s.trial, { name: 'Later two' }))._id)
    const ofNoArm = (await s.owner.do('createPackType', s.trial, { name: 'Thermometer' }))._id
    const reader = s.staff(s.trial, ['trial.read', 'trial.writePacks'])
    const names = async () => (await reader.do('listPackTypes', s.trial)).packTypes.map(({ name }) => name)
    expect(await names()).toContain('Later one')
    await s.draft(planned(s, [{ packType: types[0]! }], [{ packType: types[1]! }]))
    expect(await names()).toEqual(['Thermometer'])
    expect(await reader.do('readPackType', ofNoArm)).toMatchObject({ name: 'Thermometer' })
    expect((await reader.call('GET', `/pack-types/${types[0]!}`)).status).toBe(404)
    const hidden = await reader.call('POST', `/trials/${s.trial}/packs`, { packType: types[0], name: 'mine' })
    expect([hidden.status, hidden.body.message]).toEqual([400, 'The pack type does not belong to this trial.'])
    const { body } = await s.owner.call('DELETE', `/pack-types/${types[0]!}`)
    expect(body.message).toContain('Main randomisation')
    const open = {
      ...s.body({ name: 'Open', arms: [{ name: 'A', packType: types[0] }, { name: 'B' }] }),
      isBlinded: false,
    }
    const refused = await s.owner.call('POST', `/trials/${s.trial}/randomisations`, open)
    expect(refused.body.message).toContain('a blinded randomisation and to an open one')
  })

  test('is copied with its trial, with the types of the copy', async () => {
    const s = await dispensationStudy(levels)
    const copy = await s.owner.do('createTrial', s.team, { name: 'Next study', copyFrom: s.trial })
    const draft = firstOf((await s.owner.do('listRandomisations', copy._id)).randomisations)
    const { packTypes } = await s.owner.do('listPackTypes', copy._id)
    const [verum, sham] = packTypes.map(({ _id }) => _id)
    expect(draft.doseLevels).toEqual([LOW, HIGH])
    expect(present(draft.arms).map(({ dispensing }) => dispensing.map(({ packType }) => packType))).toEqual([
      [verum!, verum!],
      [sham!, sham!, verum!],
    ])
    expect((await s.owner.do('listDispensations', draft._id)).dispensations).toEqual([])
  })
})
