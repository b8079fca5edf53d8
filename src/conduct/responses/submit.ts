/** Performs a submission: checks, merges, calculates, scores and writes it with its history (docs/forms.md, "Submissions"). */
import { digest, textOfFields } from '#audit/digest'
import { type AnswerChange, type FillResult, fillForm } from '#design/forms/fillForm'
import type { RuleMessage } from '#design/stages/components'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { EventReference } from './events'
import {
  byDataType,
  extendLayout,
  type Layout,
  layoutOf,
  sourceSubmissionAt,
  submissionsIn,
  valuesInOrder,
  withSourceSubmission,
} from './layout'
import { amendmentOf } from './originalForm'
import {
  amendmentNote,
  refuseFiles,
  refuseHidden,
  refuseProblems,
  refuseTimes,
  requireNote,
  type Submission,
} from './refusals'
import { clearMarks, entriesIn } from './sourceVerification'
import {
  insertResponse,
  insertSubmission,
  layoutById,
  type ResponseRow,
  type SubmissionMeta,
  type SubmissionRow,
  saveLayout,
  sourceSubmissionsOf,
  submissionMetaByNumber,
  updateResponse,
  valuesOf,
} from './store'
import { visibleNote } from './views'

export type SubmissionResult = {
  row: ResponseRow
  /** The submission that was appended; undefined if nothing changed. */
  submission: SubmissionRow | undefined
  /** The metadata of all submissions from which the answers are. */
  known: Map<number, SubmissionMeta>
  /** The event with the marks that the submission cleared. */
  cleared?: EventReference
  messages: RuleMessage[]
  /** All answers that are not blank, by data type. */
  answers: Readonly<Record<Id, unknown>>
}

/** The positions of the fields that an amendment changes. */
const positionsOf = (layout: Layout, changes: readonly AnswerChange[]): number[] =>
  changes.map(({ dataType }) => layout.positions.get(dataType)!)

/**
 * When the changed answers were given, as JSON by position, if the client sent the time; else null. Two times are ignored
 * because clients send them back as they read them: that of a calculation, and that at which the earlier answer was recorded.
 */
function answerTimesJson(submission: Submission, layout: Layout, changes: readonly AnswerChange[]): string | null {
  const { configuration, sent } = submission
  let entered: Record<number, Instant> | undefined
  for (const { dataType } of changes) {
    const at = sent[dataType]?.createdAt
    if (at == null || configuration.dataTypes.get(dataType)?.format === 'calculation') continue
    const position = layout.positions.get(dataType)!
    if (at !== sourceOf(submission, dataType)?.at) (entered ??= {})[position] = at
  }
  return entered ? JSON.stringify(entered) : null
}

/** The submission that the current answer to a field is from; undefined if there is none. */
function sourceOf({ db, existing }: Submission, dataType: Id): SubmissionMeta | undefined {
  const position = existing && layoutById(db, existing.layout).positions.get(dataType)
  if (position === undefined) return undefined
  const number = sourceSubmissionAt(sourceSubmissionsOf(existing!), position)
  return number === null ? undefined : submissionMetaByNumber(db, [number]).get(number)
}

/** Whether a submission leaves everything as it is. */
function isUnchanged(existing: ResponseRow, { changes, score, partial }: FillResult): boolean {
  return !changes.length && existing.score === (score ?? null) && existing.partialSubmission === partial
}

/** The row of a submission in the history. @param written the note; all values after it, and which of them an amendment changed */
function submissionRow(
  submission: Submission,
  filled: FillResult,
  layout: Layout,
  written: Pick<SubmissionRow, 'fields' | 'values' | 'updateNote'>,
): SubmissionRow {
  const { by, client } = submission
  return {
    _id: 0,
    at: submission.now,
    response: submission.existing?._id ?? submission.id(),
    trial: submission.trial,
    stage: submission.stage,
    stageRecurrence: submission.stageRecurrence,
    participant: submission.participant,
    layout: layout._id,
    fields: written.fields,
    values: written.values,
    entered: answerTimesJson(submission, layout, filled.changes),
    score: filled.score ?? null,
    partialSubmission: filled.partial,
    createdBy: by._id,
    createdByType: by.type,
    address: client.address,
    device: client.device,
    updateNote: written.updateNote,
    entry: submission.entry ?? null,
    sentLate: submission.answeredAt !== undefined,
  }
}

/** The metadata of a submission that was just appended. */
const metaOf = (appended: SubmissionRow): SubmissionMeta => ({ ...appended, isFirst: appended.fields === null ? 1 : 0 })

/** The row of the response after a submission. */
function responseRow(
  existing: ResponseRow | undefined,
  appended: SubmissionRow,
  { values, sources, cleared }: { values: string; sources: unknown; cleared: number },
): ResponseRow {
  return {
    _id: appended.response,
    createdAt: existing?.createdAt ?? appended.at,
    updatedAt: appended.at,
    trial: appended.trial,
    stage: appended.stage,
    stageRecurrence: appended.stageRecurrence,
    participant: appended.participant,
    layout: appended.layout,
    values,
    sources: JSON.stringify(sources),
    score: appended.score,
    status: existing?.status ?? null,
    partialSubmission: appended.partialSubmission,
    marks: (existing?.marks ?? 0) - cleared,
  }
}

/**
 * Performs a submission inside the caller's transaction.
 * @throws 422 under `response`, 400 with `details.fields`, 400 without a note that the study asks for
 */
export function submit(submission: Submission): SubmissionResult {
  const { db, now, zone, configuration, existing, sent, stage, by } = submission
  const before = existing ? byDataType(layoutById(db, existing.layout), valuesOf(existing)) : {}
  const at = { now: submission.answeredAt ?? now, zone }
  const amendment = existing && amendmentOf(db, existing)
  const filled = fillForm(configuration.form(stage), before, sent, at, existing && submission.hidden, amendment)
  const { changes, messages, values: answers } = filled
  refuseProblems(filled, (dataType) => configuration.dataTypes.get(dataType)?.code ?? dataType)
  const updateNote = amendmentNote(submission, changes, (dataType) => {
    const source = sourceOf(submission, dataType)
    return source && visibleNote(db, source, submission.hidden)
  })
  requireNote(submission, updateNote)
  refuseTimes(submission, changes)
  refuseHidden(submission, changes)
  refuseFiles(submission, changes)
  if (existing && isUnchanged(existing, filled)) {
    const known = submissionMetaByNumber(db, submissionsIn(sourceSubmissionsOf(existing)))
    return { row: existing, submission: undefined, known, messages, answers }
  }

  const asked = configuration.fieldsOf(stage)
  const layout = existing ? extendLayout(layoutById(db, existing.layout), asked) : layoutOf(stage, asked)
  if (layout._id !== existing?.layout) saveLayout(db, submission.trial, layout)
  const values = JSON.stringify(valuesInOrder(layout, answers))
  const changed = existing && positionsOf(layout, changes)
  const fields = changed ? JSON.stringify(changed) : null
  const appended = submissionRow(submission, filled, layout, { updateNote, fields, values })
  appended._id = insertSubmission(db, appended)
  const amended = { submission: appended._id, dataTypes: changes.map(({ dataType }) => dataType), by, at: now }
  // `marks` counts verification marks and signatures, so that most amendments need not look for any.
  const cleared = existing?.marks ? clearMarks(db, existing, amended) : undefined
  const sources = changed
    ? withSourceSubmission(sourceSubmissionsOf(existing), layout.dataTypes.length, changed, appended._id)
    : appended._id
  const row = responseRow(existing, appended, { values, sources, cleared: cleared?.count ?? 0 })
  const known = submissionMetaByNumber(db, submissionsIn(sources), metaOf(appended))
  if (existing) updateResponse(db, row, appended._id, entriesIn(db, row, known).length)
  else insertResponse(db, row, appended._id, changes.length)
  return { row, submission: appended, known, messages, answers, ...(cleared ? { cleared: cleared.entry } : {}) }
}

/** The fields that digests of version 1 cover. */
const fieldsOfFirstDigest = [
  ...(['_id', 'at', 'response', 'trial', 'stage', 'stageRecurrence', 'participant', 'layout', 'fields'] as const),
  ...(['values', 'entered', 'score', 'partialSubmission', 'createdBy', 'createdByType'] as const),
  ...(['address', 'device', 'updateNote'] as const),
]

/** The hash of all fields of a submission, which ties it to its audit entry. */
export const submissionDigest = digest<SubmissionRow>(
  textOfFields(fieldsOfFirstDigest),
  textOfFields([...fieldsOfFirstDigest, 'entry', 'sentLate']),
)
