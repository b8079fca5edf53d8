import { rowById } from '#db/rows'
import { delegations } from '#db/tables/index'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import { atSite, type SiteScope } from '#office/siteRecords/place'
import { todayOf } from '#office/training/views'
import type { DelegationRow } from './store'
import { type DelegationView, delegationView } from './views'

type DelegationScope = SiteScope & { delegation: DelegationView; row: DelegationRow; today: string }

/** The entry of a delegation log that `:delegationId` names, if its site is visible to the caller; else 404. */
export const delegation: Scope<DelegationScope, 'delegationId'> = (context) => {
  const row = found(rowById(context.db, delegations, context.params.delegationId), 'delegation')
  const ofSite = atSite(context, row, 'delegation')
  const today = todayOf(ofSite.trial, context.now)
  return { ...ofSite, row, today, delegation: delegationView(context.db, row, today) }
}
