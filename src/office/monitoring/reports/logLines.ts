/** The lines of a delegation log and of a training log. */
import type { Line } from '#documents/textPages'
import { type DelegationView, delegationViews } from '#office/delegation/views'
import { lastTrainingsAt, trainingsOf } from '#office/training/store'
import { type TrainingView, trainingView } from '#office/training/views'
import { fileByName } from '#storage/store'
import type { ReportContext } from './context'
import { ROLES, SIGNED_AS, STATES, TASKS } from './labels'

const text = (text: string): Line => ({ as: 'text', text })
const small = (text: string): Line => ({ as: 'small', text })

type WriterContext = Pick<ReportContext, 'writer'>

function taskText({ writer: { write } }: WriterContext, { tasks, otherTasks }: DelegationView): string {
  return tasks
    .map((task) =>
      task === 'other' ? write('siteReport.task.other', { tasks: otherTasks ?? '' }) : write(TASKS[task], {}),
    )
    .join('; ')
}

function delegationLines(context: ReportContext, entry: DelegationView): Line[] {
  const { write } = context.writer
  const { userName, role, startsOn: from, endsOn: to, endReason: reason, state, signatures } = entry
  const days = to === null ? write('siteReport.days.open', { from }) : write('siteReport.days.closed', { from, to })
  const signed = signatures.flatMap(({ signedAs, userName: user, signedAt, hash, valid }) => [
    small(write(SIGNED_AS[signedAs], { user, when: context.momentText(signedAt), hash })),
    ...(valid ? [] : [text(write('siteReport.signedAs.invalid', {}))]),
  ])
  return [
    { as: 'name', text: `${userName} – ${write(ROLES[role], {})}` },
    text(taskText(context, entry)),
    text(`${days}. ${write(STATES[state], {})}.`),
    ...(reason === null ? [] : [text(write('siteReport.endedBecause', { reason }))]),
    ...signed,
  ]
}

/** The state of training in words. */
function stateText({ writer: { write } }: WriterContext, { state, expiresOn, struckReason }: TrainingView): string {
  if (state === 'struck') return write('siteReport.training.struck', { reason: struckReason ?? '' })
  if (state === 'renewed') return write('siteReport.training.renewed', {})
  if (expiresOn === null) return write('siteReport.training.valid', {})
  const key = state === 'expired' ? 'siteReport.training.expired' : 'siteReport.training.validUntil'
  return write(key, { day: expiresOn })
}

function trainingLines(context: ReportContext, entry: TrainingView): Line[] {
  const { write } = context.writer
  const { userName, training, trainedOn: day, provider, certificate } = entry
  const file = certificate === null ? undefined : fileByName(context.db, certificate)
  return [
    { as: 'name', text: userName },
    text(write('siteReport.trained', { training, day })),
    text(stateText(context, entry)),
    ...(provider ? [small(write('siteReport.provider', { provider }))] : []),
    ...(file ? [small(write('siteReport.certificate', { file: `${file.name} (SHA-256 ${file.sha256})` }))] : []),
  ]
}

/** All entries of the log, oldest first. */
export function logLines(context: ReportContext, log: 'delegations' | 'trainings'): Line[] {
  const { db, site, today, writer } = context
  const last = lastTrainingsAt(db, site._id)
  const lines =
    log === 'delegations'
      ? delegationViews(db, site._id, today).flatMap((entry) => delegationLines(context, entry))
      : trainingsOf(db, site._id).flatMap((row) => trainingLines(context, trainingView(row, last, today)))
  if (!lines.length) return [text(writer.write('siteReport.empty', {}))]
  return [...lines, { as: 'sign', text: writer.write('siteReport.sign.investigator', {}) }]
}
