/** The tables of a study record about sites: visits, issues, logs, enrolment. */
import type { Db } from '#db/open'
import type { Trial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { delegationSheet, delegationViews } from '#office/delegation/views'
import { monthsOf } from '#office/enrolment/store'
import { visitsOf } from '#office/monitoring/store'
import { sourceVerificationsOf, visitView } from '#office/monitoring/views'
import { issuesOf } from '#office/siteIssues/store'
import { trainingsOf } from '#office/training/store'
import { todayOf, trainingSheet } from '#office/training/views'
import type { Cell, Sheet } from '#writers/cell'

type Site = { _id: Id; id: string }

const moment = (at: Instant | null): Cell => (at === null ? null : { at })

const sheet = (name: string, headers: readonly string[], rows: Cell[][]): Sheet => ({
  name,
  columns: headers.map((header) => ({ header })),
  rows,
})

/** A table with the site of each row in its first column. */
const withSites = (name: string, tables: readonly { site: Site; table: Sheet }[]): Sheet => ({
  name,
  columns: [{ header: 'site' }, ...(tables[0]?.table.columns ?? [])],
  rows: tables.flatMap(({ site, table }) => [...table.rows].map((row) => [site.id, ...row])),
})

const VISITS = [
  ...['site', 'id', 'category', 'priority', 'status', 'scheduledAt', 'completedAt', 'duration', 'assignees', 'notes'],
  ...['issues', 'openIssues', 'fields', 'verified', 'verifiedDuring', 'createdAt', 'createdBy', '_id'],
]

const visitTable = (db: Db, trial: Trial, sites: readonly Site[], now: Instant): Sheet =>
  sheet(
    'monitoring-visits',
    VISITS,
    sites.flatMap((site) =>
      visitsOf(db, site._id, -1, 0)
        .toReversed()
        .map((row): Cell[] => {
          const { issueCount, openIssueCount } = visitView(db, trial, row, now)
          const { fields, verified, verifiedDuring } = sourceVerificationsOf(db, trial, [row], now)[0]!
          return [
            ...[site.id, row.id, row.category, row.priority, row.status, moment(row.scheduledAt)],
            ...[moment(row.completedAt), row.duration, row.assignees.join('; '), row.notes, issueCount, openIssueCount],
            ...[fields, verified, verifiedDuring, moment(row.createdAt), row.createdBy, row._id],
          ]
        }),
    ),
  )

const ISSUES = [
  ...['site', 'visit', 'name', 'category', 'severity', 'status', 'gcpNonCompliance', 'protocolNonCompliance'],
  ...['assignees', 'createdAt', 'createdBy', 'resolvedAt', 'resolvedBy', '_id'],
]

const issueTable = (db: Db, sites: readonly Site[]): Sheet =>
  sheet(
    'site-issues',
    ISSUES,
    sites.flatMap((site) =>
      visitsOf(db, site._id, -1, 0)
        .toReversed()
        .flatMap((visit) =>
          issuesOf(db, visit._id, -1, 0).map((row): Cell[] => [
            ...[site.id, visit.id, row.name, row.category, row.severity, row.status, row.gcpNonCompliance],
            ...[row.protocolNonCompliance, row.assignees.join('; '), moment(row.createdAt), row.createdBy],
            ...[moment(row.resolvedAt), row.resolvedBy, row._id],
          ]),
        ),
    ),
  )

function enrolmentTable(db: Db, sites: readonly Site[]): Sheet {
  const named = new Map(sites.map(({ _id, id }) => [_id, id]))
  const months = monthsOf(db, [...named.keys()])
  return sheet(
    'enrolment',
    ['site', 'month', 'enrolled'],
    months.map(({ site, month, enrolled }) => [named.get(site), month, enrolled]),
  )
}

/** All tables about the sites of a trial that have any row. */
export function siteTables(db: Db, trial: Trial, sites: readonly Site[], now: Instant): Sheet[] {
  const today = todayOf(trial, now)
  const delegations = sites.map((site) => ({
    site,
    table: delegationSheet(delegationViews(db, site._id, today)),
  }))
  const trainings = sites.map((site) => ({ site, table: trainingSheet(db, site._id, today) }))
  return [
    visitTable(db, trial, sites, now),
    issueTable(db, sites),
    withSites('delegation-log', delegations),
    withSites('training-log', trainings),
    enrolmentTable(db, sites),
  ].filter(({ rows }) => [...rows].length > 0)
}

/** The stored names of the certificates in the training logs. */
export const certificatesOf = (db: Db, sites: readonly Site[]): string[] =>
  sites.flatMap(({ _id }) => trainingsOf(db, _id).flatMap(({ certificate }) => certificate ?? []))
