import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import { type DefinitionRow, definitionById } from './store'

/** The saved export that `:definitionId` names, if the caller may see its trial; else 404. */
export const exportDefinition: Scope<TrialScope & { exportDefinition: DefinitionRow }, 'definitionId'> = (context) => {
  const row = found(definitionById(context.db, context.params.definitionId), 'saved export')
  return { ...trialVisibleTo(context, row.trial, 'saved export'), exportDefinition: row }
}
