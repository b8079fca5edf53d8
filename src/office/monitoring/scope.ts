import { rowById } from '#db/rows'
import { monitoringVisits } from '#db/tables/index'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import { atSite, type SiteScope } from '#office/siteRecords/place'
import type { VisitRow } from './store'
import { type VisitView, visitView } from './views'

/** The monitoring visit that `:visitId` names, if its site is visible to the caller; else 404. */
export const visit: Scope<SiteScope & { visit: VisitView; row: VisitRow }, 'visitId'> = (context) => {
  const row = found(rowById(context.db, monitoringVisits, context.params.visitId), 'monitoring visit')
  const ofSite = atSite(context, row, 'monitoring visit')
  return { ...ofSite, row, visit: visitView(context.db, ofSite.trial, row, context.now, ofSite.access) }
}
