import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import { type DataTypeRow, dataTypeById } from './store'

/** The data type that `:dataTypeId` names, with its trial. Refuses (404) a caller who cannot see the trial. */
export const dataType: Scope<TrialScope & { dataType: DataTypeRow }, 'dataTypeId'> = (context) => {
  const dataType = found(dataTypeById(context.db, context.params.dataTypeId), 'data type')
  return { ...trialVisibleTo(context, dataType.trial, 'data type'), dataType }
}
