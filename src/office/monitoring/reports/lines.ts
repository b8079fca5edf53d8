import { rowById } from '#db/rows'
import { monitoringVisits } from '#db/tables/index'
import type { Line } from '#documents/textPages'
import { found } from '#kernel/problem'
import type { ReportContext } from './context'
import { logLines } from './logLines'
import type { SiteReportTask } from './task'
import { visitLines } from './visitLines'

/** All lines of a report. @throws 404 if the visit was deleted */
export function linesOf(context: ReportContext, { report, visit }: SiteReportTask): Line[] {
  if (report !== 'visit') return logLines(context, report)
  const row = visit === null ? undefined : rowById(context.db, monitoringVisits, visit)
  return visitLines(context, found(row, 'monitoring visit'))
}
