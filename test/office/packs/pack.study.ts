/** A trial with two sites, two arms, three participants and two pack types. */
import type { Id } from '#kernel/id'
import { buildOnce } from '../../buildOnce'
import { world } from '../../harness'
import { firstOf } from '../../present'

async function build() {
  const w = world()
  const { owner, team } = w
  const trial = (await owner.post(`/teams/${team}/trials`, { name: 'Breath study' }))._id
  const at = `/trials/${trial}` as const
  const north = (await owner.post(`${at}/sites`, { name: 'North Hospital', id: 'N1' }))._id
  const south = (await owner.post(`${at}/sites`, { name: 'South Hospital', id: 'S1' }))._id
  const armA = (await owner.post(`${at}/groups`, { name: 'Arm A' }))._id
  const armB = (await owner.post(`${at}/groups`, { name: 'Arm B' }))._id
  const { participants } = await owner.post(`${at}/participants`, {
    participants: ['P-1', 'P-2', 'P-3'].map((participantId) => ({ participantId })),
  })
  const [anna, bert, carl] = participants.map(({ _id }) => _id) as [Id, Id, Id]
  await owner.put(`/sites/${north}/memberships/${anna}`)
  await owner.put(`/sites/${south}/memberships/${bert}`)
  await owner.put(`/groups/${armA}/memberships/${anna}`)
  const extendedFields = [
    { key: 'tablets', label: 'Tablets', type: 'integer' },
    { key: 'opened', label: 'Opened at', type: 'datetime' },
  ]
  const drug = (await owner.post(`${at}/pack-types`, { name: 'Tablets 50 mg', extendedFields }))._id
  const placebo = (await owner.post(`${at}/pack-types`, { name: 'Placebo' }))._id
  return { w, made: { trial, north, south, armA, armB, anna, bert, carl, drug, placebo } }
}

export async function packStudy() {
  const { w, made } = await buildOnce('packs', build)
  const { owner } = w
  const at = `/trials/${made.trial}` as const
  return {
    ...w,
    ...made,
    at,
    /** Creates packs of the drug with these fields, one for each. */
    create: async (...packs: object[]) => (await owner.post(`${at}/packs`, { packType: made.drug, packs })).packs,
    one: async (fields: object = {}) =>
      firstOf((await owner.post(`${at}/packs`, { packType: made.drug, ...fields })).packs),
    assign: (participant: Id, pack: Id, body?: object) =>
      owner.call('PUT', `${at}/participants/${participant}/packs/${pack}`, body),
    record: (pack: Id, body: object) => owner.call('POST', `/packs/${pack}/events`, body),
    namesOf: async (query = '') => {
      const { body } = await owner.call('GET', `${at}/packs${query}`)
      return (body.packs as { name: string }[]).map(({ name }) => name)
    },
  }
}

export type PackStudy = Awaited<ReturnType<typeof packStudy>>
