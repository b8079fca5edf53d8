/** Stages that come from the instruments of other tools (specification "Stages": importFromExternalTool). */
import type { Asked } from '../../http/operation'
import type { Id } from '../../kernel/id'
import { refuse } from '../../kernel/problem'
import type { ImportPlan } from '../imports/plan'
import { usableFile } from '../uploads/queries'
import type { NewStage } from './model'

/** Has a worker thread read the instrument. 422 without one to read, 400 for a file that is none, with a sentence why. */
export async function instrument(
  { house, db, trial }: Pick<Asked, 'house' | 'db'> & { trial: { _id: Id } },
  { importData, copyFrom, components, name }: NewStage,
): Promise<ImportPlan> {
  if (!importData) throw refuse.invalid({ importData: ['Missing data for required field.'] })
  if (copyFrom !== undefined) throw refuse.invalid({ copyFrom: ['Does not go with a creationType.'] })
  if (components !== undefined) throw refuse.invalid({ components: ['Does not go with a creationType.'] })
  if ('fileName' in importData && !usableFile(db, importData.fileName, 'trial', trial._id)) {
    throw refuse.bad('The file is not a finished upload for this trial.')
  }
  let read: Record<string, unknown>
  try {
    read = await house.pool.perform({ kind: 'importInstrument', input: importData })
  } catch (reason) {
    house.fault(reason, 'import')
    throw refuse.unavailable('The file could not be read. Nothing was changed; the server’s log says why.')
  }
  if (typeof read.refused === 'string') throw refuse.bad(read.refused)
  const plan = read.plan as ImportPlan
  if (name !== undefined && plan.stages.length > 1) {
    throw refuse.invalid({ name: [`The file holds ${plan.stages.length} forms, which cannot all have this name.`] })
  }
  return plan
}
