import { scopeOf } from '#access/caller'
import { type Site, sitesWithEnrolment } from '#design/sites/store'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { byQuery } from '#wire/schema'
import type { Cell } from '#writers/cell'
import { csvText } from '#writers/csv'
import { Enrolment, EnrolmentCsv, EnrolmentQuery } from './model'
import { type MonthRow, monthsOf } from './store'

/** The months of one site, each with the total until then. */
function withTotals(months: readonly MonthRow[] = []) {
  let total = 0
  return months.map(({ month, enrolled }) => ({ month, enrolled, total: (total += enrolled) }))
}

const sum = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce((sum, each) => (each === null ? sum : (sum ?? 0) + each), null)

const entryOf = ({ _id, id, name, activityStatus, enrolmentTarget, enrolled }: Site, months?: readonly MonthRow[]) => ({
  ...{ site: _id, siteId: id, name, activityStatus, enrolmentTarget, enrolled },
  months: withTotals(months),
})

/** One row for each site and month; a site without participants has one row without a month. */
function csvOf(entries: readonly ReturnType<typeof entryOf>[]): string {
  const headers = ['siteId', 'name', 'activityStatus', 'enrolmentTarget', 'enrolled', 'month', 'inMonth', 'untilThen']
  const rows = entries.flatMap(({ months, siteId, name, activityStatus, enrolmentTarget, enrolled }): Cell[][] => {
    const about = [siteId, name, activityStatus, enrolmentTarget, enrolled]
    return months.length ? months.map(({ month, enrolled, total }) => [...about, month, enrolled, total]) : [about]
  })
  return csvText({ name: 'enrolment', columns: headers.map((header) => ({ header })), rows })
}

const readEnrolment = operation({
  id: 'readEnrolment',
  method: 'GET',
  path: '/trials/:trialId/enrolment',
  summary: 'Read how many participants each site has enrolled, and was to',
  description:
    'By month of registration; archived participants do not count. Accounts that are limited to sites see only these. `format=csv` has a row for each site and month.',
  scope: trial,
  needs: anywhere('trial.readSites'),
  logs: ({ format }) => (format === 'csv' ? 'exportEnrolment' : undefined),
  query: EnrolmentQuery,
  returns: byQuery('format', Enrolment, { csv: EnrolmentCsv }),
  run: ({ db, trial, access, query: { format }, record }) => {
    const rows = sitesWithEnrolment(db, trial._id, access, scopeOf(access, ['readSites']))
    const seen = rows.flatMap(({ _id, enrolled }) => (enrolled === null ? [] : [_id]))
    const months = Map.groupBy(monthsOf(db, seen), ({ site }) => site)
    const sites = rows.map((site) => entryOf(site, months.get(site._id)))
    if (format === 'csv') {
      record({ event: { format } })
      return { csv: csvOf(sites) }
    }
    const total = (of: 'enrolled' | 'enrolmentTarget') => sum(sites.map((site) => site[of]))
    return { sites, enrolmentTarget: total('enrolmentTarget'), enrolled: total('enrolled') ?? 0 }
  },
})

export const enrolmentOperations = [readEnrolment] as const
