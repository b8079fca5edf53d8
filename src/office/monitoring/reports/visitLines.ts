/** The lines of a report on a monitoring visit. */
import type { Line } from '#documents/textPages'
import type { VisitRow } from '#office/monitoring/store'
import { sourceVerificationsOf, type VisitView, visitView } from '#office/monitoring/views'
import { type IssueRow, issuesOf } from '#office/siteIssues/store'
import { changeLines, stateLines } from './changeLines'
import { peopleText, type Reading } from './reading'
import { CATEGORIES, ISSUES, PRIORITIES, SEVERITIES } from './words'

const text = (text: string): Line => ({ as: 'text', text })
const heading = (text: string): Line => ({ as: 'heading', text })

function statusText({ writer: { write }, shown }: Reading, { completedAt, isOverdue }: VisitView): string {
  if (completedAt !== null) return write('siteReport.status.completed', { when: shown(completedAt) })
  return isOverdue ? write('siteReport.status.overdue', {}) : write('siteReport.status.pending', {})
}

function aboutLines(reading: Reading, visit: VisitView): Line[] {
  const { shown } = reading
  const { write } = reading.writer
  const { id, category, priority, scheduledAt, duration, assignees, notes } = visit
  return [
    heading(write('siteReport.visit.id', { id })),
    text(write(CATEGORIES[category], {})),
    text(statusText(reading, visit)),
    ...(priority === null ? [] : [text(write(PRIORITIES[priority], {}))]),
    ...(scheduledAt === null ? [] : [text(write('siteReport.scheduled', { when: shown(scheduledAt) }))]),
    ...(duration === null ? [] : [text(write('siteReport.duration', { minutes: duration }))]),
    text(write('siteReport.monitors', { people: peopleText(reading, assignees) })),
    ...(notes ? [heading(write('siteReport.notes', {})), ...notes.split('\n').map(text)] : []),
  ]
}

/** A share in per cent with one decimal, rounded down: 100 means all. */
export const percentOf = (part: number, whole: number): string => (Math.floor((part / whole) * 1000) / 10).toFixed(1)

function verificationLines({ db, trial, at, writer: { write }, shown }: Reading, row: VisitRow): Line[] {
  const { fields, verified, verifiedDuring: count, from, to } = sourceVerificationsOf(db, trial, [row], at)[0]!
  const share = { fields, verified, percent: fields ? percentOf(verified, fields) : '' }
  return [
    heading(write('siteReport.verification', {})),
    text(fields ? write('siteReport.verification.share', share) : write('siteReport.verification.none', {})),
    ...(from === null || to === null
      ? []
      : [text(write('siteReport.verification.during', { count, from: shown(from), to: shown(to) }))]),
  ]
}

/** What is known about an issue, on one line. */
function issueText(reading: Reading, issue: IssueRow): string {
  const { write } = reading.writer
  const { severity, category, gcpNonCompliance, protocolNonCompliance, assignees, resolvedAt, resolvedBy } = issue
  const resolved = resolvedAt !== null && {
    when: reading.shown(resolvedAt),
    user: peopleText(reading, resolvedBy === null ? [] : [resolvedBy]),
  }
  return [
    ...(severity === null ? [] : [write(SEVERITIES[severity], {})]),
    ...(category === null ? [] : [write(ISSUES[category], {})]),
    ...(gcpNonCompliance ? [write('siteReport.issue.gcp', {})] : []),
    ...(protocolNonCompliance ? [write('siteReport.issue.protocol', {})] : []),
    ...(assignees.length ? [write('siteReport.issue.assigned', { people: peopleText(reading, assignees) })] : []),
    resolved ? write('siteReport.issue.resolved', resolved) : write('siteReport.issue.open', {}),
  ].join(' · ')
}

function issueLines(reading: Reading, visit: VisitView): Line[] {
  const { write } = reading.writer
  const issues = issuesOf(reading.db, visit._id, -1, 0)
  return [
    heading(write('siteReport.issues', {})),
    ...(issues.length ? [] : [text(write('siteReport.issues.none', {}))]),
    ...issues.flatMap((issue): Line[] => [
      { as: 'name', text: issue.name },
      { as: 'text', text: issueText(reading, issue) },
    ]),
  ]
}

/** The whole report on a visit. */
export function visitLines(reading: Reading, row: VisitRow): Line[] {
  const { write } = reading.writer
  const visit = visitView(reading.db, reading.trial, row, reading.at)
  return [
    ...aboutLines(reading, visit),
    ...stateLines(reading, row),
    ...verificationLines(reading, row),
    ...issueLines(reading, visit),
    ...changeLines(reading, row),
    heading(write('siteReport.signatures', {})),
    { as: 'sign', text: write('siteReport.sign.monitor', {}) },
    { as: 'sign', text: write('siteReport.sign.investigator', {}) },
  ]
}
