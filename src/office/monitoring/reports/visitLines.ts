/** The lines of a report on a monitoring visit. */
import type { Line } from '#documents/textPages'
import type { VisitRow } from '#office/monitoring/store'
import { sourceVerificationsOf, type VisitView, visitView } from '#office/monitoring/views'
import { type IssueRow, issuesOf } from '#office/siteIssues/store'
import { changeLines, stateLines } from './changeLines'
import { peopleText, type ReportContext } from './context'
import { CATEGORIES, ISSUES, PRIORITIES, SEVERITIES } from './labels'

const text = (text: string): Line => ({ as: 'text', text })
const heading = (text: string): Line => ({ as: 'heading', text })

function statusText({ writer: { write }, momentText }: ReportContext, { completedAt, isOverdue }: VisitView): string {
  if (completedAt !== null) return write('siteReport.status.completed', { when: momentText(completedAt) })
  return isOverdue ? write('siteReport.status.overdue', {}) : write('siteReport.status.pending', {})
}

function aboutLines(context: ReportContext, visit: VisitView): Line[] {
  const { momentText } = context
  const { write } = context.writer
  const { id, category, priority, scheduledAt, duration, assignees, notes } = visit
  return [
    heading(write('siteReport.visit.id', { id })),
    text(write(CATEGORIES[category], {})),
    text(statusText(context, visit)),
    ...(priority === null ? [] : [text(write(PRIORITIES[priority], {}))]),
    ...(scheduledAt === null ? [] : [text(write('siteReport.scheduled', { when: momentText(scheduledAt) }))]),
    ...(duration === null ? [] : [text(write('siteReport.duration', { minutes: duration }))]),
    text(write('siteReport.monitors', { people: peopleText(context, assignees) })),
    ...(notes ? [heading(write('siteReport.notes', {})), ...notes.split('\n').map(text)] : []),
  ]
}

/** A share in per cent with one decimal, rounded down: 100 means all. */
const percentOf = (part: number, whole: number): string => (Math.floor((part / whole) * 1000) / 10).toFixed(1)

function verificationLines({ db, trial, at, writer: { write }, momentText }: ReportContext, row: VisitRow): Line[] {
  const { fields, verified, verifiedDuring: count, from, to } = sourceVerificationsOf(db, trial, [row], at)[0]!
  const share = { fields, verified, percent: fields ? percentOf(verified, fields) : '' }
  return [
    heading(write('siteReport.verification', {})),
    text(fields ? write('siteReport.verification.share', share) : write('siteReport.verification.none', {})),
    ...(from === null || to === null
      ? []
      : [text(write('siteReport.verification.during', { count, from: momentText(from), to: momentText(to) }))]),
  ]
}

/** What is known about an issue, on one line. */
function issueText(context: ReportContext, issue: IssueRow): string {
  const { write } = context.writer
  const { severity, category, gcpNonCompliance, protocolNonCompliance, assignees, resolvedAt, resolvedBy } = issue
  const resolved = resolvedAt !== null && {
    when: context.momentText(resolvedAt),
    user: peopleText(context, resolvedBy === null ? [] : [resolvedBy]),
  }
  return [
    ...(severity === null ? [] : [write(SEVERITIES[severity], {})]),
    ...(category === null ? [] : [write(ISSUES[category], {})]),
    ...(gcpNonCompliance ? [write('siteReport.issue.gcp', {})] : []),
    ...(protocolNonCompliance ? [write('siteReport.issue.protocol', {})] : []),
    ...(assignees.length ? [write('siteReport.issue.assigned', { people: peopleText(context, assignees) })] : []),
    resolved ? write('siteReport.issue.resolved', resolved) : write('siteReport.issue.open', {}),
  ].join(' · ')
}

function issueLines(context: ReportContext, visit: VisitView): Line[] {
  const { write } = context.writer
  const issues = issuesOf(context.db, visit._id, -1, 0)
  return [
    heading(write('siteReport.issues', {})),
    ...(issues.length ? [] : [text(write('siteReport.issues.none', {}))]),
    ...issues.flatMap((issue): Line[] => [
      { as: 'name', text: issue.name },
      { as: 'text', text: issueText(context, issue) },
    ]),
  ]
}

/** The whole report on a visit. */
export function visitLines(context: ReportContext, row: VisitRow): Line[] {
  const { write } = context.writer
  const visit = visitView(context.db, context.trial, row, context.at)
  return [
    ...aboutLines(context, visit),
    ...stateLines(context, row),
    ...verificationLines(context, row),
    ...issueLines(context, visit),
    ...changeLines(context, row),
    heading(write('siteReport.signatures', {})),
    { as: 'sign', text: write('siteReport.sign.monitor', {}) },
    { as: 'sign', text: write('siteReport.sign.investigator', {}) },
  ]
}
