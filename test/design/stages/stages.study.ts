/** A trial for tests of stages, and short forms of components. */
import { files, groups, sites } from '#db/tables/index'
import { type Id, newId } from '#kernel/id'
import { type Answer, type World, world } from '../../harness'

export const text = (length: number) => 'x'.repeat(length)
/** An unused `_id`. */
export const unknown = '0123456789abcdef01234567'

export function study(at: World = world()) {
  const trial = at.trial()
  const url = `/trials/${trial}/stages` as const
  const { owner, db } = at
  return {
    ...at,
    makeTrial: at.trial,
    trial,
    url,
    make: (body: Record<string, unknown> = {}) => owner.do('createStage', trial, { name: 'Visit', ...body }),
    field: (body: Record<string, unknown> = {}, of = trial) =>
      owner.do('createDataType', of, { name: 'Pulse', format: 'integer', ...body }),
    anchor: (body: Record<string, unknown> = {}) => owner.do('createAnchor', trial, { name: 'Surgery', ...body }),
    names: async () => (await owner.do('listStages', trial)).stages.map(({ name }) => name),
    site(of = trial): Id {
      const _id = newId(0)
      db.insert(sites).values({ _id, createdAt: 0, trial: of, name: 'Site', id: _id }).run()
      return _id
    },
    group(of = trial): Id {
      const _id = newId(0)
      db.insert(groups).values({ _id, createdAt: 0, trial: of, name: 'Arm A' }).run()
      return _id
    },
    upload(change: Partial<typeof files.$inferInsert> = {}): string {
      const row = { createdAt: 0, kind: 'upload' as const, createdBy: 'u', name: 'v.mp4', type: 'video/mp4' }
      const storedName = newId(0)
      db.insert(files)
        .values({ storedName, ...row, forType: 'trial', forId: trial, finishedAt: 1, ...change })
        .run()
      return storedName
    },
  }
}

/** A component that is only a title. */
export const title = (change: Record<string, unknown>) => ({
  components: [{ id: 'a', type: 'title', title: 'T', ...change }],
})

/** The fields that a refusal names, or its status if it names none. */
export const faults = ({ status, body }: Answer) =>
  status === 200 ? [] : Object.keys(body.validations?.json ?? { [status]: 1 })
