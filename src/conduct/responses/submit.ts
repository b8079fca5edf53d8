/** A submission: checked, merged, calculated, scored, and written with its history (decisions 7), all of it or none. */
import { digest, inFields } from '#audit/digest'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { fileProblem } from '#design/dataTypes/files'
import { type Change, type Filled, fillForm, type Sent } from '#design/forms/form'
import type { SubmitAction } from '#design/stages/components'
import type { Client } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { DAY, type Instant } from '#kernel/time'
import { usableFile } from '#storage/store'
import type { By, Entry } from './events'
import { UPLOADED } from './files'
import { byDataType, inOrder, type Layout, layoutOf, restamped, stampAt, widened } from './layout'
import { clearMarks } from './marks'
import {
  insertResponse,
  insertSubmission,
  keepLayout,
  layoutById,
  type ResponseRow,
  type SubmissionRow,
  stampsByNumber,
  stampsOf,
  updateResponse,
  valuesOf,
} from './store'

/** One submission of an occurrence of a stage. */
export type Submission = {
  db: Db
  now: Instant
  /** The participant's zone. */
  zone: string
  configuration: Configuration
  trial: Id
  participant: Id
  stage: Id
  stageRecurrence: number
  /** What was there before, if anything. */
  existing: ResponseRow | undefined
  sent: Readonly<Record<Id, Sent>>
  by: By
  client: Client
  updateNote: string | null
  /** Whether a change must say why. */
  needsNote?: boolean
  /** A new `_id`, for a response that is not there yet. */
  id(): Id
}

export type Submitted = {
  row: ResponseRow
  /** The submission that was appended; undefined where nothing changed. */
  submission: SubmissionRow | undefined
  /** The event that keeps the marks which the submission cleared. */
  cleared?: Entry
  messages: SubmitAction[]
  /** All answers that are not blank, by data type. */
  answers: Readonly<Record<Id, unknown>>
}

const isNone = (problems: object): boolean => {
  for (const _ in problems) return false
  return true
}

/** The problems of an answer by data type: 422 for a wrong kind of value, 400 for one that does not fit. */
function refuseFaults(filled: Filled, labels: (dataType: Id) => string): void {
  const { wrong, missing, unfit } = filled
  if (isNone(wrong) && isNone(missing) && isNone(unfit)) return
  const problems = Object.entries(wrong).map(([dataType, problem]) => `${labels(dataType)}: ${problem}`)
  if (problems.length) throw refuse.invalid({ response: problems })
  const fields = { ...missing, ...unfit }
  const [first, ...more] = Object.values(fields)
  if (first === undefined) return
  throw refuse.bad(more.length ? `${first} (and ${more.length} more)` : first, { fields })
}

/** The refusal of one answer. @param problem what follows the title of its field */
function unfit({ configuration, stage }: Submission, dataType: Id, problem: string) {
  const { components } = configuration.stages.get(stage)!
  const text = `“${components.find((component) => component.dataType === dataType)!.title}” ${problem}.`
  return refuse.bad(text, { fields: { [dataType]: text } })
}

/** Files must have been uploaded for this participant, be complete, and fit their field (decisions 14, "Files"). */
function refuseFiles(submission: Submission, changes: readonly Change[]): void {
  const { db, configuration, participant } = submission
  for (const { dataType, value } of changes) {
    const asked = configuration.dataTypes.get(dataType)
    if (!asked || value === null || !UPLOADED.has(asked.format)) continue
    const { fileName } = value as { fileName: string }
    const file = usableFile(db, fileName, 'participant', participant)
    const problem = file
      ? fileProblem(asked, { type: file.type, size: file.size ?? 0 })
      : 'must be a file that was uploaded for this participant'
    if (problem) throw unfit(submission, dataType, problem)
  }
}

/** How far the clock of a device may be ahead: a wrong zone alone puts it so far. */
const AHEAD = DAY

/** An answer cannot have been given tomorrow. */
function refuseTimes(submission: Submission, changes: readonly Change[]): void {
  for (const { dataType } of changes) {
    const at = submission.sent[dataType]?.createdAt
    if (at != null && at > submission.now + AHEAD)
      throw unfit(
        submission,
        dataType,
        'cannot have been answered in the future: check createdAt, or the device’s clock',
      )
  }
}

/** The positions, values and times of a submission that amends a response; only what changed. */
function amendment(layout: Layout, changes: readonly Change[]) {
  const positions = changes.map(({ dataType }) => layout.positions.get(dataType)!)
  return {
    positions,
    fields: JSON.stringify(positions),
    values: JSON.stringify(changes.map(({ value }) => value)),
  }
}

/**
 * Times at which answers were given, by position, where the writer said so. What was read and is sent back says nothing:
 * a calculation's time, and the time at which the answer before was recorded.
 */
function enteredOf(submission: Submission, layout: Layout, changes: readonly Change[]): string | null {
  const { configuration, sent } = submission
  let entered: Record<number, Instant> | undefined
  for (const { dataType } of changes) {
    const at = sent[dataType]?.createdAt
    if (at == null || configuration.dataTypes.get(dataType)?.format === 'calculation') continue
    const position = layout.positions.get(dataType)!
    if (at !== recordedAt(submission, position)) (entered ??= {})[position] = at
  }
  return entered ? JSON.stringify(entered) : null
}

/** When the answer that stands at a position was recorded; undefined where there is none. */
function recordedAt({ db, existing }: Submission, position: number): Instant | undefined {
  const number = existing && stampAt(stampsOf(existing), position)
  return number == null ? undefined : stampsByNumber(db, [number]).get(number)?.at
}

/**
 * Performs a submission inside the caller's transaction.
 * @throws 422 under `response`, 400 with `details.fields`, 400 without a note that the study asks for
 */
export function submit(submission: Submission): Submitted {
  const { db, now, zone, configuration, existing, sent, stage, stageRecurrence, by, client } = submission
  const form = configuration.form(stage)
  const before = existing ? byDataType(layoutById(db, existing.layout), valuesOf(existing)) : {}
  const filled = fillForm(form, before, sent, { now, zone })
  refuseFaults(filled, (dataType) => configuration.dataTypes.get(dataType)?.code ?? dataType)
  if (existing && submission.needsNote && !submission.updateNote?.trim()) {
    throw refuse.bad('This study asks for a note (updateNote) that says why a response is changed.')
  }
  refuseTimes(submission, filled.changes)
  refuseFiles(submission, filled.changes)
  const { messages, values: answers } = filled
  const score = filled.score ?? null
  const partialSubmission = filled.partial
  const unchanged = existing && !filled.changes.length && existing.partialSubmission === partialSubmission
  if (unchanged && existing.score === score) return { row: existing, submission: undefined, messages, answers }

  const fields = configuration.fieldsOf(stage)
  const layout = existing ? widened(layoutById(db, existing.layout), fields) : layoutOf(stage, fields)
  if (layout._id !== existing?.layout) keepLayout(db, layout)
  const values = JSON.stringify(inOrder(layout, answers))
  const amends = existing && amendment(layout, filled.changes)
  const appended: SubmissionRow = {
    _id: 0,
    at: now,
    response: existing?._id ?? submission.id(),
    trial: submission.trial,
    stage,
    stageRecurrence,
    participant: submission.participant,
    layout: layout._id,
    fields: amends?.fields ?? null,
    values: amends?.values ?? values,
    entered: enteredOf(submission, layout, filled.changes),
    score,
    partialSubmission,
    createdBy: by._id,
    createdByType: by.type,
    address: client.address,
    device: client.device,
    updateNote: submission.updateNote,
  }
  appended._id = insertSubmission(db, appended)
  // Where nothing was ever verified or signed, an amendment looks for nothing.
  const cleared = existing?.marks
    ? clearMarks(db, existing, {
        submission: appended._id,
        dataTypes: filled.changes.map(({ dataType }) => dataType),
        by,
        at: now,
      })
    : undefined
  const stamps = amends
    ? restamped(stampsOf(existing), layout.dataTypes.length, amends.positions, appended._id)
    : appended._id
  const row: ResponseRow = {
    _id: appended.response,
    createdAt: existing?.createdAt ?? now,
    updatedAt: now,
    trial: appended.trial,
    stage,
    stageRecurrence,
    participant: submission.participant,
    layout: layout._id,
    values,
    stamps: JSON.stringify(stamps),
    score,
    status: existing?.status ?? null,
    partialSubmission,
    marks: (existing?.marks ?? 0) - (cleared?.count ?? 0),
  }
  if (existing) updateResponse(db, row)
  else insertResponse(db, row)
  return { row, submission: appended, messages, answers, ...(cleared ? { cleared: cleared.entry } : {}) }
}

/** What ties a submission to the audit trail: a hash of everything it says. */
export const submissionDigest = digest<SubmissionRow>(
  inFields([
    ...(['_id', 'at', 'response', 'trial', 'stage', 'stageRecurrence', 'participant', 'layout', 'fields'] as const),
    ...(['values', 'entered', 'score', 'partialSubmission', 'createdBy', 'createdByType'] as const),
    ...(['address', 'device', 'updateNote'] as const),
  ]),
)
