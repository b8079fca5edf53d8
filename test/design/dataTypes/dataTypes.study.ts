/** A trial with data types. */
import { stages } from '#db/tables/index'
import { newId } from '#kernel/id'
import { world } from '../../harness'

export function study() {
  const at = world()
  const trial = at.trial()
  const url = `/trials/${trial}/data-types` as const
  return {
    ...at,
    makeTrial: at.trial,
    trial,
    url,
    make: (body: Record<string, unknown>) =>
      at.owner.do('createDataType', trial, { name: 'Pulse', format: 'integer', ...body }),
    /** A stage with these components, inserted directly into the database. */
    stage(components: Record<string, unknown>[], name = 'Visit') {
      const _id = newId(0)
      at.db.insert(stages).values({ _id, createdAt: 0, trial, index: 0, name, components }).run()
      return _id
    },
  }
}
