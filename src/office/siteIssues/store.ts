import type { Db } from '#db/open'
import { insert, rowsFrom } from '#db/rows'
import { siteIssues } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type IssueRow = typeof siteIssues.$inferSelect

/** The issues of a visit, oldest first. */
export const issuesOf = (db: Db, visit: Id, limit: number, skip: number): IssueRow[] =>
  rowsFrom(db, siteIssues, 'WHERE visit = $visit ORDER BY _id LIMIT +$limit OFFSET +$skip', { visit, limit, skip })

export const insertIssue = (db: Db, issue: typeof siteIssues.$inferInsert): IssueRow => insert(db, siteIssues, issue)

/** The issues of a site that were raised or resolved after a moment, or are not resolved, oldest first. */
export const issuesSince = (db: Db, site: Id, after: Instant): IssueRow[] =>
  rowsFrom(
    db,
    siteIssues,
    `WHERE site = $site AND (status = 'unresolved' OR createdAt > $after OR resolvedAt > $after) ORDER BY _id`,
    { site, after },
  )
