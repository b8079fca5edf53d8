/** Drafts of randomisations: what can be set, what is refused, and that nothing changes once one is sealed. */
import { describe, expect, test } from 'bun:test'
import { sha256 } from '#kernel/id'
import { firstOf, present } from '../../present'
import { randomisedStudy, SEED, secretNames } from './randomisation.study'

test('a draft has defaults, changes field by field, and can be deleted; a sealed one can do neither', async () => {
  const s = await randomisedStudy()
  const { owner, trial, arms } = s
  const draft = await owner.do('createRandomisation', trial, { name: 'First', method: 'permutedBlocks', arms })
  expect(draft).toMatchObject({
    status: 'draft',
    isBlinded: true,
    blockSizes: [4, 6],
    listLength: 1000,
    factors: [],
    preferredPercent: 80,
    eligibility: null,
    unblindingRecipients: [owner._id],
    seed: null,
    commitment: null,
  })
  expect(draft.arms).toMatchObject(arms.map((arm) => ({ ...arm, ratio: 1 })))
  const unequal = arms.map((arm, index) => ({ ...arm, ratio: 2 - index }))
  // Sizes that nobody chose follow the ratio.
  expect((await owner.do('updateRandomisation', draft._id, { arms: unequal })).blockSizes).toEqual([6, 9])
  expect(
    await owner.do('updateRandomisation', draft._id, { blockSizes: [3], name: 'Second', seed: SEED }),
  ).toMatchObject({
    name: 'Second',
    blockSizes: [3],
  })
  expect((await owner.do('updateRandomisation', draft._id, { isBlinded: false })).blockSizes).toEqual([3])
  expect((await owner.do('listRandomisations', trial)).randomisations.map(({ _id }) => _id)).toEqual([draft._id])
  await owner.do('deleteRandomisation', draft._id)
  expect((await owner.do('listRandomisations', trial)).randomisations).toEqual([])

  const sealed = await s.sealed()
  for (const [method, change] of [
    ['PUT', { name: 'Other name' }],
    ['PUT', { arms: unequal }],
    ['PUT', { seed: 'another seed, long enough', unblindingRecipients: [] }],
    ['DELETE', undefined],
  ] as const) {
    const { status, body } = await owner.call(method, `/randomisations/${sealed}`, change)
    expect([method, status, body.message]).toEqual([method, 400, expect.stringContaining('is sealed')])
  }
  expect((await owner.do('updateRandomisation', sealed, { unblindingRecipients: [] })).unblindingRecipients).toEqual([])
  // What was read can be sent back, but for what other operations set.
  const { status: _, ...read } = await owner.do('readRandomisation', sealed)
  const back = await owner.call('PUT', `/randomisations/${sealed}`, { ...read, unblindingRecipients: [owner._id] })
  expect([back.status, back.body.unblindingRecipients]).toEqual([200, [owner._id]])
  const again = await owner.call('POST', `/randomisations/${sealed}/sealing`)
  expect([again.status, again.body.message]).toEqual([400, '“Main randomisation” is sealed already.'])
})

test('the database itself refuses to change what is sealed', async () => {
  const s = await randomisedStudy()
  const dispensing = (packType: string) => [{ packType, quantity: 1 }]
  const arms = s.arms.map((arm) => ({ ...arm, dispensing: dispensing(arm.packType) }))
  const sealed = await s.sealed({ arms })
  await s.allocate(sealed, s.person(1))
  await s.owner.do('dispensePacks', sealed, { participant: s.person(1) })
  const { $client: sqlite } = s.db
  for (const sql of [
    'UPDATE randomisationDispensing SET quantity = 2',
    'DELETE FROM randomisationDispensing',
    'UPDATE dispensations SET number = 7',
    'DELETE FROM dispensations',
    `UPDATE dispensedPacks SET pack = 'x'`,
    'DELETE FROM dispensedPacks',
    `UPDATE randomisations SET seed = 'other'`,
    `UPDATE randomisations SET status = 'draft', name = 'x'`,
    'DELETE FROM randomisations',
    `UPDATE randomisationArms SET name = 'other'`,
    'UPDATE randomisationArms SET ratio = 2',
    'DELETE FROM randomisationArms',
    `UPDATE randomisationLists SET arms = '[]'`,
    'DELETE FROM randomisationLists',
    'UPDATE allocations SET number = 7',
    'DELETE FROM allocations',
  ])
    expect(() => sqlite.run(sql)).toThrow(/not changed/)
})

describe('refusals of a draft', () => {
  const cases = (
    s: Awaited<ReturnType<typeof randomisedStudy>>,
  ): [string, Record<string, unknown>, number, RegExp][] => {
    const [first, second] = s.arms as [object, object]
    const answer = { type: 'answer', stage: s.stage }
    return [
      ['one arm', { arms: [first] }, 422, /at least two/],
      [
        'the same name twice',
        { arms: [first, { ...second, name: ` ${secretNames.arm.toUpperCase()}` }] },
        422,
        /Two arms/,
      ],
      ['the same group twice', { arms: [first, { ...second, group: s.active }] }, 422, /same group/],
      ['a group of no trial', { arms: [first, { name: 'B', group: 'f'.repeat(24) }] }, 400, /does not belong/],
      ['a pack type of no trial', { arms: [first, { name: 'B', packType: s.active }] }, 400, /does not belong/],
      ['a size that the ratio does not fit', { blockSizes: [4, 5] }, 422, /5 is not a multiple of 2/],
      ['no size', { blockSizes: [] }, 422, /at least one size/],
      ['sizes without blocks', { method: 'simple' }, 422, /has no blocks/],
      ['strata without factors', { method: 'stratified' }, 422, /at least one factor/],
      ['factors of a method without', { factors: [{ name: 'Site', type: 'site' }] }, 422, /use stratified/],
      [
        'a weight without minimisation',
        { method: 'stratified', factors: [{ name: 'Site', type: 'site', weight: 2 }] },
        422,
        /weight/,
      ],
      [
        'a factor called as a column',
        { method: 'stratified', factors: [{ name: 'Arm', type: 'site' }] },
        422,
        /another column/,
      ],
      [
        'an arm as a factor',
        { method: 'stratified', factors: [{ name: 'G', type: 'group', groups: [s.active, s.diabetes] }] },
        422,
        /are arms/,
      ],
      [
        'a factor of a field that is not there',
        { method: 'stratified', factors: [{ name: 'A', ...answer, dataType: s.active }] },
        422,
        /no field/,
      ],
      [
        'a number without cut points',
        { method: 'stratified', factors: [{ name: 'A', ...answer, dataType: s.age }] },
        422,
        /cutPoints/,
      ],
      [
        'cut points out of order',
        { method: 'stratified', factors: [{ name: 'A', ...answer, dataType: s.age, cutPoints: [65, 18] }] },
        422,
        /ascending/,
      ],
      [
        'cut points of a choice',
        { method: 'stratified', factors: [{ name: 'A', ...answer, dataType: s.sex, cutPoints: [1] }] },
        422,
        /Only a number/,
      ],
      [
        'a site factor with a stage',
        { method: 'stratified', factors: [{ name: 'A', type: 'site', stage: s.stage }] },
        422,
        /no `stage`/,
      ],
      ['an eligibility of no stage', { eligibility: { stage: s.active, conditions: [] } }, 422, /no such stage/],
      [
        'a condition that does not fit',
        { eligibility: { stage: s.stage, conditions: [{ dataType: s.sex, operator: 'equal', value: 'Other' }] } },
        422,
        /not one of the options/,
      ],
      ['a list of a method that makes its own', { list: 'arm\nx' }, 422, /makes its list itself/],
      ['a seed of an uploaded list', { method: 'list', blockSizes: [], seed: SEED }, 422, /no seed/],
      ['a short seed', { seed: 'short' }, 422, /16 to 200/],
      ['a seed with a line break', { seed: `${SEED}\n${SEED}` }, 422, /line breaks/],
      ['somebody from elsewhere', { unblindingRecipients: ['f'.repeat(24)] }, 400, /no access/],
      ['half an emoji', { name: 'Half \ud83d' }, 422, /Unicode/],
    ]
  }

  test('every fault is told, and nothing is kept', async () => {
    const s = await randomisedStudy()
    for (const [what, change, status, message] of cases(s)) {
      const answer = await s.owner.call('POST', `/trials/${s.trial}/randomisations`, s.body(change))
      expect([what, answer.status]).toEqual([what, status])
      expect([what, JSON.stringify(answer.body)]).toEqual([what, expect.stringMatching(message)])
    }
    expect((await s.owner.do('listRandomisations', s.trial)).randomisations).toEqual([])
  })

  test('a group that shows who is in it cannot be concealed', async () => {
    const s = await randomisedStudy()
    const { owner, trial, active, arms } = s
    const refused = async () =>
      (await owner.call('POST', `/trials/${trial}/randomisations`, s.body())).body.details?.uses
    await owner.do('addGroupMember', active, s.person(1))
    expect(await refused()).toEqual(['it has members'])
    await owner.do('removeGroupMember', active, s.person(1))
    await owner.do('updateStage', s.stage, { availableToGroups: [active] })
    expect(await refused()).toEqual(['stages are limited to it'])
    await owner.do('updateStage', s.stage, { availableToGroups: null })
    const role = await owner.do('createRole', trial, {
      name: 'Carer',
      permissions: { [active]: ['group.read'] },
    })
    expect(await refused()).toEqual(['roles have permissions on it'])
    await owner.do('deleteRole', role._id)
    s.staff(trial, ['group.read'], active)
    expect(await refused()).toEqual(['people have permissions on it'])
    // What everybody may see can have any group.
    expect((await owner.do('createRandomisation', trial, s.body({ isBlinded: false }))).arms).toHaveLength(2)
    const other = await owner.call(
      'POST',
      `/trials/${trial}/randomisations`,
      s.body({ name: 'Other', arms, isBlinded: false }),
    )
    expect(other.body.message).toContain('an arm of another randomisation')
  })
})

test('what a randomisation refers to cannot be deleted', async () => {
  const s = await randomisedStudy()
  const { owner } = s
  const factors = [
    { name: 'Sex', type: 'answer', stage: s.stage, dataType: s.sex },
    { name: 'Diabetes', type: 'group', groups: [s.diabetes, s.healthy] },
  ]
  const sealed = await s.sealed({ method: 'stratified', factors })
  for (const url of [`/groups/${s.active}`, `/groups/${s.diabetes}`, `/stages/${s.stage}`]) {
    const { status, body } = await owner.call('DELETE', url)
    expect([url, status, body.message]).toEqual([url, 400, expect.stringContaining('“Main randomisation”')])
  }
  expect((await owner.call('DELETE', `/pack-types/${s.verum}`)).status).toBe(400)
  await s.owner.do('addGroupMember', s.diabetes, s.person(1))
  await s.screen(s.person(1), { sex: 'Female' })
  expect((await s.allocate(sealed, s.person(1))).status).toBe(200)
  const deleted = await owner.call('DELETE', `/trials/${s.trial}/participants/${s.person(1)}`, { reason: 'twice' })
  expect([deleted.status, deleted.body.message]).toEqual([400, expect.stringContaining('stay in the record')])
})

test('the commitment is published, and after the unblinding anybody can recompute the list', async () => {
  const s = await randomisedStudy()
  const { owner, trial } = s
  const draft = await s.draft({ method: 'stratified', factors: [{ name: 'Site', type: 'site' }] })
  const at = `/randomisations/${draft}` as const
  expect((await owner.call('GET', `${at}/list`)).status).toBe(400)
  const { commitment, sealedBy } = await owner.do('sealRandomisation', draft)
  expect(sealedBy).toBe(owner._id)
  const reader = s.staff(trial, ['trial.read', 'trial.readLogs', 'trial.randomise'])
  expect((await reader.do('readRandomisation', draft)).commitment).toBe(commitment)
  const { entries } = await reader.do('readLogs', trial, { type: 'sealRandomisation' })
  expect(firstOf(entries).event).toMatchObject({ name: 'Main randomisation', commitment })
  expect((await reader.call('GET', `${at}/list`)).status).toBe(403)
  const { document, lists } = await owner.do('readRandomisationList', draft)
  expect(sha256(document)).toBe(present(commitment))
  expect(lists.map(({ stratum }) => stratum)).toEqual([[s.north], [s.south]].sort())
  expect(document).toContain(`\nseed ${SEED}\n`)
  for (const { stratum, arms } of lists) {
    const numbers = arms.map((name) => (name === secretNames.arm ? 1 : 2))
    expect(document).toContain(`\nlist ${JSON.stringify(stratum)} ${numbers.join(',')}\n`)
    for (let block = 0; block < 10; block++)
      expect(numbers.slice(4 * block, 4 * block + 4).filter((arm) => arm === 1)).toHaveLength(2)
  }
  // Reading the list is recorded.
  expect((await owner.do('readLogs', trial, { type: 'readRandomisationList' })).entries).toHaveLength(1)
  // The same seed makes the same lists in another randomisation, but another commitment: nobody can try lists.
  await owner.do('updateGroup', s.diabetes, { name: 'Diabetes' })
  const second = await s.sealed({
    ...{ name: 'Second', method: 'stratified', factors: [{ name: 'Site', type: 'site' }] },
    arms: [{ name: secretNames.arm }, { name: secretNames.otherArm }],
  })
  const other = await owner.do('readRandomisationList', second)
  expect(other.lists).toEqual(lists)
  expect(other.commitment).not.toBe(commitment)
})

test('the study is unblinded by a confirmed admin, once it is closed: then everybody sees list, arms and members', async () => {
  const s = await randomisedStudy()
  const { owner, trial } = s
  const told = s.staff(trial, ['trial.read'])
  const sealed = await s.sealed({ unblindingRecipients: [told._id] })
  const at = `/randomisations/${sealed}` as const
  for (const n of [1, 2, 3, 4]) expect((await s.allocate(sealed, s.person(n))).status).toBe(200)
  const reader = s.staff(trial, ['trial.read', 'trial.listPacks'])
  expect((await reader.do('readParticipant', trial, s.person(1))).groups).toEqual([])
  const reason = 'The analysis plan is signed.'
  expect((await owner.call('POST', `${at}/unblinding`, { reason })).body.details.code).toBe('reauth')
  const admin = await s.confirmed(['trial.admin'])
  expect((await admin.call('POST', `${at}/unblinding`, { reason })).body.message).toContain(
    'Close “Main randomisation” first',
  )
  await owner.do('closeRandomisation', sealed)
  expect((await s.allocate(sealed, s.person(5))).body.message).toContain('is closed')
  expect((await admin.call('POST', `${at}/unblinding`, { reason: ' ' })).status).toBe(422)
  expect((await admin.do('unblindRandomisation', sealed, { reason })).unblindedAt).toBe(s.now())
  expect((await admin.call('POST', `${at}/unblinding`, { reason })).body.message).toContain('unblinded already')
  const { document, commitment } = await reader.do('readRandomisationList', sealed)
  expect(sha256(document)).toBe(commitment)
  const shown = await reader.do('listAllocations', sealed)
  expect(shown.allocations.map(({ armName }) => armName).sort()).toEqual(
    [secretNames.arm, secretNames.arm, secretNames.otherArm, secretNames.otherArm].sort(),
  )
  for (const { participant, group } of shown.allocations)
    expect((await reader.do('readParticipant', trial, participant)).groups).toEqual([present(group)])
  expect((await reader.do('listGroups', trial)).groups.map(({ name }) => name)).toContain(secretNames.group)
  const mails = s.db.$client.query(`SELECT user, subject, body FROM outbox WHERE user = '${told._id}'`).all()
  expect(mails).toMatchObject([
    { subject: 'Randomised study: the study was unblinded', body: expect.stringContaining(reason) },
  ])
  const { entries } = await owner.do('readLogs', trial, { type: 'unblindRandomisation' })
  expect(firstOf(entries).event).toMatchObject({ participants: 4, reason, commitment })
})

test('a copy of the trial has the draft again, with its own groups and pack types and without seed, list and state', async () => {
  const s = await randomisedStudy()
  const { owner, team, trial } = s
  const sealed = await s.sealed()
  await s.allocate(sealed, s.person(1))
  const copy = await owner.do('createTrial', team, { name: 'Next study', copyFrom: trial })
  const { randomisations } = await owner.do('listRandomisations', copy._id)
  const [draft] = randomisations
  expect(randomisations).toHaveLength(1)
  expect(draft).toMatchObject({
    ...{ name: 'Main randomisation', status: 'draft', isBlinded: true, seed: null, list: null, commitment: null },
    ...{ sealedAt: null, sealedBy: null, unblindingRecipients: [] },
  })
  const groups = (await owner.do('listGroups', copy._id)).groups.map(({ _id }) => _id)
  for (const arm of present(draft?.arms)) {
    expect(groups).toContain(present(arm.group))
    expect([s.active, s.placebo]).not.toContain(present(arm.group))
  }
  const { packTypes } = await owner.do('listPackTypes', copy._id)
  expect(packTypes.map(({ name }) => name)).toEqual([secretNames.packType, secretNames.otherPackType])
  expect(packTypes.map(({ extendedFields }) => extendedFields?.map(({ key }) => key))).toEqual([['dose'], ['dose']])
  expect(present(draft?.arms).map(({ packType }) => packType)).toEqual(packTypes.map(({ _id }) => _id))
  expect(packTypes.map(({ _id }) => _id)).not.toContain(s.verum)
  expect((await owner.do('listPacks', copy._id)).packs).toEqual([])
  const reader = s.staff(copy._id, ['trial.read'])
  expect((await reader.do('listGroups', copy._id)).groups.map(({ name }) => name)).toEqual(['Diabetes', 'No diabetes'])
  expect((await owner.do('listAllocations', present(draft)._id)).allocations).toEqual([])
})

test('whoever does not see arms copies a trial without its randomisations and their groups', async () => {
  const s = await randomisedStudy()
  const sealed = await s.sealed()
  const reader = s.invite(['trials.create'])
  await s.owner.do('setPermissions', s.trial, reader._id, {
    permissions: { [s.trial]: ['trial.read'] },
  })
  const copy = await reader.do('createTrial', s.team, { name: 'Mine', copyFrom: s.trial })
  expect((await reader.do('listRandomisations', copy._id)).randomisations).toEqual([])
  expect((await reader.do('listGroups', copy._id)).groups.map(({ name }) => name)).toEqual(['Diabetes', 'No diabetes'])
  const open = (await s.owner.do('createPackType', s.trial, { name: 'Rescue medication' })).name
  const later = await reader.do('createTrial', s.team, { name: 'Mine too', copyFrom: s.trial })
  expect((await reader.do('listPackTypes', later._id)).packTypes.map(({ name }) => name)).toEqual([open])
  expect((await reader.do('readRandomisation', sealed)).arms).toBeUndefined()
})

test('only admins make, change and seal them; a locked trial refuses that, and a locked database refuses allocations', async () => {
  const s = await randomisedStudy()
  const { owner, trial } = s
  const writer = s.staff(trial, ['trial.write', 'trial.randomise', 'trial.readRandomisation'])
  expect((await writer.call('POST', `/trials/${trial}/randomisations`, s.body())).status).toBe(403)
  const draft = await s.draft()
  for (const path of ['sealing', 'closing'])
    expect((await writer.call('POST', `/randomisations/${draft}/${path}`)).status).toBe(403)
  expect((await writer.call('PUT', `/randomisations/${draft}`, { name: 'Mine' })).status).toBe(403)
  const stranger = s.neighbours().owner
  for (const path of ['', '/list', '/balance', '/allocations'])
    expect((await stranger.call('GET', `/randomisations/${draft}${path}`)).status).toBe(404)
  // trial.write implies neither of the two keys.
  const nurse = s.staff(trial, ['trial.write'])
  const sealed = draft
  await owner.do('sealRandomisation', sealed)
  expect((await s.allocate(sealed, s.person(1), nurse)).status).toBe(403)
  expect((await nurse.call('GET', `/randomisations/${sealed}/balance`)).status).toBe(403)
  expect((await nurse.do('readRandomisation', sealed)).arms).toBeUndefined()
})
