/** Issues that monitoring visits found. Neither lock refuses them, as for visits. */
import { deleteById, rowById, updateById } from '#db/rows'
import { monitoringVisits, siteIssues } from '#db/tables/index'
import { siteById } from '#design/sites/store'
import { operation } from '#http/operation'
import { assigneeChange, mailIssue } from '#office/monitoring/assignees'
import { visit } from '#office/monitoring/scope'
import { PAGE, PageQuery } from '#office/siteRecords/page'
import { READ, requireReaders } from '#office/siteRecords/place'
import { partial, shape } from '#wire/schema'
import { Issue, IssueInput, Issues } from './model'
import { resolutionOf } from './rules'
import { issue } from './scope'
import { insertIssue, issuesOf } from './store'

const WRITE = ['trial.admin', 'trial.manageMonitoring'] as const

const listIssues = operation({
  id: 'listSiteIssues',
  method: 'GET',
  path: '/site-monitoring/:visitId/site-issues',
  summary: 'List the issues of a monitoring visit',
  description: 'Oldest first.',
  scope: visit,
  needs: READ,
  query: PageQuery(),
  returns: Issues,
  run: ({ db, visit, query: { page = 1, perPage = PAGE } }) => {
    const rows = issuesOf(db, visit._id, perPage + 1, (page - 1) * perPage)
    return { siteMonitoringIssues: rows.slice(0, perPage), page, nextPageAvailable: rows.length > perPage }
  },
})

const createIssue = operation({
  id: 'createSiteIssue',
  method: 'POST',
  path: '/site-monitoring/:visitId/site-issues',
  summary: 'Record an issue that a monitoring visit found',
  description: 'Assignees get an e-mail.',
  scope: visit,
  needs: WRITE,
  of: 'issue',
  logs: 'createSiteIssue',
  body: IssueInput,
  returns: Issue,
  run: (context) => {
    const { db, now, id, caller, trial, visit, body } = context
    const { site } = visit
    const { assignees = [] } = assigneeChange(body.assignees)
    requireReaders(db, { trial: trial._id, site }, assignees, 'issueAssignees')
    const resolution = resolutionOf(undefined, body.status, { by: caller.user._id, at: now })
    const creation = { _id: id(), createdAt: now, createdBy: caller.user._id, trial: trial._id, site, visit: visit._id }
    const after = insertIssue(db, { ...body, ...creation, ...resolution, assignees })
    mailIssue(context, { siteName: siteById(db, site)!.name, visit: visit.id }, assignees)
    return after
  },
})

const editIssue = operation({
  id: 'updateSiteIssue',
  method: 'PUT',
  path: '/site-issues/:issueId',
  summary: 'Change or resolve an issue',
  description: 'Who resolved it, and when, is recorded with it. New assignees get an e-mail.',
  scope: issue,
  needs: WRITE,
  of: 'issue',
  logs: 'updateSiteIssue',
  body: partial(IssueInput),
  returns: Issue,
  run: (context) => {
    const { db, now, caller, trial, issue, body } = context
    const { _id, site } = issue
    const { assignees, added } = assigneeChange(body.assignees, issue.assignees)
    requireReaders(db, { trial: trial._id, site }, added, 'issueAssignees')
    const resolution = resolutionOf(issue, body.status, { by: caller.user._id, at: now })
    const after = updateById(db, siteIssues, _id, { ...body, ...resolution, assignees })
    const visit = rowById(db, monitoringVisits, issue.visit)!
    mailIssue(context, { siteName: siteById(db, site)!.name, visit: visit.id }, added)
    return after
  },
})

const removeIssue = operation({
  id: 'deleteSiteIssue',
  method: 'DELETE',
  path: '/site-issues/:issueId',
  summary: 'Delete an issue that was recorded by mistake',
  description: 'The audit trail keeps it. An issue that was dealt with is resolved, not deleted.',
  scope: issue,
  needs: WRITE,
  of: 'issue',
  logs: 'deleteSiteIssue',
  returns: shape({}),
  run: ({ db, issue }) => {
    deleteById(db, siteIssues, issue._id)
    return {}
  },
})

export const siteIssueOperations = [listIssues, createIssue, editIssue, removeIssue] as const
