/** Responses as the API returns them, without what is hidden from the reader. */
import type { Access, Places } from '#access/caller'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { type HiddenFieldTest, hiddenFrom, noHiddenFields } from '#design/hiddenFields/hiddenFields'
import type { RequestContext } from '#http/operation'
import type { Id } from '#kernel/id'
import { hourLinkMaker } from '#storage/links'
import type { LinkMaker } from '#storage/storage'
import { fileUrlOf } from './files'
import { type Layout, sourceSubmissionAt, submissionsIn } from './layout'
import {
  layoutById,
  type ResponseRow,
  responseById,
  type SubmissionMeta,
  type SubmissionRow,
  sourceSubmissionsOf,
  submissionMetaByNumber,
  submissionsOf,
  valuesOf,
} from './store'

/** The note of a submission. Null if a field that the submission changed is hidden from the reader, as the note may quote it. */
export function visibleNote(
  db: Db,
  submission: Pick<SubmissionRow, 'layout' | 'fields' | 'updateNote'>,
  hidden: HiddenFieldTest,
) {
  const { updateNote, fields } = submission
  if (updateNote === null || hidden === noHiddenFields) return updateNote
  const { dataTypes } = layoutById(db, submission.layout)
  const changed = fields === null ? dataTypes : (JSON.parse(fields) as number[]).map((at) => dataTypes[at]!)
  return changed.some(hidden) ? null : updateNote
}

/**
 * Whether a score would reveal a hidden answer: of a field that counts for the score, or of one that is no longer in the
 * stage, as it may have counted when the score was computed.
 * @param layout of the response or of the submission
 */
export function isScoreHidden(
  configuration: Configuration,
  stage: Id,
  layout: Layout,
  hidden: HiddenFieldTest,
): boolean {
  if (hidden === noHiddenFields) return false
  const components = configuration.stages.get(stage)?.components ?? []
  const harmless = new Set(components.flatMap((each) => (each.scoringRules?.length ? [] : (each.dataType ?? []))))
  const counting = components.flatMap((each) => (each.scoringRules?.length ? (each.dataType ?? []) : []))
  return [...counting, ...layout.dataTypes].some((dataType) => !harmless.has(dataType) && hidden(dataType))
}

type Participant = { _id: Id; id: string } | undefined

/** The permissions of the caller, and the sites and groups of the participant. */
type ParticipantAccess = { access: Access; places: Places }

/**
 * A response as the API returns it.
 * @param known the metadata of its source submissions, if the caller has read it
 * @param link makes the URLs of files; without it no URL is returned
 */
export function readResponse(
  db: Db,
  configuration: Configuration,
  row: ResponseRow,
  participant: Participant,
  hidden: HiddenFieldTest = noHiddenFields,
  known?: ReadonlyMap<number, SubmissionMeta>,
  link?: LinkMaker,
) {
  const layout = layoutById(db, row.layout)
  const values = valuesOf(row)
  const sources = sourceSubmissionsOf(row)
  const submissions = known ?? submissionMetaByNumber(db, submissionsIn(sources))
  const response: Record<Id, ReturnType<typeof entryOf>> = {}
  for (let at = 0; at < values.length; at++) {
    const dataType = layout.dataTypes[at]!
    const source = sourceSubmissionAt(sources, at)
    const submission = source === null ? undefined : submissions.get(source)
    if (!submission || hidden(dataType)) continue
    // A blank is an entry only if it replaced an answer.
    if (values[at] === null && submission.isFirst) continue
    response[dataType] = entryOf(
      submission,
      values[at],
      layout._id === submission.layout ? at : undefined,
      dataType,
      db,
      hidden,
      link && fileUrlOf(db, configuration, row, dataType, values[at], link),
    )
  }
  const isLate = submissions.size > 0 && [...submissions.values()].some(({ sentLate }) => sentLate)
  const isScored = row.score !== null && !isScoreHidden(configuration, row.stage, layout, hidden)
  return {
    _id: row._id,
    trial: row.trial,
    stage: row.stage,
    stageRecurrence: row.stageRecurrence,
    participant: row.participant,
    participantId: participant?.id ?? null,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    score: isScored ? (row.score ?? undefined) : undefined,
    status: row.status,
    partialSubmission: row.partialSubmission,
    sentLate: isLate ? true : undefined,
    response,
  }
}

/** A response as it is stored now, as the caller sees it, with URLs of its files. */
export function currentResponse(
  { services, db, now, access, places }: Pick<RequestContext, 'services' | 'db' | 'now'> & ParticipantAccess,
  configuration: Configuration,
  _id: Id,
  participant: Participant,
) {
  const hidden = hiddenFrom(configuration, access, places)
  const link = hourLinkMaker(services, now)
  return readResponse(db, configuration, responseById(db, _id)!, participant, hidden, undefined, link)
}

/**
 * One answer with its author and time. A missing value is undefined: there are many entries, and object spread is slow.
 * @param position of the answer in the layout of the submission; undefined if that is another than the response's
 */
function entryOf(
  submission: SubmissionMeta,
  value: unknown,
  position: number | undefined,
  dataType: Id,
  db: Db,
  hidden: HiddenFieldTest,
  url: string | undefined,
) {
  return {
    value,
    url,
    createdAt: submission.at,
    sentLate: submission.sentLate ? true : undefined,
    enteredAt: submission.entered === null ? undefined : answerTimeIn(submission, position, dataType, db),
    createdBy: submission.createdBy,
    createdByType: submission.createdByType,
    updateNote: visibleNote(db, submission, hidden) ?? undefined,
    client: submission, // The model picks the address and the device.
  }
}

/** When the answer was given, if the client sent the time. */
function answerTimeIn(
  submission: SubmissionMeta,
  position: number | undefined,
  dataType: Id,
  db: Db,
): number | undefined {
  const at = position ?? layoutById(db, submission.layout).positions.get(dataType)!
  return (JSON.parse(submission.entered!) as Record<number, number>)[at]
}

/** A value that a submission changed, and the value that it replaced. */
type ValueChange = { dataType: Id; value: unknown; replaced: unknown; enteredAt?: number }

/**
 * The changes of each submission of a response, oldest first.
 * @param rows all submissions of the response, in order: each change names the value that it replaced
 */
export function changesOf(
  db: Db,
  rows: readonly SubmissionRow[],
  hidden: HiddenFieldTest = noHiddenFields,
): ValueChange[][] {
  const current: Record<Id, unknown> = {}
  return rows.map((row) => {
    const { dataTypes } = layoutById(db, row.layout)
    const values = valuesOf(row)
    const positions: number[] = row.fields === null ? values.map((_, at) => at) : JSON.parse(row.fields)
    const entered = row.entered === null ? undefined : (JSON.parse(row.entered) as Record<number, number>)
    const changes: ValueChange[] = []
    for (const position of positions) {
      const dataType = dataTypes[position]!
      const value = values[position] ?? null
      const replaced = current[dataType] ?? null
      current[dataType] = value
      if (hidden(dataType) || (value === null && replaced === null)) continue
      const change: ValueChange = { dataType, value, replaced }
      const enteredAt = entered?.[position]
      if (enteredAt !== undefined) change.enteredAt = enteredAt
      changes.push(change)
    }
    return changes
  })
}

/**
 * Returns a function that returns the changes of one submission of a response; undefined if there is no such submission. It reads
 * each response once, however many of its submissions are asked for.
 */
export function changesReader(db: Db) {
  const known = new Map<Id, ReadonlyMap<number, { dataType: Id; before: unknown; after: unknown }[]>>()
  function read(response: Id, hidden: HiddenFieldTest) {
    const rows = submissionsOf(db, response)
    const named = changesOf(db, rows, hidden).map((changes) =>
      changes.map(({ dataType, value, replaced }) => ({ dataType, before: replaced, after: value })),
    )
    return new Map(rows.map(({ _id }, at) => [_id, named[at]!]))
  }
  /** @param hidden the same for each submission of a response */
  return (response: Id, submission: number, hidden: HiddenFieldTest) => {
    let changes = known.get(response)
    if (!changes) known.set(response, (changes = read(response, hidden)))
    return changes.get(submission)
  }
}
