import { rowById } from '#db/rows'
import { siteIssues } from '#db/tables/index'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import { atSite, type SiteScope } from '#office/siteRecords/place'
import type { IssueRow } from './store'

/** The issue that `:issueId` names, if its site is visible to the caller; else 404. */
export const issue: Scope<SiteScope & { issue: IssueRow }, 'issueId'> = (context) => {
  const issue = found(rowById(context.db, siteIssues, context.params.issueId), 'site issue')
  return { ...atSite(context, issue, 'site issue'), issue }
}
