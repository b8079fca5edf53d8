/** Rebuilds a response from its history, to compare it with the stored one (docs/decisions.md, "Responses"). */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { isSame } from '#kernel/json'
import type { EventRow } from './events'
import { type SourceSubmissions, withSourceSubmission } from './layout'
import type { Mark } from './sourceVerificationStore'
import { layoutById, type ResponseRow, type SubmissionRow, sourceSubmissionsOf, valuesOf } from './store'

type State = { layout: string; values: unknown[]; sources: SourceSubmissions }
type Owner = { participant: Id | null; stageRecurrence: number }

/** Applies an amendment to the state. Returns what is wrong with the amendment; undefined if nothing is. */
function applyAmendment(db: Db, state: State, submission: SubmissionRow): string | undefined {
  if (submission.fields === null) return 'has the form of a first submission, but there is an earlier one'
  const { dataTypes } = layoutById(db, submission.layout)
  const before = layoutById(db, state.layout).dataTypes
  if (before.some((dataType, at) => dataTypes[at] !== dataType))
    return 'does not keep the layout of the submission before it'
  const positions: number[] = JSON.parse(submission.fields)
  const values = valuesOf(submission)
  if (positions.some((at) => at >= dataTypes.length)) return 'changes a field that is not in its layout'
  const changed = new Set(positions)
  if (values.some((value, at) => !changed.has(at) && !isSame(value, state.values[at] ?? null)))
    return 'holds other values of fields that it did not change'
  state.sources = withSourceSubmission(state.sources, dataTypes.length, positions, submission._id)
  state.layout = submission.layout
  state.values = values
  return undefined
}

/** The events of a type, with their parsed content. */
const parsedEvents = <T>(events: readonly EventRow[], type: EventRow['type']): (EventRow & { data: T })[] =>
  events.filter((event) => event.type === type).map((event) => ({ ...event, data: JSON.parse(event.content) as T }))

/** The verification marks that result from the events, by data type. */
export function marksAfter(events: readonly EventRow[]): Map<Id, Mark> {
  const marks = new Map<Id, Mark>()
  for (const { type, at, createdBy, content } of events) {
    const data = JSON.parse(content) as { dataTypes?: Id[]; marks?: Mark[] }
    // A restoration brings the marks back that the deletion cleared.
    if (type === 'restored') for (const mark of data.marks ?? []) marks.set(mark.dataType, mark)
    else if (type === 'verified') {
      for (const dataType of data.dataTypes ?? [])
        marks.set(dataType, { dataType, verifiedAt: at, verifiedBy: createdBy })
    } else for (const { dataType } of data.marks ?? []) marks.delete(dataType)
  }
  return marks
}

/** Applies all submissions and events, both oldest first. Returns a text if they do not fit together. */
function replay(db: Db, submissions: readonly SubmissionRow[], events: readonly EventRow[]) {
  const [first, ...amendments] = submissions
  if (!first) return 'it has no submission'
  if (first.fields !== null) return `its first submission, ${first._id}, has the form of an amendment`
  const state: State = { layout: first.layout, values: valuesOf(first), sources: first._id }
  for (const submission of amendments) {
    const problem = applyAmendment(db, state, submission)
    if (problem) return `submission ${submission._id} ${problem}`
  }
  const moves = parsedEvents<{ to: Owner }>(events, 'moved')
  const last = submissions.at(-1)!
  const { participant, stageRecurrence } = moves.at(-1)?.data.to ?? first
  const statuses = parsedEvents<{ after: ResponseRow['status'] }>(events, 'status')
  const fields = {
    createdAt: first.at,
    updatedAt: Math.max(last.at, ...[moves.at(-1), statuses.at(-1)].map((event) => event?.at ?? 0)),
    participant,
    stageRecurrence,
    layout: state.layout,
    score: last.score,
    status: statuses.at(-1)?.data.after ?? null,
    partialSubmission: last.partialSubmission,
  }
  const owners = new Set([first.participant, ...moves.map(({ data }) => data.to.participant)])
  return { first, state, fields, owners }
}

/**
 * The response as its submissions and events, both oldest first, made it; undefined if it has none. `marks` is not in them: 0.
 * @throws an error if they do not fit together
 */
export function rebuiltResponse(
  db: Db,
  submissions: readonly SubmissionRow[],
  events: readonly EventRow[],
): ResponseRow | undefined {
  if (!submissions.length) return undefined
  const found = replay(db, submissions, events)
  if (typeof found === 'string') throw new Error(`response ${submissions[0]!.response}: ${found}`)
  const { first, state, fields } = found
  const { response: _id, trial, stage } = first
  const [values, sources] = [JSON.stringify(state.values), JSON.stringify(state.sources)]
  return { _id, trial, stage, ...fields, values, sources, marks: 0 }
}

/**
 * The first difference between a response and its submissions and events; undefined if there is none.
 * @param submissions of the response, oldest first
 * @param events of the response, oldest first
 */
export function difference(
  db: Db,
  row: ResponseRow,
  submissions: readonly SubmissionRow[],
  events: readonly EventRow[],
): string | undefined {
  const found = replay(db, submissions, events)
  if (typeof found === 'string') return found
  const { state, fields, owners } = found
  const stray = submissions.find(({ participant, trial, stage }) => {
    return !owners.has(participant) || trial !== row.trial || stage !== row.stage
  })
  if (stray) return `submission ${stray._id} is of another participant, stage or trial`
  for (const field of Object.keys(fields) as (keyof typeof fields)[]) {
    if (row[field] !== fields[field]) return `its ${field} is not what its history says`
  }
  const values = valuesOf(row)
  if (values.length !== state.values.length) return 'the number of its values is not what its history says'
  const at = values.findIndex((value, at) => !isSame(value, state.values[at]))
  if (at >= 0) return `the value of ${layoutById(db, row.layout).dataTypes[at]} is not what its history says`
  if (!isSame(sourceSubmissionsOf(row), state.sources))
    return 'its values are said to come from other submissions than its history says'
  return undefined
}
