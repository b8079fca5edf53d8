/** Responses and submissions in the database. Statements of the hot path are plain SQL, prepared once. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { type Layout, layoutOf, type Stamps } from './layout'

/** A response as it is stored. */
export type ResponseRow = {
  _id: Id
  createdAt: Instant
  updatedAt: Instant
  trial: Id
  stage: Id
  stageRecurrence: number
  participant: Id | null
  layout: string
  values: string
  stamps: string
  score: number | null
  status: 'successful' | 'unsuccessful' | null
  partialSubmission: number
  /** How many verification marks and standing signatures it has; kept by triggers. */
  marks: number
}

/** A submission as it is stored. */
export type SubmissionRow = {
  _id: number
  at: Instant
  response: Id
  trial: Id
  stage: Id
  stageRecurrence: number
  participant: Id | null
  layout: string
  fields: string | null
  values: string
  entered: string | null
  score: number | null
  partialSubmission: number
  createdBy: Id
  createdByType: 'user' | 'participant'
  address: string | null
  device: string | null
  updateNote: string | null
}

export const stampsOf = (row: ResponseRow): Stamps => JSON.parse(row.stamps)
export const valuesOf = (row: { values: string }): unknown[] => JSON.parse(row.values)

const layouts = new Map<string, Layout>()

/** The layout of that `_id`, which always stands for the same list. */
export function layoutById(db: Db, id: string): Layout {
  let layout = layouts.get(id)
  if (!layout) {
    const row = db.$client
      .query<{ stage: Id; dataTypes: string }, [string]>('SELECT stage, dataTypes FROM layouts WHERE _id = ?')
      .get(id)!
    layout = layoutOf(row.stage, JSON.parse(row.dataTypes))
    if (layouts.size > 5_000) layouts.clear()
    layouts.set(id, layout)
  }
  return layout
}

export const keepLayout = (db: Db, { _id, stage, dataTypes }: Layout) =>
  db.$client
    .query('INSERT OR IGNORE INTO layouts (_id, stage, dataTypes) VALUES (?, ?, ?)')
    .run(_id, stage, JSON.stringify(dataTypes))

export const responseById = (db: Db, id: Id) =>
  db.$client.query<ResponseRow, [Id]>('SELECT * FROM responses WHERE _id = ?').get(id) ?? undefined

export const responseAt = (db: Db, participant: Id, stage: Id, n: number) =>
  db.$client
    .query<ResponseRow, [Id, Id, number]>(
      'SELECT * FROM responses WHERE participant = ? AND stage = ? AND stageRecurrence = ?',
    )
    .get(participant, stage, n) ?? undefined

const LAST_RESPONSE = 'SELECT max(stageRecurrence) AS n FROM responses WHERE participant = ? AND stage = ?'
const LAST_DELETED = `SELECT max(content ->> 'stageRecurrence') AS n FROM responseEvents
  WHERE participant = ? AND type = 'deleted' AND content ->> 'stage' = ?`

/** The recurrence that the next submission of an ad hoc stage has. A deleted one keeps its number, as its history stays. */
export function nextRecurrence(db: Db, participant: Id, stage: Id): number {
  const last = (query: string) => db.$client.query<{ n: number | null }, [Id, Id]>(query).get(participant, stage)?.n
  return Math.max(last(LAST_RESPONSE) ?? -1, last(LAST_DELETED) ?? -1) + 1
}

export const responsesOfParticipant = (db: Db, participant: Id) =>
  db.$client.query<ResponseRow, [Id]>('SELECT * FROM responses WHERE participant = ? ORDER BY _id').all(participant)

/** Earlier answers of a participant to a stage, newest first. */
export const responsesOfStage = (db: Db, participant: Id, stage: Id) =>
  db.$client
    .query<ResponseRow, [Id, Id]>(
      'SELECT * FROM responses WHERE participant = ? AND stage = ? ORDER BY createdAt DESC, _id DESC LIMIT 100',
    )
    .all(participant, stage)

export const insertResponse = (db: Db, row: Omit<ResponseRow, 'marks'>) =>
  db.$client
    .query(
      `INSERT INTO responses (_id, createdAt, updatedAt, trial, stage, stageRecurrence, participant, layout, "values", stamps,
       score, status, partialSubmission) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row._id,
      row.createdAt,
      row.updatedAt,
      row.trial,
      row.stage,
      row.stageRecurrence,
      row.participant,
      row.layout,
      row.values,
      row.stamps,
      row.score,
      row.status,
      row.partialSubmission,
    )

export const updateResponse = (db: Db, row: ResponseRow) =>
  db.$client
    .query(
      `UPDATE responses SET updatedAt = ?, layout = ?, "values" = ?, stamps = ?, score = ?, partialSubmission = ?
       WHERE _id = ?`,
    )
    .run(row.updatedAt, row.layout, row.values, row.stamps, row.score, row.partialSubmission, row._id)

export const saveStatus = (db: Db, response: Id, status: ResponseRow['status'], at: Instant) =>
  db.$client.query('UPDATE responses SET status = ?, updatedAt = ? WHERE _id = ?').run(status, at, response)

/** Gives a response to a participant, or to nobody. */
export const moveResponse = (db: Db, response: Id, participant: Id | null, n: number, at: Instant) =>
  db.$client
    .query('UPDATE responses SET participant = ?, stageRecurrence = ?, updatedAt = ? WHERE _id = ?')
    .run(participant, n, at, response)

export const deleteResponse = (db: Db, response: Id) =>
  db.$client.query('DELETE FROM responses WHERE _id = ?').run(response)

/** Appends a submission; answers its number. */
export const insertSubmission = (db: Db, row: Omit<SubmissionRow, '_id'>): number =>
  Number(
    db.$client
      .query(
        `INSERT INTO submissions (at, response, trial, stage, stageRecurrence, participant, layout, fields, "values",
         entered, score, partialSubmission, createdBy, createdByType, address, device, updateNote)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        row.at,
        row.response,
        row.trial,
        row.stage,
        row.stageRecurrence,
        row.participant,
        row.layout,
        row.fields,
        row.values,
        row.entered,
        row.score,
        row.partialSubmission,
        row.createdBy,
        row.createdByType,
        row.address,
        row.device,
        row.updateNote,
      ).lastInsertRowid,
  )

/** Who submitted, when and how: what entries say of it. Not its values, which the response holds. */
export type Stamp = Pick<
  SubmissionRow,
  '_id' | 'at' | 'layout' | 'fields' | 'entered' | 'createdBy' | 'createdByType' | 'address' | 'device' | 'updateNote'
> & { isFirst: number }

const STAMP = `SELECT _id, at, layout, fields, fields IS NULL AS isFirst, entered, createdBy, createdByType, address, device,
  updateNote FROM submissions`

/** The submissions of these numbers, as stamps; those already known are not read again. */
export function stampsByNumber(db: Db, numbers: readonly number[], known?: Stamp): Map<number, Stamp> {
  const stamps = new Map<number, Stamp>()
  if (known) stamps.set(known._id, known)
  const query = db.$client.query<Stamp, [number]>(`${STAMP} WHERE _id = ?`)
  for (const number of numbers) {
    const stamp = stamps.get(number) ?? query.get(number)
    if (stamp) stamps.set(number, stamp)
  }
  return stamps
}

/** The same for a page of responses, in one query. */
export const stampsAmong = (db: Db, numbers: Iterable<number>): Map<number, Stamp> =>
  new Map(
    db.$client
      .query<Stamp, [string]>(`${STAMP} WHERE _id IN (SELECT value FROM json_each(?))`)
      .all(JSON.stringify([...numbers]))
      .map((stamp) => [stamp._id, stamp]),
  )

/** Every submission that built a response, oldest first. */
export const submissionsOf = (db: Db, response: Id) =>
  db.$client.query<SubmissionRow, [Id]>('SELECT * FROM submissions WHERE response = ? ORDER BY _id').all(response)

export type Draft = {
  stage: Id
  stageRecurrence: number
  savedAt: Instant
  response: string
  updateNote: string | null
}

/** A person's own drafts for a participant. */
export const draftsOf = (db: Db, participant: Id, author: Id) =>
  db.$client
    .query<Draft, [Id, Id]>(
      'SELECT stage, stageRecurrence, savedAt, response, updateNote FROM drafts WHERE participant = ? AND author = ?',
    )
    .all(participant, author)

export const saveDraft = (db: Db, participant: Id, author: Id, draft: Draft) =>
  db.$client
    .query(
      `INSERT INTO drafts (participant, stage, stageRecurrence, author, savedAt, response, updateNote)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET savedAt = excluded.savedAt, response = excluded.response, updateNote = excluded.updateNote`,
    )
    .run(participant, draft.stage, draft.stageRecurrence, author, draft.savedAt, draft.response, draft.updateNote)

/** Discards a draft; answers whether there was one. */
export const deleteDraft = (db: Db, participant: Id, stage: Id, n: number, author: Id): boolean =>
  db.$client
    .query('DELETE FROM drafts WHERE participant = ? AND stage = ? AND stageRecurrence = ? AND author = ?')
    .run(participant, stage, n, author).changes > 0
