/** Monitoring visits. Neither lock refuses them: sites are monitored until the study is archived (docs/review.md, "Locks"). */
import { deleteById } from '#db/rows'
import { monitoringVisits } from '#db/tables/index'
import { site } from '#design/sites/scope'
import { siteById } from '#design/sites/store'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { type Instant, instantText } from '#kernel/time'
import { PAGE, PageQuery } from '#office/siteRecords/page'
import { READ, requireReaders } from '#office/siteRecords/place'
import { partial, shape } from '#wire/schema'
import { assigneeChange, mailVisit } from './assignees'
import { Visit, VisitInput, Visits } from './model'
import { completionOf } from './rules'
import { visit } from './scope'
import { figuresOf, insertVisit, isVisitIdTaken, updateVisit, visitsOf } from './store'
import { visitView, visitViewOf, visitViews } from './views'

const WRITE = ['trial.admin', 'trial.manageMonitoring'] as const

const PENDING = { status: 'pending', completedAt: null } as const

/** The refusal (400) of a pending visit with a time of completion. */
const notCompletedRefusal = () => refuse.bad('pendingCompletion')

/** Refuses (400) a new time of completion in the future. */
function requirePast(completedAt: Instant | null | undefined, now: Instant): void {
  if (completedAt != null && completedAt > now)
    throw refuse.bad('completionInFuture', undefined, { completedAt: instantText(completedAt) })
}

const listVisits = operation({
  id: 'listMonitoringVisits',
  method: 'GET',
  path: '/sites/:siteId/site-monitoring',
  summary: 'List the monitoring visits of a site',
  description: 'Newest first.',
  scope: site,
  needs: READ,
  query: PageQuery(),
  returns: Visits,
  run: ({ db, now, trial, access, site, query: { page = 1, perPage = PAGE } }) => {
    const rows = visitsOf(db, site._id, perPage + 1, (page - 1) * perPage)
    const siteMonitoring = visitViews(db, trial, rows.slice(0, perPage), now, access)
    return { siteMonitoring, page, nextPageAvailable: rows.length > perPage }
  },
})

const createVisit = operation({
  id: 'createMonitoringVisit',
  method: 'POST',
  path: '/sites/:siteId/site-monitoring',
  summary: 'Plan or record a monitoring visit',
  description: 'Assignees get an e-mail.',
  scope: site,
  needs: WRITE,
  of: 'visit',
  logs: 'createMonitoringVisit',
  body: VisitInput,
  returns: Visit,
  run: (context) => {
    const { db, now, id, caller, trial, access, site, body } = context
    const { assignees = [] } = assigneeChange(body.assignees)
    if (isVisitIdTaken(db, site._id, body.id)) throw refuse.taken('visit ID', body.id)
    requireReaders(db, { trial: trial._id, site: site._id }, assignees, 'visitAssignees')
    requirePast(body.completedAt, now)
    const completion = completionOf(PENDING, body, now)
    if (!completion) throw notCompletedRefusal()
    const atCompletion = completion.status === 'completed' ? figuresOf(db, site._id, now) : null
    const creation = { _id: id(), createdAt: now, createdBy: caller.user._id, updatedAt: now, trial: trial._id }
    const row = insertVisit(db, {
      category: 'mv',
      ...body,
      ...creation,
      site: site._id,
      ...completion,
      assignees,
      atCompletion,
    })
    mailVisit(context, { ...row, siteName: site.name }, assignees)
    return visitView(db, trial, row, now, access)
  },
})

const editVisit = operation({
  id: 'updateMonitoringVisit',
  method: 'PUT',
  path: '/site-monitoring/:visitId',
  summary: 'Change or complete a monitoring visit',
  description:
    'When it is completed, the figures of the site at that moment are kept with it. New assignees get an e-mail.',
  scope: visit,
  needs: WRITE,
  of: 'visit',
  logs: 'updateMonitoringVisit',
  body: partial(VisitInput),
  returns: Visit,
  run: (context) => {
    const { db, now, trial, access, row, body } = context
    const { _id, site } = row
    if (body.id !== undefined && isVisitIdTaken(db, site, body.id, _id)) throw refuse.taken('visit ID', body.id)
    const { assignees, added } = assigneeChange(body.assignees, row.assignees)
    requireReaders(db, { trial: trial._id, site }, added, 'visitAssignees')
    if (body.completedAt !== row.completedAt) requirePast(body.completedAt, now)
    const completion = completionOf(row, body, now)
    if (!completion) throw notCompletedRefusal()
    const isCompleted = completion.status === 'completed'
    const atCompletion = isCompleted ? (row.atCompletion ?? figuresOf(db, site, now)) : null
    const after = updateVisit(db, _id, {
      ...body,
      ...completion,
      assignees,
      atCompletion,
      updatedAt: now,
    })
    mailVisit(context, { ...after, siteName: siteById(db, site)!.name }, added)
    return visitViewOf(db, trial, _id, now, access)
  },
})

const removeVisit = operation({
  id: 'deleteMonitoringVisit',
  method: 'DELETE',
  path: '/site-monitoring/:visitId',
  summary: 'Delete a monitoring visit',
  description: 'Refused (400) while it has issues: what a monitor found stays, resolved or not.',
  scope: visit,
  needs: WRITE,
  of: 'visit',
  logs: 'deleteMonitoringVisit',
  returns: shape({}),
  run: ({ db, visit }) => {
    const { issueCount: issues, id } = visit
    if (issues) throw refuse.bad('visitHasIssues', { visit: id, count: issues }, { issues })
    deleteById(db, monitoringVisits, visit._id)
    return {}
  },
})

export const monitoringOperations = [listVisits, createVisit, editVisit, removeVisit] as const
