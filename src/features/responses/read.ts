/** Responses as they are read: entries with who and when, without what the reader may not see. */
import { type Access, holds, type Places } from '../../access/caller'
import type { Db } from '../../db/open'
import type { Id } from '../../kernel/id'
import type { Configuration } from '../stages/configuration'
import { stampAt, submissionsIn } from './layout'
import { layoutById, type ResponseRow, type SubmissionRow, stampsOf, submissionsByNumber, valuesOf } from './queries'

/** Which data types the reader does not see: restricted and PII ones are silently left out (convention 10). */
export type Hidden = (dataType: Id) => boolean

const nothing: Hidden = () => false

/** What is hidden from a member of staff about participants in these places. */
export function hiddenFrom(configuration: Configuration, access: Access, places: Places): Hidden {
  const restricted = holds(access, 'readParticipantStudyDataRestricted', places)
  const pii = holds(access, 'readParticipantStudyDataPii', places)
  if (restricted && pii) return nothing
  return (id) => {
    const dataType = configuration.dataTypes.get(id)
    // A data type that is gone can no longer be said to be open to everyone.
    return !dataType || (dataType.isRestricted && !restricted) || (dataType.isPii && !pii)
  }
}

/** Whether a stage's score would give away a hidden answer. */
export const scoreHidden = (configuration: Configuration, stage: Id, hidden: Hidden): boolean =>
  hidden !== nothing &&
  (configuration.stages.get(stage)?.components ?? []).some(
    ({ dataType, scoringRules }) => dataType && scoringRules?.length && hidden(dataType),
  )

type Participant = { _id: Id; id: string } | undefined

/** One response as it is answered. @param known submissions already read, by number */
export function readResponse(
  db: Db,
  configuration: Configuration,
  row: ResponseRow,
  participant: Participant,
  hidden: Hidden = nothing,
  known?: ReadonlyMap<number, SubmissionRow>,
) {
  const { layout: layoutId, values: _, stamps: __, score, ...rest } = row
  const layout = layoutById(db, layoutId)
  const values = valuesOf(row)
  const stamps = stampsOf(row)
  const submissions = known ?? submissionsByNumber(db, submissionsIn(stamps))
  const response: Record<Id, unknown> = {}
  for (let at = 0; at < values.length; at++) {
    const dataType = layout.dataTypes[at]!
    const stamp = stampAt(stamps, at)
    const submission = stamp === null ? undefined : submissions.get(stamp)
    if (!submission || hidden(dataType)) continue
    // A blank that was never anything else is no entry; one that replaced an answer is.
    if (values[at] === null && submission.fields === null) continue
    response[dataType] = entryOf(
      submission,
      values[at],
      layout._id === submission.layout ? at : undefined,
      dataType,
      db,
    )
  }
  return {
    ...rest,
    participantId: participant?.id ?? null,
    partialSubmission: row.partialSubmission === 1,
    ...(score === null || scoreHidden(configuration, row.stage, hidden) ? {} : { score }),
    response,
  }
}

function entryOf(submission: SubmissionRow, value: unknown, position: number | undefined, dataType: Id, db: Db) {
  const { at, createdBy, createdByType, updateNote, address, device } = submission
  const enteredAt = submission.entered === null ? undefined : enteredIn(submission, position, dataType, db)
  return {
    value,
    createdAt: at,
    ...(enteredAt === undefined ? {} : { enteredAt }),
    createdBy,
    createdByType,
    ...(updateNote === null ? {} : { updateNote }),
    client: { address, device },
  }
}

function enteredIn(submission: SubmissionRow, position: number | undefined, dataType: Id, db: Db): number | undefined {
  const at = position ?? layoutById(db, submission.layout).dataTypes.indexOf(dataType)
  return (JSON.parse(submission.entered!) as Record<number, number>)[at]
}

/** What a submission changed, and what each value replaced. */
export function changesOf(db: Db, submission: SubmissionRow, hidden: Hidden = nothing) {
  const layout = layoutById(db, submission.layout)
  const values = valuesOf(submission)
  const replaced = submission.replaced === null ? [] : (JSON.parse(submission.replaced) as unknown[])
  const positions = submission.fields === null ? values.map((_, at) => at) : (JSON.parse(submission.fields) as number[])
  const entered = submission.entered === null ? {} : (JSON.parse(submission.entered) as Record<number, number>)
  return positions.flatMap((position, at) => {
    const dataType = layout.dataTypes[position]!
    const value = values[at] ?? null
    if (hidden(dataType) || (value === null && submission.fields === null)) return []
    const enteredAt = entered[position]
    return [{ dataType, value, replaced: replaced[at] ?? null, ...(enteredAt === undefined ? {} : { enteredAt }) }]
  })
}
