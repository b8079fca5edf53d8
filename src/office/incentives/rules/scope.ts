import { rowById } from '#db/rows'
import { incentiveRules } from '#db/tables/index'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import type { RuleRow } from './store'
import { ruleView } from './views'

/** The rule that `:ruleId` names; 404 unless the caller may see its trial. */
export const rule: Scope<TrialScope & { rule: ReturnType<typeof ruleView>; row: RuleRow }, 'ruleId'> = (context) => {
  const row = found(rowById(context.db, incentiveRules, context.params.ruleId), 'rule')
  return { ...trialVisibleTo(context, row.trial, 'rule'), row, rule: ruleView(context.db, row) }
}
