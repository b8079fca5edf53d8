/** A submission, and the reasons to refuse it. */
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { fileProblem } from '#design/dataTypes/files'
import { type AnswerProblem, outsideSettings } from '#design/dataTypes/problems'
import { type AnswerChange, type FillResult, problemSentence } from '#design/forms/fillForm'
import type { SentAnswer } from '#design/forms/form'
import type { HiddenFieldTest } from '#design/hiddenFields/hiddenFields'
import type { Client } from '#http/operation'
import { UPLOAD_FORMATS } from '#kernel/formats'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { at, type Reason } from '#kernel/refusals/reason'
import { DAY, type Instant } from '#kernel/time'
import { type StoredFile, usableFile } from '#storage/store'
import { VIDEO_LIMIT } from '#storage/upload'
import type { Author } from './events'
import type { ResponseRow } from './store'

/** One submission of an occurrence of a stage. */
export type Submission = {
  db: Db
  now: Instant
  /** The participant's zone. */
  zone: string
  configuration: Configuration
  trial: Id
  /** Null for the answers to a poll. */
  participant: Id | null
  stage: Id
  stageRecurrence: number
  /** The response before the submission; undefined for a first submission. */
  existing: ResponseRow | undefined
  sent: Readonly<Record<Id, SentAnswer>>
  /** The fields that are hidden from the sender. */
  hidden: HiddenFieldTest
  by: Author
  client: Client
  updateNote: string | null
  /** Whether a change must say why. */
  needsNote?: boolean
  /** The id that the participant's device gave it. The same is stored once, at any time. */
  entry?: string | null
  /** For answers that arrive after the form closed: when the newest of them was given. The form is checked as of then. */
  answeredAt?: Instant
  /** For answers without a participant: the finished upload with that stored name, if these answers may name it. */
  fileOf?: ((storedName: string) => StoredFile | undefined) | undefined
  /** Makes a new `_id`, for a first submission. */
  id(): Id
}

const isEmpty = (problems: object): boolean => {
  for (const _ in problems) return false
  return true
}

/**
 * Refuses a form with problems: 422 for values of a wrong type, 400 for values that do not fit their field.
 * @param codeOf returns the code of a data type, for the message
 */
export function refuseProblems(filled: FillResult, codeOf: (dataType: Id) => string): void {
  const { wrong, missing, unfit, problems: coded } = filled
  if (isEmpty(wrong) && isEmpty(missing) && isEmpty(unfit)) return
  const among = (texts: object) => Object.fromEntries(Object.entries(coded).filter(([dataType]) => dataType in texts))
  const wrongAnswers = among(wrong)
  const problems = Object.entries(wrongAnswers).map(([dataType, problem]) => at(codeOf(dataType), problem))
  if (problems.length) throw refuse.invalid({ response: problems }, 'json', wrongAnswers, { problems: wrongAnswers })
  const fields = { ...missing, ...unfit }
  const unfitAnswers = among(fields)
  const [first, ...others] = Object.keys(fields).map((dataType) => coded[dataType]!)
  if (first === undefined) return
  const [problem, more, details] = [first, others.length, { fields, problems: unfitAnswers }]
  throw more
    ? refuse.bad('answersNotTaken', { problem, more }, details)
    : refuse.bad('answerNotTaken', { problem }, details)
}

/** What is wrong with one answer; its code is one of those of answers. */
export const answerReason = (title: string, problem: AnswerProblem): Reason => ({
  code: problem.code,
  params: { title, ...problem.params },
  text: problemSentence(title, problem),
})

/** The refusal (400) of one answer. */
function answerRefusal(
  { configuration, stage }: Pick<Submission, 'configuration' | 'stage'>,
  dataType: Id,
  answerProblem: AnswerProblem,
) {
  const { components } = configuration.stages.get(stage)!
  const { title } = components.find((component) => component.dataType === dataType)!
  const problem = answerReason(title, answerProblem)
  const details = { fields: { [dataType]: problem.text }, problems: { [dataType]: problem } }
  return refuse.bad('answerNotTaken', { problem }, details)
}

/**
 * Refuses (400) files of another participant, incomplete ones, and those that do not fit their field (docs/contract.md,
 * "Files").
 */
export function refuseFiles(submission: Submission, changes: readonly AnswerChange[]): void {
  const { db, configuration, participant, fileOf } = submission
  for (const { dataType, value } of changes) {
    const field = configuration.dataTypes.get(dataType)
    if (!field || value === null || !UPLOAD_FORMATS.has(field.format)) continue
    const { fileName } = value as { fileName: string }
    const file = fileOf
      ? fileOf(fileName)
      : participant === null
        ? undefined
        : usableFile(db, fileName, 'participant', participant)
    const problem = file ? fileProblem(field, { type: file.type, size: file.size ?? 0 }) : outsideSettings('otherFile')
    if (problem) throw answerRefusal(submission, dataType, problem)
  }
}

/** Refuses (400) a file that the person cannot give as the answer to this question of the form, before it is uploaded. */
export function refuseUpload(
  form: Pick<Submission, 'configuration' | 'stage'>,
  { dataType, type, size }: { dataType: Id; type: string; size: number },
): void {
  const { configuration, stage } = form
  const field = configuration.fieldsOf(stage).includes(dataType) ? configuration.dataTypes.get(dataType) : undefined
  if (!field || !UPLOAD_FORMATS.has(field.format)) throw refuse.bad('noFileQuestion')
  if (configuration.form(stage).hidden.has(dataType))
    throw answerRefusal(form, dataType, outsideSettings('studyTeamOnly'))
  const problem = fileProblem(
    { ...field, maxSize: Math.min(field.maxSize ?? VIDEO_LIMIT, VIDEO_LIMIT) },
    { type, size },
  )
  if (problem) throw answerRefusal(form, dataType, problem)
}

/** Refuses (400) answers of a participant to fields that they are not asked. */
export function refuseHidden(submission: Submission, changes: readonly AnswerChange[]): void {
  const { configuration, stage, sent, by } = submission
  if (by.type !== 'participant') return
  for (const { dataType } of changes) {
    if (sent[dataType]?.value !== undefined && configuration.form(stage).hidden.has(dataType))
      throw answerRefusal(submission, dataType, outsideSettings('studyTeamOnly'))
  }
}

/** How far ahead the clock of a device may be: a wrong time zone alone can make a day. */
const MAX_CLOCK_LEAD = DAY

/** Refuses (400) an answer that was given in the future. */
export function refuseTimes(submission: Submission, changes: readonly AnswerChange[]): void {
  for (const { dataType } of changes) {
    const at = submission.sent[dataType]?.createdAt
    if (at != null && at > submission.now + MAX_CLOCK_LEAD)
      throw answerRefusal(submission, dataType, outsideSettings('answeredInFuture'))
  }
}

/** The most characters of a note. */
const LONGEST_NOTE = 5000

/**
 * The note on an amendment: that of the submission, or else the new ones of its changed answers. 400 if those are too long
 * together.
 * @param noteBefore the note that the sender reads at a field so far: clients send it back, so it says nothing of the change.
 * A sender who may not read it must not learn that their own note is the same.
 */
export function amendmentNote(
  { by, sent, updateNote }: Submission,
  changes: readonly AnswerChange[],
  noteBefore: (dataType: Id) => string | null | undefined,
): string | null {
  if (by.type !== 'user' || updateNote?.trim()) return updateNote
  const notes = changes.flatMap(({ dataType }) => {
    const note = sent[dataType]?.updateNote?.trim()
    return note && note !== noteBefore(dataType)?.trim() ? [note] : []
  })
  const joined = [...new Set(notes)].join('; ')
  if (joined.length > LONGEST_NOTE) throw refuse.bad('notesTooLong', { most: LONGEST_NOTE })
  return joined || updateNote
}

/** Refuses (400) an amendment without a note, if the study asks for one. */
export function requireNote({ existing, needsNote }: Submission, updateNote: string | null): void {
  if (existing && needsNote && !updateNote?.trim()) throw refuse.bad('updateNoteMissing')
}
