/** The study with secrets, randomised and blinded: two arms with groups and pack types that nobody may see but who may. */
import type { Id } from '#kernel/id'
import { PASSWORD } from './harness'
import { firstOf, present } from './present'
import { secretStudy } from './secrets.study'

/** What nobody may see without trial.readRandomisation, besides `_id`s. */
export const armSecrets = {
  arm: 'Verumquagga',
  'other arm': 'Shamquagga',
  'group before': 'Tapirgroup',
  group: 'Quetzalgroup',
  'other group': 'Ocelotgroup',
  'pack type': 'Kestreltype',
  'other pack type': 'Plovertype',
  'batch number': 'LYNX-771',
  'other batch number': 'MUNTJAC-88',
  'value of an extended field': 'Ibexdose',
  'other value of an extended field': 'Nandudose',
  'key of an extended field': 'koaladose',
}

type Treatment = 'verum' | 'sham'
const names = {
  verum: [armSecrets.arm, armSecrets.group, armSecrets['pack type'], armSecrets['batch number'], 'Ibexdose'],
  sham: [armSecrets['other arm'], armSecrets['other group'], armSecrets['other pack type'], 'MUNTJAC-88', 'Nandudose'],
} as const

/**
 * @param order the treatments in the order of the list: exchanged, everything that a blinded person sees must be the same. Groups, types
 * and packs are made in this order too, so that the packs have the same names
 */
export async function armStudy(order: readonly [Treatment, Treatment] = ['verum', 'sham']) {
  const s = await secretStudy()
  const { owner, trial, anna, made, site } = s
  const { bert, carl } = made.study
  const arms: {
    name: string
    group: Id
    packType: Id
    dispensing: { doseLevel: string; packType: Id; quantity?: number }[]
  }[] = []
  for (const [index, treatment] of order.entries()) {
    const [name, group, type, batchNumber, dose] = names[treatment]
    const { _id } = await owner.do('createGroup', trial, { name: armSecrets['group before'] })
    await owner.do('updateGroup', _id, { name: group })
    await owner.do('addGroupMember', _id, anna)
    await owner.do('updateParticipants', trial, { updates: [{ participant: bert, groups: [_id] }] })
    await owner.do('updateParticipants', trial, { updates: [{ participant: bert, groups: [] }] })
    await owner.do('removeGroupMember', _id, anna)
    const extendedFields = [{ key: armSecrets['key of an extended field'], label: 'Dose', type: 'text' }]
    const packType = (await owner.do('createPackType', trial, { name: type, extendedFields }))._id
    const packs = Array.from({ length: 24 }, (_, n) => ({
      name: `K-${100 + 10 * n + index}`,
      // One of each type expires first, so that the same pack is given whatever is drawn.
      expiryDate: `2027-01-${n + 1 < 10 ? '0' : ''}${n + 1}`,
      batchNumber,
      extended: { [armSecrets['key of an extended field']]: dose },
      assignedToSite: site,
    }))
    const made = await owner.do('createPacks', trial, { packType, packs })
    await owner.do('updatePack', firstOf(made.packs)._id, { batchNumber: `${batchNumber}-a` })
    arms.push({ name, group: _id, packType, dispensing: [] })
  }
  // Dose levels: at the higher, one of each type or two of one, which a blinded person cannot tell.
  for (const [index, arm] of arms.entries()) {
    const other = arms[1 - index]!.packType
    const high = [
      { doseLevel: 'high', packType: arm.packType },
      { doseLevel: 'high', packType: other },
    ]
    arm.dispensing = [{ doseLevel: 'low', packType: arm.packType }, ...high]
  }
  const { number } = await owner.do('createConfigurationVersion', trial)
  for (const participant of [bert, carl]) await owner.do('addSiteMember', site, participant)
  const lines = [...order, ...order].map((treatment) => names[treatment][0])
  const recipient = s.staff(trial, ['trial.read'])
  const { _id: randomisation } = await owner.do('createRandomisation', trial, {
    name: 'The blinded one',
    method: 'list',
    arms,
    list: `arm\n${lines.join('\n')}\n`,
    unblindingRecipients: [recipient._id],
  })
  const { commitment } = await owner.do('sealRandomisation', randomisation)
  const allocate = async (participant: Id) =>
    (await owner.do('allocateParticipant', randomisation, { participant }))._id
  const allocations = [await allocate(anna), await allocate(bert)]
  const dispense = (participant: Id, more: object = {}) =>
    owner.do('dispensePacks', randomisation, { participant, ...more })
  const { packs: given } = await dispense(anna)
  await dispense(bert, { doseLevel: 'high', reason: 'Visit 2' })
  await owner.do('recordPackEvent', firstOf(given)._id, { type: 'lost', reason: 'Left on a train.' })
  await dispense(anna, { replaces: firstOf(given)._id })
  const after = await owner.do('createConfigurationVersion', trial, { note: 'blinded' })
  const app = await s.signInStaff(owner)
  await app.do('confirmIdentity', { password: PASSWORD })
  const emergency = { participantId: 'P-2', reason: 'An emergency.' }
  await app.do('unblindParticipant', randomisation, present(allocations[1]), emergency)
  Object.assign(s.params, { randomisationId: randomisation, allocationId: allocations[0] })
  s.bodies['POST /randomisations/:randomisationId/allocations'] = { participant: carl }
  s.bodies['POST /randomisations/:randomisationId/dispensations'] = { participant: anna }
  return { ...s, bert, carl, arms, randomisation, commitment, told: recipient, versions: [number, after.number] }
}

export type ArmStudy = Awaited<ReturnType<typeof armStudy>>

/** Requests that read what a randomisation might show, besides those of all operations. */
export function armUrls(s: ArmStudy): string[] {
  const { trial, randomisation, arms, versions, anna, bert } = s
  const base = `/trials/${trial}`
  const types = [
    'createGroup',
    'updateGroup',
    'addGroupMember',
    'removeGroupMember',
    'updateParticipant',
    'createPackType',
  ]
  const more = [
    'createPack',
    'updatePack',
    'createRandomisation',
    'sealRandomisation',
    'allocateParticipant',
    'unblindParticipant',
    'dispensePack',
    'recordPackEvent',
  ]
  return [
    ...[...types, ...more].map((type) => `${base}/logs?type=${type}`),
    ...[5, 6, 7, 8].map((page) => `${base}/logs?page=${page}`),
    ...[...versions, 1].flatMap((number) => [
      `${base}/configuration-versions/${number}`,
      ...versions.map((against) => `${base}/configuration-versions/${number}?against=${against}`),
    ]),
    `${base}/packs?format=csv`,
    `${base}/packs/accountability?format=csv`,
    `${base}/packs/accountability?site=${s.site}`,
    ...Object.values(armSecrets).map((term) => `${base}/packs?term=${encodeURIComponent(term)}`),
    ...[anna, bert].flatMap((participant) => [
      `${base}/participants/${participant}`,
      `${base}/participants/${participant}/packs`,
      `${base}/participants/${participant}/packs?availableOnly=true`,
      `/randomisations/${randomisation}/allocations?participant=${participant}`,
      `/randomisations/${randomisation}/dispensations?participant=${participant}`,
    ]),
    ...arms.flatMap(({ group, packType }) => [
      `${base}/participants?groupsInclude=${group}`,
      `${base}/participants?groupsExclude=${group}`,
      `${base}/participants?groupsInclude=${group}&groupsIncludeNone=true&format=csv`,
      `${base}/schedule?group=${group}`,
      `${base}/packs?packType=${packType}`,
      `${base}/packs?packType=${packType}&format=csv`,
      `${base}/packs/accountability?packType=${packType}`,
      `${base}/participants/${anna}/packs?packType=${packType}`,
      `/pack-types/${packType}`,
    ]),
    `/randomisations/${randomisation}/list`,
    `/randomisations/${randomisation}/balance`,
  ]
}

/** Requests that write about a concealed arm, by whoever knows its `_id` from before. */
export function armWrites(s: ArmStudy): [method: string, url: string, body?: unknown][] {
  const { trial, anna, bert, arms, randomisation } = s
  const named = (name: string) => s.db.$client.query('SELECT _id FROM packs WHERE name = ?').get(name) as { _id: Id }
  const pack = named('K-180')
  const dispensing: [string, string, unknown?][] = [anna, bert].flatMap((participant) => [
    ...['K-180', 'K-181', 'K-100', 'K-101'].flatMap((name): [string, string, unknown?][] => [
      ['PUT', `/trials/${trial}/participants/${participant}/packs/${named(name)._id}`],
      ['DELETE', `/trials/${trial}/participants/${participant}/packs/${named(name)._id}`],
      ['POST', `/randomisations/${randomisation}/dispensations`, { participant, replaces: named(name)._id }],
    ]),
    // The last of these exceed the stock of one type or the other.
    ...[
      {},
      { doseLevel: 'low', quantity: 2 },
      { doseLevel: 'high' },
      { quantity: 20 },
      { doseLevel: 'high', quantity: 2 },
    ].map((more): [string, string, unknown?] => [
      'POST',
      `/randomisations/${randomisation}/dispensations`,
      { participant, ...more },
    ]),
  ])
  const written = arms.flatMap(({ group, packType }): [string, string, unknown?][] => [
    ['PUT', `/groups/${group}/memberships/${anna}`],
    ['DELETE', `/groups/${group}/memberships/${anna}`],
    ['PATCH', `/trials/${trial}/participants`, { updates: [{ participant: anna, groups: [group] }] }],
    ['PATCH', `/trials/${trial}/participants`, { updates: [{ participant: bert, groups: [group] }] }],
    ['POST', `/trials/${trial}/participants`, { participantId: 'P-new', groups: [group] }],
    ['POST', `/trials/${trial}/stages`, { name: 'For an arm', availableToGroups: [group] }],
    ['POST', `/trials/${trial}/packs`, { packType, name: 'mine' }],
    ['POST', `/trials/${trial}/packs/import`, { packType, csv: 'name\nmine\n' }],
    ['PUT', '/packs/update', { ids: [pack._id], packType }],
    ['PUT', `/packs/${pack._id}`, { extended: { koaladose: 'x' } }],
    ['PUT', `/packs/${pack._id}`, { availableToGroups: [group] }],
    ['PUT', `/pack-types/${packType}`, { description: 'mine' }],
    ['DELETE', `/groups/${group}`],
  ])
  return [...dispensing, ...written]
}
