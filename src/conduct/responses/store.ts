/** Responses and submissions in the database. Statements that every submission needs are plain SQL, prepared once. */
import { transactionCache } from '#db/commit'
import type { Db } from '#db/open'
import { deleteById, insertNew, rowById, rowsFrom, rowsWhere, rowWhere, updateWhere } from '#db/rows'
import { layouts, responses, storedResponses, submissions } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { isAcceptedEntry } from './acceptedEntryStore'
import { type Layout, layoutOf, type SourceSubmissions } from './layout'

export type ResponseRow = typeof responses.$inferSelect
/** A response that belongs to a participant. */
export type OwnedResponse = ResponseRow & { participant: Id }
export const isOwned = (row: ResponseRow): row is OwnedResponse => row.participant !== null

export type SubmissionRow = typeof submissions.$inferSelect

export const sourceSubmissionsOf = (row: ResponseRow): SourceSubmissions => JSON.parse(row.sources)
export const valuesOf = (row: { values: string }): unknown[] => JSON.parse(row.values)

const layoutCache = new Map<string, Layout>()

/** The layout with this `_id`. A layout never changes, so that it can be cached. */
export function layoutById(db: Db, id: string): Layout {
  let layout = layoutCache.get(id)
  if (!layout) {
    const row = rowById(db, layouts, id)!
    layout = layoutOf(row.stage, row.dataTypes)
    if (layoutCache.size > 5_000) layoutCache.clear()
    layoutCache.set(id, layout)
  }
  return layout
}

/** Saves a layout unless it is saved already. */
export function saveLayout(db: Db, trial: Id, { _id, stage, dataTypes }: Layout): void {
  const cache = transactionCache(db)
  const saved = `layout ${_id}`
  if (cache?.has(saved)) return
  insertNew(db, layouts, { _id, trial, stage, dataTypes: [...dataTypes] })
  cache?.set(saved, true)
}

/** At most one submission whose layout is missing. */
export const submissionsWithoutLayout = (db: Db) =>
  db.$client
    .query<{ _id: number; response: Id }, []>(
      'SELECT _id, response FROM storedSubmissions WHERE layout NOT IN (SELECT key FROM layouts) LIMIT 1',
    )
    .all()

export const responseById = (db: Db, id: Id): ResponseRow | undefined => rowById(db, responses, id)

export const responseAt = (db: Db, participant: Id, stage: Id, n: number): ResponseRow | undefined =>
  rowWhere(db, responses, { participant, stage, stageRecurrence: n })

const STAGE_KEY = '(SELECT key FROM stages WHERE _id = $stage)'
const PARTICIPANT_KEY = '(SELECT key FROM participants WHERE _id = $participant)'
const LAYOUT_KEY = '(SELECT key FROM layouts WHERE _id = $layout)'

const LAST_RESPONSE = `SELECT max(stageRecurrence) AS n FROM storedResponses
  WHERE participant = ${PARTICIPANT_KEY} AND stage = ${STAGE_KEY}`
const LAST_DELETED = `SELECT max(content ->> 'stageRecurrence') AS n FROM responseEvents
  WHERE participant = $participant AND type = 'deleted' AND content ->> 'stage' = $stage`

/** The number of the next submission of an ad hoc stage. The number of a deleted one is not used again, as its history stays. */
export function nextRecurrence(db: Db, participant: Id, stage: Id): number {
  const last = (query: string) =>
    db.$client.query<{ n: number | null }, [{ participant: Id; stage: Id }]>(query).get({ participant, stage })?.n
  return Math.max(last(LAST_RESPONSE) ?? -1, last(LAST_DELETED) ?? -1) + 1
}

export const responsesOfParticipant = (db: Db, participant: Id): ResponseRow[] =>
  rowsWhere(db, responses, { participant }, '_id')

/** The latest responses of a participant to a stage, newest first, at most a hundred. */
export const responsesOfStage = (db: Db, participant: Id, stage: Id): ResponseRow[] =>
  rowsFrom(
    db,
    responses,
    'WHERE participant = +$participant AND stage = +$stage ORDER BY createdAt DESC, _id DESC LIMIT 100',
    { participant, stage },
  )

const INSERT_RESPONSE = `INSERT INTO storedResponses (_id, createdAt, updatedAt, stage, stageRecurrence, participant, layout,
    submission, score, partialSubmission, entries)
  VALUES ($_id, $createdAt, $updatedAt, ${STAGE_KEY}, $stageRecurrence, ${PARTICIPANT_KEY}, ${LAYOUT_KEY},
    $submission, $score, $partialSubmission, $entries)`

type NewResponse = Omit<ResponseRow, 'trial' | 'values' | 'sources' | 'status' | 'marks'>

/**
 * Inserts the response of a first submission, from which all its values come.
 * @param submission its number
 * @param entries how many fields have an entry
 */
export function insertResponse(db: Db, row: NewResponse, submission: number, entries: number): void {
  const { _id, createdAt, updatedAt, stage, stageRecurrence, participant, layout, score, partialSubmission } = row
  const [refers, state] = [
    { stage, stageRecurrence, participant, layout },
    { submission, score, partialSubmission, entries },
  ]
  db.$client
    .query<unknown, [NewResponse & { submission: number; entries: number }]>(INSERT_RESPONSE)
    .run({ _id, createdAt, updatedAt, ...refers, ...state })
}

const UPDATE_RESPONSE = `UPDATE storedResponses SET updatedAt = $updatedAt, layout = ${LAYOUT_KEY}, submission = $submission,
    sources = $sources, score = $score, partialSubmission = $partialSubmission, entries = $entries WHERE _id = $_id`

type ResponseUpdate = Pick<ResponseRow, '_id' | 'updatedAt' | 'layout' | 'sources' | 'score' | 'partialSubmission'>

/**
 * Updates a response after an amendment.
 * @param submission its number; its values are those of the response
 * @param entries how many fields have an entry
 */
export function updateResponse(db: Db, row: ResponseUpdate, submission: number, entries: number): void {
  const { _id, updatedAt, layout, sources, score, partialSubmission } = row
  db.$client
    .query<unknown, [ResponseUpdate & { submission: number; entries: number }]>(UPDATE_RESPONSE)
    .run({ _id, updatedAt, layout, submission, sources, score, partialSubmission, entries })
}

export const saveStatus = (db: Db, _id: Id, status: ResponseRow['status'], updatedAt: Instant) =>
  updateWhere(db, storedResponses, { _id }, { status, updatedAt })

/** Moves a response to a participant, or to no participant. */
export const moveResponse = (db: Db, _id: Id, participant: Id | null, stageRecurrence: number, updatedAt: Instant) =>
  db.$client
    .query<unknown, [Pick<ResponseRow, '_id' | 'participant' | 'stageRecurrence' | 'updatedAt'>]>(
      `UPDATE storedResponses SET participant = ${PARTICIPANT_KEY}, stageRecurrence = $stageRecurrence,
         updatedAt = $updatedAt WHERE _id = $_id`,
    )
    .run({ _id, participant, stageRecurrence, updatedAt })

export const deleteResponse = (db: Db, response: Id) => deleteById(db, storedResponses, response)

const INSERT_SUBMISSION = `INSERT INTO storedSubmissions (at, response, stageRecurrence, participant, layout, fields, "values",
    entered, score, partialSubmission, createdBy, createdByType, address, device, updateNote, entry, sentLate)
  VALUES ($at, $response, $stageRecurrence, $participant, ${LAYOUT_KEY}, $fields, $values,
    $entered, $score, $partialSubmission, $createdBy, $createdByType, $address, $device, $updateNote, $entry, $sentLate)`

/** Appends a submission; returns its number. @throws 400 if the participant's device sent the entry before */
export function insertSubmission(db: Db, submission: SubmissionRow): number {
  const { _id: _, trial: _trial, stage: _stage, ...row } = submission
  if (isAcceptedEntry(db, row)) throw refuse.repeatedEntry()
  try {
    return Number(db.$client.query<unknown, [typeof row]>(INSERT_SUBMISSION).run(row).lastInsertRowid)
  } catch (reason) {
    // The database decides, and not a look-up before: each submission would pay for it.
    if (isRepeatedEntry(reason)) throw refuse.repeatedEntry()
    throw reason
  }
}

const isRepeatedEntry = (reason: unknown): boolean =>
  reason instanceof Error && reason.message.includes('UNIQUE') && reason.message.includes('storedSubmissions.entry')

/** The metadata of a submission: author, time, device and note. The values are in the response. */
export type SubmissionMeta = Pick<
  SubmissionRow,
  '_id' | 'at' | 'layout' | 'fields' | 'entered' | 'createdBy' | 'createdByType' | 'address' | 'device' | 'updateNote'
> & {
  isFirst: number
  /** 1 or true if the answers were sent after the form closed. */
  sentLate: number | boolean
}

const METADATA = `SELECT _id, at, layout, fields, fields IS NULL AS isFirst, entered, createdBy, createdByType, address, device,
  updateNote, sentLate FROM submissions`
const METADATA_OF_ONE = `${METADATA} WHERE _id = +$number`

/** The metadata of these submissions, by number. @param known one that need not be read again */
export function submissionMetaByNumber(
  db: Db,
  numbers: readonly number[],
  known?: SubmissionMeta,
): Map<number, SubmissionMeta> {
  const metas = new Map<number, SubmissionMeta>()
  if (known) metas.set(known._id, known)
  for (const number of numbers) {
    if (metas.has(number)) continue
    const meta = db.$client.query<SubmissionMeta, [{ number: number }]>(METADATA_OF_ONE).get({ number })
    if (meta) metas.set(number, meta)
  }
  return metas
}

/** The metadata of these submissions, by number, in one query: for a page of responses. */
export const submissionMetaAmong = (db: Db, numbers: Iterable<number>): Map<number, SubmissionMeta> =>
  new Map(
    db.$client
      .query<SubmissionMeta, [{ numbers: string }]>(`${METADATA} WHERE _id IN (SELECT value FROM json_each($numbers))`)
      .all({ numbers: JSON.stringify([...numbers]) })
      .map((meta) => [meta._id, meta]),
  )

/** The largest `_id` of a table; 0 if the table is empty. */
export const lastNumber = (db: Db, table: 'submissions' | 'responseEvents'): number =>
  db.$client.query<{ last: number | null }, []>(`SELECT max(_id) AS last FROM ${table}`).get()!.last ?? 0

/** The submissions of a response, oldest first. */
export const submissionsOf = (db: Db, response: Id): SubmissionRow[] => rowsWhere(db, submissions, { response }, '_id')

/** The `_id` of the layout of the first submission of a response: the fields that the form had then. */
export const firstLayoutOf = (db: Db, response: Id): string | undefined =>
  db.$client
    .query<{ layout: string }, [{ response: Id }]>(
      'SELECT layout FROM submissions WHERE response = $response ORDER BY _id LIMIT 1',
    )
    .get({ response })?.layout
