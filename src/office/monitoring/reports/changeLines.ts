/** What changed at a site since the visit before, and what needs attention. */
import type { FiguresAtVisit } from '#db/tables/index'
import type { Line } from '#documents/textPages'
import { dayText } from '#kernel/calendar'
import { delegationsOf } from '#office/delegation/store'
import { figuresOf, previousCompletedVisit, type VisitRow } from '#office/monitoring/store'
import { issuesSince } from '#office/siteIssues/store'
import { lastTrainingsAt, trainingsOf } from '#office/training/store'
import { trainingView } from '#office/training/views'
import type { ReportContext } from './context'
import { ROLES } from './labels'

const text = (text: string): Line => ({ as: 'text', text })

/** The figures of the site at the visit: as they were when it was completed, or now. */
const figuresAt = ({ db, at }: ReportContext, { atCompletion, site }: VisitRow): FiguresAtVisit =>
  atCompletion ?? figuresOf(db, site, at)

/** How many participants the site has, and which training has expired. */
export function stateLines(context: ReportContext, visit: VisitRow): Line[] {
  const { db, site, today } = context
  const { write } = context.writer
  const { enrolled } = figuresAt(context, visit)
  const { enrolmentTarget: target } = site
  const last = lastTrainingsAt(db, site._id)
  const expired = trainingsOf(db, site._id).flatMap((row) => {
    const { state, userName: person, training, expiresOn } = trainingView(row, last, today)
    return state === 'expired' ? [text(write('siteReport.expired', { person, training, day: expiresOn ?? '' }))] : []
  })
  return [
    { as: 'heading', text: write('siteReport.attention', {}) },
    text(
      target === null
        ? write('siteReport.enrolled', { enrolled })
        : write('siteReport.enrolledOf', { enrolled, target }),
    ),
    ...expired,
  ]
}

function figureLines({ writer: { write } }: ReportContext, before: FiguresAtVisit, now: FiguresAtVisit): Line[] {
  return [
    write('siteReport.since.enrolled', { before: before.enrolled, now: now.enrolled }),
    write('siteReport.since.fields', { before: before.fields, now: now.fields }),
    write('siteReport.since.verified', { before: before.verified, now: now.verified }),
    write('siteReport.since.openIssues', { before: before.openIssues, now: now.openIssues }),
  ].map(text)
}

type ReportPeriod = { after: number; until: number; visit: string }

/** Issues of other visits that were raised or resolved in this time, and those that were open before and still at its end. */
function issueLines({ db, site, writer: { write } }: ReportContext, { after, until, visit }: ReportPeriod): Line[] {
  const isWithin = (at: number | null) => at !== null && at > after && at <= until
  return issuesSince(db, site._id, after).flatMap(({ name: issue, createdAt, resolvedAt, visit: of }) => [
    ...(isWithin(createdAt) && of !== visit ? [text(write('siteReport.since.raised', { issue }))] : []),
    ...(isWithin(resolvedAt) ? [text(write('siteReport.since.resolved', { issue }))] : []),
    ...(createdAt <= after && (resolvedAt === null || resolvedAt > until)
      ? [text(write('siteReport.since.open', { issue }))]
      : []),
  ])
}

/** Who came and went, and who was trained. */
function staffLines(context: ReportContext, { after, until }: ReportPeriod): Line[] {
  const { db, site, trial, writer } = context
  const { write } = writer
  const [from, to] = [after, until].map((at) => dayText(at, trial.timezone ?? 'UTC')) as [string, string]
  const isWithin = (day: string | null): day is string => day !== null && day > from && day <= to
  const delegated = delegationsOf(db, site._id).flatMap(({ userName: person, createdAt, endsOn, ...entry }) => {
    const role = write(ROLES[entry.role], {})
    return [
      ...(createdAt > after && createdAt <= until ? [write('siteReport.since.delegated', { person, role })] : []),
      ...(isWithin(endsOn) ? [write('siteReport.since.ended', { person, role, day: endsOn })] : []),
    ]
  })
  const trained = trainingsOf(db, site._id).flatMap(({ userName: person, training, createdAt, struckAt, trainedOn }) =>
    struckAt === null && createdAt > after && createdAt <= until
      ? [write('siteReport.since.trained', { person, training, day: trainedOn })]
      : [],
  )
  return [...delegated, ...trained].map(text)
}

/** What changed since the last visit that was completed before this one. */
export function changeLines(context: ReportContext, visit: VisitRow): Line[] {
  const { write } = context.writer
  const until = visit.completedAt ?? context.at
  const before = previousCompletedVisit(context.db, visit.site, visit._id, until)
  if (!before?.atCompletion || before.completedAt === null) {
    const first = write('siteReport.since.first', {})
    return [{ as: 'heading', text: first }]
  }
  const since = { after: before.completedAt, until, visit: visit._id }
  const when = context.momentText(before.completedAt)
  return [
    { as: 'heading', text: write('siteReport.since', { visit: before.id, when }) },
    ...figureLines(context, before.atCompletion, figuresAt(context, visit)),
    ...issueLines(context, since),
    ...staffLines(context, since),
  ]
}
