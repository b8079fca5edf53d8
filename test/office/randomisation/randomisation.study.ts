/** A study that is randomised: two sites, an eligibility stage, two arms with groups and pack types, and packs at the sites. */
import type { Id } from '#kernel/id'
import { buildOnce } from '../../buildOnce'
import { type World, world } from '../../harness'

/** How many packs of each type each site has. */
const PACKS = 30

export const SEED = 'fixed seed of the tests 1'

/** Names that no blinded reader may see, nor find in any byte of an answer. */
export const secretNames = {
  arm: 'Verumarm',
  otherArm: 'Shamarm',
  group: 'Quetzalgroup',
  otherGroup: 'Ocelotgroup',
  groupBefore: 'Tapirgroup',
  packType: 'Kestreltype',
  otherPackType: 'Plovertype',
  batch: 'BATCH-LYNX',
  extended: 'Ibexdose',
} as const

async function build({ owner, team }: World) {
  const trial: Id = (await owner.do('createTrial', team, { name: 'Randomised study' }))._id
  const of = async (dataType: Record<string, unknown>): Promise<Id> =>
    (await owner.do('createDataType', trial, dataType))._id
  const options = [{ label: 'Female' }, { label: 'Male' }]
  const sex = await of({ name: 'Sex', code: 'sex', format: 'choice', options })
  const age = await of({ name: 'Age', code: 'age', format: 'integer', min: 0, max: 120 })
  const components = [
    { id: 'sex', dataType: sex, title: 'Sex' },
    { id: 'age', dataType: age, title: 'Age' },
  ]
  const stage: Id = (
    await owner.do('createStage', trial, { name: 'Screening', components, allowIncompleteSubmission: true })
  )._id
  const sites: Id[] = []
  for (const [name, id] of [
    ['North', 'N1'],
    ['South', 'S1'],
  ])
    sites.push((await owner.do('createSite', trial, { name, id }))._id)
  const [north, south] = sites as [Id, Id]
  const groups: Id[] = []
  for (const name of [secretNames.groupBefore, secretNames.otherGroup, 'Diabetes', 'No diabetes'])
    groups.push((await owner.do('createGroup', trial, { name }))._id)
  const [active, placebo, diabetes, healthy] = groups as [Id, Id, Id, Id]
  await owner.do('updateGroup', active, { name: secretNames.group })
  const packTypes: Id[] = []
  for (const name of [secretNames.packType, secretNames.otherPackType]) {
    const extendedFields = [{ key: 'dose', label: 'Dose', type: 'text' }]
    packTypes.push((await owner.do('createPackType', trial, { name, extendedFields }))._id)
  }
  const [verum, sham] = packTypes as [Id, Id]
  for (const [index, packType] of packTypes.entries()) {
    for (const [at, assignedToSite] of sites.entries()) {
      const packs = Array.from({ length: PACKS }, (_, n) => ({
        name: `K-${1000 + (((n * 2 + index) * 7919 + at * 401) % 9000)}-${at}${index}${n}`,
        batchNumber: `${secretNames.batch}-${index}`,
        extended: { dose: secretNames.extended },
        assignedToSite,
      }))
      await owner.do('createPacks', trial, { packType, packs })
    }
  }
  const registered = await owner.do('registerParticipants', trial, {
    participants: Array.from({ length: 24 }, (_, n) => ({ participantId: `R-${n + 1}`, password: 'correct horse' })),
  })
  const people = registered.participants.map(({ _id }) => _id)
  // The first half is at the northern site, the second at the southern.
  const updates = people.map((participant, n) => ({ participant, sites: [n < 12 ? north : south] }))
  await owner.do('updateParticipants', trial, { updates })
  return { trial, sex, age, stage, north, south, active, placebo, diabetes, healthy, verum, sham, people }
}

export type RandomisedStudy = Awaited<ReturnType<typeof randomisedStudy>>

/** The study, with short forms of common requests. */
export async function randomisedStudy() {
  const { w, made } = await buildOnce('randomised study', async () => {
    const w = world()
    return { w, made: await build(w) }
  })
  const { owner } = w
  const { trial, sex, age, stage, active, placebo, verum, sham, people } = made
  const arms = [
    { name: secretNames.arm, group: active, packType: verum },
    { name: secretNames.otherArm, group: placebo, packType: sham },
  ]
  /** The body of a randomisation by permuted blocks without strata. */
  const body = (change: Record<string, unknown> = {}) => ({
    name: 'Main randomisation',
    method: 'permutedBlocks' as const,
    arms,
    blockSizes: [4],
    listLength: 40,
    seed: SEED,
    ...change,
  })
  return {
    ...w,
    ...made,
    arms,
    /** The `_id` of the n-th participant, counted from 1 as in its participant ID `R-n`. */
    person: (n: number): Id => people[n - 1]!,
    asPerson: w.person,
    body,
    /** Creates a draft. */
    draft: async (change: Record<string, unknown> = {}): Promise<Id> =>
      (await owner.do('createRandomisation', trial, body(change)))._id,
    /** Creates and seals a randomisation. */
    async sealed(change: Record<string, unknown> = {}): Promise<Id> {
      const { _id } = await owner.do('createRandomisation', trial, body(change))
      await owner.do('sealRandomisation', _id)
      return _id
    },
    /** Submits the screening of a participant. */
    screen: (participant: Id, answers: { sex?: string; age?: number }) =>
      owner.do('enterResponse', trial, participant, stage, {
        response: {
          ...(answers.sex === undefined ? {} : { [sex]: { value: [answers.sex] } }),
          ...(answers.age === undefined ? {} : { [age]: { value: answers.age } }),
        },
      }),
    /** Asks for the allocation of a participant, as the owner or another person. */
    allocate: (randomisation: Id, participant: Id, by = owner as Pick<typeof owner, 'call'>, more: object = {}) =>
      by.call('POST', `/randomisations/${randomisation}/allocations`, { participant, ...more }),
    /** Somebody with these permissions who has confirmed their identity in the web app just now. */
    async confirmed(words: string[], scope?: Id) {
      const somebody = w.staff(trial, words, scope)
      const app = await w.signIn(somebody)
      await app.do('confirmIdentity', { password: 'harbour lantern 71' })
      return { ...app, _id: somebody._id, email: somebody.email }
    },
  }
}
