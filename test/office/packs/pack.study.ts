/** A trial with two sites, two arms, three participants and two pack types. */
import type { Id } from '#kernel/id'
import { buildOnce } from '../../buildOnce'
import { world } from '../../harness'
import { firstOf } from '../../present'

async function build() {
  const w = world()
  const { owner, team } = w
  const trial = (await owner.do('createTrial', team, { name: 'Breath study' }))._id
  const north = (await owner.do('createSite', trial, { name: 'North Hospital', id: 'N1' }))._id
  const south = (await owner.do('createSite', trial, { name: 'South Hospital', id: 'S1' }))._id
  const armA = (await owner.do('createGroup', trial, { name: 'Arm A' }))._id
  const armB = (await owner.do('createGroup', trial, { name: 'Arm B' }))._id
  const { participants } = await owner.do('registerParticipants', trial, {
    participants: ['P-1', 'P-2', 'P-3'].map((participantId) => ({ participantId })),
  })
  const [anna, bert, carl] = participants.map(({ _id }) => _id) as [Id, Id, Id]
  await owner.do('addSiteMember', north, anna)
  await owner.do('addSiteMember', south, bert)
  await owner.do('addGroupMember', armA, anna)
  const extendedFields = [
    { key: 'tablets', label: 'Tablets', type: 'integer' },
    { key: 'opened', label: 'Opened at', type: 'datetime' },
  ]
  const drug = (await owner.do('createPackType', trial, { name: 'Tablets 50 mg', extendedFields }))._id
  const placebo = (await owner.do('createPackType', trial, { name: 'Placebo' }))._id
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
    create: async (...packs: object[]) =>
      (await owner.do('createPacks', made.trial, { packType: made.drug, packs })).packs,
    one: async (fields: object = {}) =>
      firstOf((await owner.do('createPacks', made.trial, { packType: made.drug, ...fields })).packs),
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
