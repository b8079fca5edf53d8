/** Allocations: each eligible participant once, with group and pack, or refused with the reason and nothing used up. */
import { describe, expect, test } from 'bun:test'
import { firstOf, present } from '../../present'
import { type RandomisedStudy, randomisedStudy, secretNames } from '../randomisation/randomisation.study'

const OPEN = { isBlinded: false }
const site = { name: 'Site', type: 'site' }

/** How many packs of each state there are, and how many memberships, allocations and audit entries. */
const state = ({ db }: RandomisedStudy) =>
  db.$client
    .query(
      `SELECT (SELECT count(*) FROM packs WHERE state = 'dispensed') AS dispensed,
       (SELECT count(*) FROM participantGroups) AS members, (SELECT count(*) FROM allocations) AS allocations,
       (SELECT ifnull(sum(count), 0) FROM allocationCounts) AS counted,
       (SELECT count(*) FROM randomisationLists) AS lists,
       (SELECT count(*) FROM auditEntries WHERE type = 'allocateParticipant') AS entries`,
    )
    .get()

test('an open allocation puts the participant into the group and gives a pack of the type at the site', async () => {
  const s = await randomisedStudy()
  const { owner, trial } = s
  const sealed = await s.sealed(OPEN)
  await owner.do('updateParticipant', trial, s.person(13), { isUnallocated: true })
  for (const n of [1, 13]) {
    const { status, body } = await s.allocate(sealed, s.person(n))
    expect(status).toBe(200)
    const arm = present(s.arms.find(({ name }) => name === body.armName))
    expect(body).toMatchObject({ group: arm.group, packType: arm.packType, participantId: `R-${n}`, stratum: [] })
    const participant = await owner.do('readParticipant', trial, s.person(n))
    expect([participant.groups, participant.isUnallocated]).toEqual([[arm.group], false])
    const pack = await owner.do('readPack', body.pack._id)
    expect(pack).toMatchObject({
      ...{ packType: arm.packType, participant: s.person(n), state: 'dispensed' },
      assignedToSite: n === 1 ? s.north : s.south,
    })
    const reader = s.staff(trial, ['trial.listPacks'])
    expect((await reader.do('readPack', body.pack._id)).packType).toBe(arm.packType)
    const { entries } = await owner.do('readLogs', trial, { type: 'allocateParticipant' })
    expect(firstOf(entries)).toMatchObject({
      participantId: `R-${n}`,
      event: { name: 'Main randomisation', number: n === 1 ? 1 : 2, pack: body.pack, concealed: { arm: body.arm } },
    })
  }
  expect((await owner.do('listAllocations', sealed, { participant: s.person(13) })).allocations).toHaveLength(1)
  expect((await owner.do('listAllocations', sealed, { after: 1 })).allocations.map(({ number }) => number)).toEqual([2])
})

describe('refusals say the reason and use nothing up', () => {
  test('of a participant who cannot be allocated', async () => {
    const s = await randomisedStudy()
    const { owner, trial, sex } = s
    const draft = await s.draft({
      ...OPEN,
      eligibility: { stage: s.stage, conditions: [{ dataType: sex, operator: 'equal', value: 'Female' }] },
    })
    expect((await s.allocate(draft, s.person(1))).body.message).toBe('“Main randomisation” is not sealed yet.')
    await owner.do('sealRandomisation', draft)
    await s.screen(s.person(2), { sex: 'Male' })
    for (const n of [3, 4, 5]) await s.screen(s.person(n), { sex: 'Female' })
    await owner.do('updateParticipant', trial, s.person(3), { isWithdrawn: true })
    await owner.do('updateParticipant', trial, s.person(4), { isArchived: true })
    expect((await s.allocate(draft, s.person(5))).status).toBe(200)
    const before = state(s)
    for (const [n, message] of [
      [1, '“Screening” of “R-1” is not submitted: it decides who is eligible.'],
      [2, '“R-2” is not eligible by the answers of “Screening”.'],
      [3, '“R-3” has withdrawn.'],
      [4, '“R-4” is archived.'],
      [5, '“R-5” was allocated already, on 2026-03-02T12:00:00.000000Z as number 1.'],
    ] as const) {
      const { status, body } = await s.allocate(draft, s.person(n))
      expect([n, status, body.message]).toEqual([n, 400, message])
    }
    expect((await s.allocate(draft, 'f'.repeat(24))).status).toBe(404)
    expect(state(s)).toEqual(before)
  })

  test('of a participant whose stratum is unknown', async () => {
    const s = await randomisedStudy()
    const { owner, trial } = s
    const factors = [
      site,
      { name: 'Diabetes', type: 'group', groups: [s.diabetes, s.healthy] },
      { name: 'Age', type: 'answer', stage: s.stage, dataType: s.age, cutPoints: [18, 65] },
      { name: 'Sex', type: 'answer', stage: s.stage, dataType: s.sex },
    ]
    const sealed = await s.sealed({ ...OPEN, method: 'stratified', factors })
    const before = state(s)
    const message = async (n: number, more = {}) => (await s.allocate(sealed, s.person(n), s.owner, more)).body.message
    await owner.do('updateParticipants', trial, { updates: [{ participant: s.person(1), sites: [] }] })
    expect(await message(1)).toBe('“Site” is missing: the participant belongs to no site.')
    await owner.do('addSiteMember', s.south, s.person(2))
    expect(await message(2)).toBe('“Site” is missing: the participant belongs to several sites: say which one counts.')
    expect(await message(3, { site: s.south })).toBe('The participant does not belong to this site.')
    expect(await message(3)).toBe(
      '“Diabetes” is missing: the participant must be in one of its groups, and is in none of them.',
    )
    await owner.do('addGroupMember', s.diabetes, s.person(3))
    await owner.do('addGroupMember', s.healthy, s.person(3))
    expect(await message(3)).toContain('is in 2 of them')
    await owner.do('removeGroupMember', s.healthy, s.person(3))
    expect(await message(3)).toBe('“Age” is missing: “Screening” of “R-3” has no answer for it.')
    await s.screen(s.person(3), { age: 40 })
    expect(await message(3)).toBe('“Sex” is missing: “Screening” of “R-3” has no answer for it.')
    expect(state(s)).toEqual({ ...Object(before), members: 1 })
    await s.screen(s.person(3), { age: 40, sex: 'Male' })
    const { body } = await s.allocate(sealed, s.person(3))
    expect(body.stratum).toEqual([s.north, s.diabetes, '18 to < 65', 'Male'])
    for (const group of [s.diabetes]) await owner.do('addGroupMember', group, s.person(2))
    await s.screen(s.person(2), { age: 17, sex: 'Male' })
    const chosen = await s.allocate(sealed, s.person(2), s.owner, { site: s.south })
    expect(chosen.body).toMatchObject({ site: s.south, stratum: [s.south, s.diabetes, '< 18', 'Male'] })
    expect((await owner.do('readPack', chosen.body.pack._id)).assignedToSite).toBe(s.south)
  })

  test('when the list of the stratum is used up, and when it lacks the stratum', async () => {
    const s = await randomisedStudy()
    const list = `arm,Site\n${secretNames.arm},North\n${secretNames.otherArm},N1\n`
    const sealed = await s.sealed({ ...OPEN, method: 'list', blockSizes: [], seed: null, factors: [site], list })
    expect((await s.allocate(sealed, s.person(1))).body.armName).toBe(secretNames.arm)
    expect((await s.allocate(sealed, s.person(2))).body.armName).toBe(secretNames.otherArm)
    const before = state(s)
    expect((await s.allocate(sealed, s.person(3))).body.message).toBe(
      'The list of this stratum is used up: its 2 places are allocated.',
    )
    expect((await s.allocate(sealed, s.person(13))).body.message).toContain('has no part for this stratum')
    expect(state(s)).toEqual(before)
    const wrong = await s.owner.call(
      'POST',
      `/trials/${s.trial}/randomisations`,
      s.body({
        ...{
          name: 'Wrong',
          method: 'list',
          blockSizes: [],
          seed: null,
          factors: [site],
          arms: [{ name: 'A' }, { name: 'B' }],
        },
        list: 'arm,Site\nA,North\nC,Hull\n',
      }),
    )
    expect(wrong.body.validations.json.list).toEqual([
      'Line 3: no arm is called “C”.',
      'Line 3: “Hull” is not a level of “Site”.',
    ])
  })
})

describe('packs', () => {
  /** Leaves this many packs of a type at the northern site. */
  const leave = (s: RandomisedStudy, packType: string, count: number) =>
    s.db.$client.run(
      `UPDATE packs SET state = 'lost' WHERE packType = ? AND assignedToSite = ? AND _id NOT IN
         (SELECT _id FROM packs WHERE packType = ? AND assignedToSite = ? AND state = 'inStock' LIMIT ?)`,
      [packType, s.north, packType, s.north, count],
    )
  const sameType = (s: RandomisedStudy) => s.arms.map((arm) => ({ ...arm, packType: s.verum }))

  test('forty coordinators ask for the last pack at once: one gets it, the others a clear refusal, and the list is not moved on', async () => {
    const s = await randomisedStudy()
    const names = Array.from({ length: 40 }, (_, n) => ({ participantId: `Q-${n}` }))
    const { participants } = await s.owner.do('registerParticipants', s.trial, { participants: names })
    const updates = participants.map(({ _id }) => ({ participant: _id, sites: [s.north] }))
    await s.owner.do('updateParticipants', s.trial, { updates })
    const sealed = await s.sealed({ arms: sameType(s) })
    leave(s, s.verum, 1)
    const ask = (participant: string) => s.allocate(sealed, participant, s.staff(s.trial, ['site.randomise'], s.north))
    const answers = await Promise.all(participants.map(({ _id }) => ask(_id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of answers.filter(({ status }) => status !== 200)) {
      expect([status, body.message]).toEqual([400, expect.stringMatching(/^No pack is left/)])
    }
    expect(state(s)).toMatchObject({ dispensed: 1, allocations: 1, entries: 1 })
    // The same participant, asked for at once by several people.
    const at = await Promise.all(Array.from({ length: 8 }, () => s.allocate(sealed, s.person(13))))
    expect(at.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)])
    const numbers = s.db.$client.query('SELECT number FROM allocations ORDER BY number').values().flat()
    expect(numbers).toEqual([1, 2])
  })

  test('an open randomisation needs a pack of the drawn arm only', async () => {
    const s = await randomisedStudy()
    const list = `arm\n${secretNames.arm}\n${secretNames.otherArm}\n${secretNames.arm}\n`
    const sealed = await s.sealed({ ...OPEN, method: 'list', blockSizes: [], seed: null, list })
    leave(s, s.verum, 1)
    leave(s, s.sham, 0)
    expect((await s.allocate(sealed, s.person(1))).status).toBe(200)
    const before = state(s)
    expect((await s.allocate(sealed, s.person(2))).body.message).toMatch(/^No pack .*left at “North”/)
    expect(state(s)).toEqual(before)
    // At the other site, whose packs are there, the same place of the list is used.
    expect((await s.allocate(sealed, s.person(13))).body.armName).toBe(secretNames.otherArm)
  })

  test('a blinded one needs every type, so that no refusal tells the next arm', async () => {
    const s = await randomisedStudy()
    const sealed = await s.sealed()
    leave(s, s.sham, 0)
    const refusals = await Promise.all([1, 2, 3, 4, 5].map((n) => s.allocate(sealed, s.person(n))))
    for (const { status, body } of refusals) {
      expect([status, body.details?.reason]).toEqual([400, 'noPack'])
      expect(JSON.stringify(body)).not.toContain(secretNames.otherPackType)
    }
    expect(state(s)).toMatchObject({ dispensed: 0, allocations: 0 })
    expect((await s.allocate(sealed, s.person(13))).status).toBe(200)
  })

  test('arms without a pack type need no site, and arms without a group put nobody anywhere', async () => {
    const s = await randomisedStudy()
    const sealed = await s.sealed({ ...OPEN, arms: [{ name: 'A' }, { name: 'B' }] })
    await s.owner.do('updateParticipants', s.trial, { updates: [{ participant: s.person(1), sites: [] }] })
    const { body } = await s.allocate(sealed, s.person(1))
    expect(body).toMatchObject({ pack: null, group: null, packType: null, site: null })
  })
})

test('a site that came after the sealing has a list of its own, from the same seed', async () => {
  const s = await randomisedStudy()
  const { owner, trial } = s
  const sealed = await s.sealed({
    ...OPEN,
    method: 'stratified',
    factors: [site],
    arms: [{ name: 'A' }, { name: 'B' }],
  })
  const late = (await owner.do('createSite', trial, { name: 'West', id: 'W1' }))._id
  await owner.do('updateParticipants', trial, {
    updates: [1, 2, 3, 4].map((n) => ({ participant: s.person(n), sites: [late] })),
  })
  const names: string[] = []
  for (const n of [1, 2, 3, 4]) names.push((await s.allocate(sealed, s.person(n))).body.armName)
  expect(names.sort()).toEqual(['A', 'A', 'B', 'B'])
  const { lists, document } = await owner.do('readRandomisationList', sealed)
  expect(lists.map(({ stratum }) => stratum[0]).sort()).toEqual([s.north, s.south, late].sort())
  expect(document).not.toContain(late)
})

test('a minimisation balances each factor, and the balance report says how far', async () => {
  const s = await randomisedStudy()
  const { owner } = s
  const factors = [site, { name: 'Sex', type: 'answer', stage: s.stage, dataType: s.sex, weight: 2 }]
  const sealed = await s.sealed({ method: 'minimisation', blockSizes: [], factors, preferredPercent: 100 })
  for (let n = 1; n <= 24; n++) {
    await s.screen(s.person(n), { sex: n % 3 ? 'Female' : 'Male' })
    expect((await s.allocate(sealed, s.person(n))).status).toBe(200)
  }
  const balance = await owner.do('readRandomisationBalance', sealed)
  expect(balance.allocated).toBe(24)
  expect(balance.arms.map(({ expected }) => expected)).toEqual([12, 12])
  expect(balance.factors.map(({ factor }) => factor)).toEqual(['Site', 'Site', 'Sex', 'Sex'])
  for (const { factor, level, counts, imbalance } of balance.factors) {
    expect([factor, level, Math.abs(counts[0]! - counts[1]!)]).toEqual([factor, level, imbalance])
    expect(imbalance).toBeLessThanOrEqual(2)
  }
  expect(balance.bound).toBeNull()
  const blind = s.staff(s.trial, ['trial.write', 'trial.randomise'])
  expect((await blind.call('GET', `/randomisations/${sealed}/balance`)).status).toBe(403)
})

test('the balance of blocks by stratum keeps within the bound that it states', async () => {
  const s = await randomisedStudy()
  const sealed = await s.sealed({ method: 'stratified', factors: [site], blockSizes: [4] })
  for (let n = 1; n <= 20; n++) expect((await s.allocate(sealed, s.person(n))).status).toBe(200)
  const { strata, bound, arms } = await s.owner.do('readRandomisationBalance', sealed)
  expect(bound).toBe(2)
  expect(strata.map(({ counts }) => counts[0]! + counts[1]!).sort()).toEqual([12, 8].sort())
  for (const { imbalance } of strata) expect(imbalance).toBeLessThanOrEqual(2)
  expect(arms.map(({ count }) => count)).toEqual([10, 10])
})

test('who is limited to a site allocates, sees and counts its participants only', async () => {
  const s = await randomisedStudy()
  const sealed = await s.sealed()
  const nurse = s.staff(s.trial, ['site.read', 'site.randomise'], s.north)
  expect((await s.allocate(sealed, s.person(1), nurse)).status).toBe(200)
  expect((await s.allocate(sealed, s.person(13), nurse)).status).toBe(404)
  expect((await s.allocate(sealed, s.person(13))).status).toBe(200)
  const { allocations } = await nurse.do('listAllocations', sealed)
  expect(allocations.map(({ participantId }) => participantId)).toEqual(['R-1'])
  const other = s.db.$client.query(`SELECT _id FROM allocations WHERE number = 2`).get() as { _id: string }
  const app = await s.confirmed(['site.read', 'site.randomise'], s.north)
  const unblinding = { participantId: 'R-13', reason: 'Allergy' }
  expect(
    (await app.call('POST', `/randomisations/${sealed}/allocations/${other._id}/unblinding`, unblinding)).status,
  ).toBe(404)
  // Somebody who may randomise at one site, but reads another too.
  const reader = s.staff(s.trial, ['site.read', 'site.randomise'], s.south)
  s.db.$client.run('INSERT INTO permissions (user, trial, scope, keys) VALUES (?, ?, ?, ?)', [
    reader._id,
    s.trial,
    s.north,
    '["site.read"]',
  ])
  expect((await s.allocate(sealed, s.person(2), reader)).status).toBe(403)
})

test('with an Idempotency-Key, a repeated allocation answers the first result again', async () => {
  const s = await randomisedStudy()
  const sealed = await s.sealed()
  const nurse = s.staff(s.trial, ['trial.read', 'trial.randomise'])
  const once = () =>
    nurse.call(
      'POST',
      `/randomisations/${sealed}/allocations`,
      { participant: s.person(1) },
      { headers: { 'Idempotency-Key': 'a' } },
    )
  const [first, second] = await Promise.all([once(), once()])
  expect(first.status).toBe(200)
  expect((await once()).body).toEqual(first.body)
  expect(second.body).toEqual(first.body)
  expect(state(s)).toMatchObject({ allocations: 1, dispensed: 1 })
})

test('an emergency unblinding needs reason, participant ID and confirmation; it is recorded, and the people named are told', async () => {
  const s = await randomisedStudy()
  const { owner, trial } = s
  const [first, second] = [s.staff(trial, ['trial.read']), s.staff(trial, ['trial.read'])]
  const sealed = await s.sealed({ unblindingRecipients: [first._id, second._id] })
  const { _id } = (await s.allocate(sealed, s.person(1))).body
  const at = `/randomisations/${sealed}/allocations/${_id}/unblinding` as const
  const body = { participantId: 'r-1', reason: 'Anaphylaxis ⚕' }
  const key = s.staff(trial, ['trial.read', 'trial.randomise'])
  expect((await key.call('POST', at, body)).body.details.code).toBe('reauth')
  const without = await s.confirmed(['trial.write'])
  expect((await without.call('POST', at, body)).status).toBe(403)
  const doctor = await s.confirmed(['trial.read', 'trial.randomise'])
  for (const [wrong, status] of [
    [{ ...body, reason: '  ' }, 422],
    [{ ...body, reason: 'half \ud83d' }, 422],
    [{ reason: 'x' }, 422],
    [{ ...body, participantId: 'R-2' }, 400],
  ] as const)
    expect((await doctor.call('POST', at, wrong)).status).toBe(status)
  expect(s.db.$client.query('SELECT count(*) FROM unblindings').values()).toEqual([[0]])
  const shown = await doctor.do('unblindParticipant', sealed, _id, body)
  const { allocations } = await owner.do('listAllocations', sealed)
  expect(shown.arm.name).toBe(present(firstOf(allocations).armName))
  expect(firstOf(allocations).unblindedAt).toBe(s.now())
  // Whoever unblinded one participant still does not see arms anywhere else.
  expect(firstOf((await doctor.do('listAllocations', sealed)).allocations).armName).toBeUndefined()
  const mails = s.db.$client.query('SELECT user, subject, body FROM outbox ORDER BY user').all() as Record<
    string,
    string
  >[]
  expect(mails.map(({ user }) => user)).toEqual([first._id, second._id])
  for (const { subject, body } of mails) {
    expect(subject).toContain('participant R-1 was unblinded')
    expect(body).toContain('Anaphylaxis ⚕')
    for (const secret of Object.values(secretNames)) expect(body).not.toContain(secret)
  }
  const { entries } = await owner.do('readLogs', trial, { type: 'unblindParticipant' })
  expect(firstOf(entries)).toMatchObject({ participantId: 'R-1', event: { reason: 'Anaphylaxis ⚕' } })
  // The confirmation ends after five minutes.
  s.clock(6 * 60 * 1_000_000)
  expect((await doctor.call('POST', at, body)).body.details.code).toBe('reauth')
  const open = await s.sealed({ ...OPEN, name: 'Open', arms: [{ name: 'A' }, { name: 'B' }] })
  const other = (await s.allocate(open, s.person(1))).body._id
  await doctor.do('confirmIdentity', { password: 'harbour lantern 71' })
  const needless = await doctor.call('POST', `/randomisations/${open}/allocations/${other}/unblinding`, body)
  expect([needless.status, needless.body.message]).toEqual([400, expect.stringContaining('is not blinded')])
})

test('nobody gets into the group of a blinded arm by hand, and no stage, role or setting can name it', async () => {
  const s = await randomisedStudy()
  const { owner, trial, active } = s
  const sealed = await s.sealed()
  await s.allocate(sealed, s.person(1))
  const attempts: [string, string, unknown][] = [
    ['PUT', `/groups/${active}/memberships/${s.person(2)}`, undefined],
    ['DELETE', `/groups/${active}/memberships/${s.person(1)}`, undefined],
    ['PATCH', `/trials/${trial}/participants`, { updates: [{ participant: s.person(2), groups: [active] }] }],
    ['POST', `/trials/${trial}/participants`, { participantId: 'R-99', groups: [active] }],
    ['PUT', `/stages/${s.stage}`, { availableToGroups: [active] }],
    ['POST', `/trials/${trial}/roles`, { name: 'Carer', permissions: { [active]: ['group.read'] } }],
    [
      'PUT',
      `/trials/${trial}/users/${s.staff(trial, ['trial.read'])._id}/permissions`,
      { permissions: { [active]: ['group.read'] } },
    ],
    ['PUT', `/trials/${trial}`, { fitbitGroups: [active] }],
    ['DELETE', `/groups/${active}`, undefined],
  ]
  const before = state(s)
  for (const [method, url, body] of attempts) {
    const { status } = await owner.call(method, url, body)
    expect([method, url, [400, 404, 422].includes(status)]).toEqual([method, url, true])
  }
  expect(state(s)).toEqual(before)
})
