/** Responses and submissions in the database. Statements that every submission needs are plain SQL, prepared once. */
import { transactionCache } from '#db/commit'
import type { Db } from '#db/open'
import {
  deleteById,
  deleteWhere,
  insert,
  insertNew,
  put,
  rowById,
  rowsFrom,
  rowsWhere,
  rowWhere,
  updateWhere,
} from '#db/rows'
import { drafts, layouts, responses, submissions } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
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
export const withoutLayout = (db: Db) =>
  db.$client
    .query<{ _id: number; response: Id; layout: string }, []>(
      'SELECT _id, response, layout FROM submissions WHERE layout NOT IN (SELECT _id FROM layouts) LIMIT 1',
    )
    .all()

export const responseById = (db: Db, id: Id): ResponseRow | undefined => rowById(db, responses, id)

export const responseAt = (db: Db, participant: Id, stage: Id, n: number): ResponseRow | undefined =>
  rowWhere(db, responses, { participant, stage, stageRecurrence: n })

const LAST_RESPONSE = `SELECT max(stageRecurrence) AS n FROM responses
  WHERE participant = $participant AND stage = $stage`
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
    'WHERE participant = $participant AND stage = $stage ORDER BY createdAt DESC, _id DESC LIMIT 100',
    { participant, stage },
  )

export const insertResponse = (db: Db, row: typeof responses.$inferInsert): ResponseRow => insert(db, responses, row)

export const updateResponse = (db: Db, row: ResponseRow) => {
  const { _id, updatedAt, layout, values, sources, score, partialSubmission } = row
  updateWhere(db, responses, { _id }, { updatedAt, layout, values, sources, score, partialSubmission })
}

export const saveStatus = (db: Db, _id: Id, status: ResponseRow['status'], updatedAt: Instant) =>
  updateWhere(db, responses, { _id }, { status, updatedAt })

/** Moves a response to a participant, or to no participant. */
export const moveResponse = (db: Db, _id: Id, participant: Id | null, stageRecurrence: number, updatedAt: Instant) =>
  updateWhere(db, responses, { _id }, { participant, stageRecurrence, updatedAt })

export const deleteResponse = (db: Db, response: Id) => deleteById(db, responses, response)

/** Appends a submission; returns its number. */
export const insertSubmission = (db: Db, { _id: _, ...row }: typeof submissions.$inferInsert): number =>
  insert(db, submissions, row)._id

/** The metadata of a submission: author, time, device and note. The values are in the response. */
export type SubmissionMeta = Pick<
  SubmissionRow,
  '_id' | 'at' | 'layout' | 'fields' | 'entered' | 'createdBy' | 'createdByType' | 'address' | 'device' | 'updateNote'
> & { isFirst: number }

const METADATA = `SELECT _id, at, layout, fields, fields IS NULL AS isFirst, entered, createdBy, createdByType, address, device,
  updateNote FROM submissions`
const METADATA_OF_ONE = `${METADATA} WHERE _id = $number`

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

export type Draft = Pick<
  typeof drafts.$inferSelect,
  'stage' | 'stageRecurrence' | 'savedAt' | 'response' | 'updateNote'
>

/** The drafts of one author for a participant. */
export const draftsOf = (db: Db, participant: Id, author: Id): Draft[] => rowsWhere(db, drafts, { participant, author })

export function saveDraft(db: Db, participant: Id, author: Id, draft: Draft): void {
  put(db, drafts, { participant, author, ...draft }, 'participant', 'stage', 'stageRecurrence', 'author')
  transactionCache(db)?.delete(WITH_DRAFTS)
}

/** Discards a draft; returns whether there was one. */
export const deleteDraft = (db: Db, participant: Id, stage: Id, n: number, author: Id): boolean =>
  mayHaveDraft(db, participant) && deleteWhere(db, drafts, { participant, stage, stageRecurrence: n, author }) > 0

const WITH_DRAFTS = 'participants with drafts'
/** If so many participants have drafts, each submission looks for one. */
const MANY = 20

/** Whether the participant may have a draft. Submissions of one transaction share the list of participants who have any. */
function mayHaveDraft(db: Db, participant: Id): boolean {
  const cache = transactionCache(db)
  let holders = cache?.get(WITH_DRAFTS) as Set<Id> | undefined
  if (!holders) {
    const rows = db.$client
      .query<{ participant: Id }, []>(`SELECT DISTINCT participant FROM drafts LIMIT ${MANY}`)
      .all()
    holders = new Set(rows.map((row) => row.participant))
    cache?.set(WITH_DRAFTS, holders)
  }
  return holders.size === MANY || holders.has(participant)
}
