import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { type Hidden, nothing } from '#design/configuration/hidden'
import type { Id } from '#kernel/id'
import type { Link } from '#storage/storage'
import { urlOf } from './files'
import { type Layout, stampAt, submissionsIn } from './layout'
import {
  layoutById,
  type ResponseRow,
  type Stamp,
  type SubmissionRow,
  stampsByNumber,
  stampsOf,
  submissionsOf,
  valuesOf,
} from './store'

/** The note of a submission, for who sees every field that it changed: it may quote any of them. */
export function noteFor(db: Db, submission: Pick<SubmissionRow, 'layout' | 'fields' | 'updateNote'>, hidden: Hidden) {
  const { updateNote, fields } = submission
  if (updateNote === null || hidden === nothing) return updateNote
  const { dataTypes } = layoutById(db, submission.layout)
  const changed = fields === null ? dataTypes : (JSON.parse(fields) as number[]).map((at) => dataTypes[at]!)
  return changed.some(hidden) ? null : updateNote
}

/**
 * Whether a score would give away a hidden answer: one that counts for it, or one that the stage no longer asks, as it may
 * have counted when the score was made.
 * @param layout the response's, or the submission's
 */
export function scoreHidden(configuration: Configuration, stage: Id, layout: Layout, hidden: Hidden): boolean {
  if (hidden === nothing) return false
  const components = configuration.stages.get(stage)?.components ?? []
  const harmless = new Set(components.flatMap((each) => (each.scoringRules?.length ? [] : (each.dataType ?? []))))
  const counting = components.flatMap((each) => (each.scoringRules?.length ? (each.dataType ?? []) : []))
  return [...counting, ...layout.dataTypes].some((dataType) => !harmless.has(dataType) && hidden(dataType))
}

type Participant = { _id: Id; id: string } | undefined

/**
 * One response as it is answered.
 * @param known the stamps it names, where they were read already; @param link gives the URLs of files: without, there are none
 */
export function readResponse(
  db: Db,
  configuration: Configuration,
  row: ResponseRow,
  participant: Participant,
  hidden: Hidden = nothing,
  known?: ReadonlyMap<number, Stamp>,
  link?: Link,
) {
  const layout = layoutById(db, row.layout)
  const values = valuesOf(row)
  const stamps = stampsOf(row)
  const submissions = known ?? stampsByNumber(db, submissionsIn(stamps))
  const response: Record<Id, ReturnType<typeof entryOf>> = {}
  for (let at = 0; at < values.length; at++) {
    const dataType = layout.dataTypes[at]!
    const stamp = stampAt(stamps, at)
    const submission = stamp === null ? undefined : submissions.get(stamp)
    if (!submission || hidden(dataType)) continue
    // A blank that was never anything else is no entry; one that replaced an answer is.
    if (values[at] === null && submission.isFirst) continue
    response[dataType] = entryOf(
      submission,
      values[at],
      layout._id === submission.layout ? at : undefined,
      dataType,
      db,
      hidden,
      link && urlOf(db, configuration, row, dataType, values[at], link),
    )
  }
  const isScored = row.score !== null && !scoreHidden(configuration, row.stage, layout, hidden)
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
    response,
  }
}

/** One answer with who and when. What does not apply is undefined: there are many entries, and spreading costs. */
function entryOf(
  submission: Stamp,
  value: unknown,
  position: number | undefined,
  dataType: Id,
  db: Db,
  hidden: Hidden,
  url: string | undefined,
) {
  return {
    value,
    url,
    createdAt: submission.at,
    enteredAt: submission.entered === null ? undefined : enteredIn(submission, position, dataType, db),
    createdBy: submission.createdBy,
    createdByType: submission.createdByType,
    updateNote: noteFor(db, submission, hidden) ?? undefined,
    client: submission, // its address and device: what else it holds, the model does not name
  }
}

function enteredIn(submission: Stamp, position: number | undefined, dataType: Id, db: Db): number | undefined {
  const at = position ?? layoutById(db, submission.layout).positions.get(dataType)!
  return (JSON.parse(submission.entered!) as Record<number, number>)[at]
}

/** What one submission changed, and what each value replaced. */
type Told = { dataType: Id; value: unknown; replaced: unknown; enteredAt?: number }

/**
 * What each submission of a response changed, oldest first.
 * @param rows all submissions that built the response, in order: what a value replaced follows from those before
 */
export function changesOf(db: Db, rows: readonly SubmissionRow[], hidden: Hidden = nothing): Told[][] {
  const current: Record<Id, unknown> = {}
  return rows.map((row) => {
    const { dataTypes } = layoutById(db, row.layout)
    const values = valuesOf(row)
    const positions = row.fields === null ? values.map((_, at) => at) : (JSON.parse(row.fields) as number[])
    const entered = row.entered === null ? {} : (JSON.parse(row.entered) as Record<number, number>)
    return positions.flatMap((position, at) => {
      const dataType = dataTypes[position]!
      const value = values[at] ?? null
      const replaced = current[dataType] ?? null
      current[dataType] = value
      if (hidden(dataType) || (value === null && replaced === null)) return []
      const enteredAt = entered[position]
      return [{ dataType, value, replaced, ...(enteredAt === undefined ? {} : { enteredAt }) }]
    })
  })
}

/** What one submission of a response changed; undefined where there is no such submission. */
export function changesIn(db: Db, response: Id, submission: number, hidden: Hidden) {
  const rows = submissionsOf(db, response)
  const at = rows.findIndex(({ _id }) => _id === submission)
  if (at < 0) return undefined
  return changesOf(db, rows.slice(0, at + 1), hidden)[at]!.map(({ dataType, value, replaced }) => ({
    dataType,
    before: replaced,
    after: value,
  }))
}
