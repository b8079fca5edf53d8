/** Reads the review of a study for its record, row by row: of the participants that `keepParticipants` kept. */
import type { Db } from '#db/open'
import { KEPT } from '#exchange/exports/store'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

type RecordFilter = { trial: Id; until: Instant }

const rowsOf =
  <Row>(sql: string) =>
  (db: Db, filter: RecordFilter): Iterable<Row> =>
    db.$client.query<Row, [RecordFilter]>(sql).iterate(filter)

/** A response that a signature covers. */
type SignedResponse = {
  participantId: string
  signature: Id
  signedAt: Instant
  signer: string
  signerEmail: string | null
  meaning: string
  /** 1 or 0. */
  isCasebook: number
  hash: string
  response: Id
  responseHash: string
  /** When the response changed afterwards; null if it did not. */
  endedAt: Instant | null
}

/** The responses that signatures cover: by participant, oldest signature first. */
export const signedResponses = rowsOf<SignedResponse>(
  `SELECT k.participantId, s._id AS signature, s.createdAt AS signedAt, s.userName AS signer,
     (SELECT email FROM users WHERE _id = s.user) AS signerEmail, s.meaning, s.isCasebook, s.hash,
     r.response, r.hash AS responseHash, r.endedAt
   FROM ${KEPT} k CROSS JOIN signatures s ON s.participant = k.participant JOIN signedResponses r ON r.signature = s._id
   WHERE s.trial = +$trial AND s.createdAt <= +$until
   ORDER BY k.participant, s._id, r.response`,
)

type RecordedQuery = {
  _id: Id
  participantId: string | null
  response: Id
  /** The code of the data type; its `_id` if it was deleted. */
  field: string | null
  status: string
  createdAt: Instant
  updatedAt: Instant
  raisedBy: string | null
  rule: string | null
  /** JSON: the addresses of the assignees. */
  assignees: string
}

/** Queries of a response without a participant are included, and those of participants who are not kept are not. */
const KEPT_QUERIES = `queries q LEFT JOIN ${KEPT} k ON k.participant = q.participant`
const IS_KEPT = '(q.participant IS NULL OR k.participant IS NOT NULL)'

/** The queries of a trial, oldest first. */
export const recordedQueries = rowsOf<RecordedQuery>(
  `SELECT q._id, k.participantId, q.response, coalesce((SELECT code FROM dataTypes WHERE _id = q.dataType), q.dataType) AS field,
     q.status, q.createdAt, q.updatedAt, (SELECT email FROM users WHERE _id = q.raisedBy) AS raisedBy, q.rule,
     (SELECT json_group_array(u.email) FROM json_each(q.assignees) a JOIN users u ON u._id = a.value) AS assignees
   FROM ${KEPT_QUERIES} WHERE q.trial = +$trial AND q.createdAt <= +$until AND ${IS_KEPT} ORDER BY q._id`,
)

type RecordedQueryMessage = {
  query: Id
  createdAt: Instant
  user: string | null
  text: string
  /** JSON: stored names. */
  attachments: string
}

/** The messages of these queries: by query, oldest first. */
export const recordedQueryMessages = rowsOf<RecordedQueryMessage>(
  `SELECT m.query, m.createdAt, (SELECT email FROM users WHERE _id = m.user) AS user, m.text, m.attachments
   FROM ${KEPT_QUERIES} JOIN queryMessages m ON m.query = q._id
   WHERE q.trial = +$trial AND m.createdAt <= +$until AND ${IS_KEPT} ORDER BY q._id, m._id`,
)

type RecordedHeldEntry = {
  _id: Id
  participantId: string
  createdAt: Instant
  entry: string
  path: string
  /** JSON: the answers as the device sent them. */
  body: string
  code: string | null
  status: string
  decidedAt: Instant | null
  decidedBy: string | null
  reason: string | null
  response: Id | null
}

/** The entries that the study refused and what became of them, oldest first. */
export const recordedHeldEntries = rowsOf<RecordedHeldEntry>(
  `SELECT h._id, k.participantId, h.createdAt, h.entry, h.path, h.body, h.code,
     iif(h.decidedAt > +$until, 'held', h.status) AS status, iif(h.decidedAt > +$until, NULL, h.decidedAt) AS decidedAt,
     iif(h.decidedAt > +$until, NULL, (SELECT email FROM users WHERE _id = h.decidedBy)) AS decidedBy,
     iif(h.decidedAt > +$until, NULL, h.reason) AS reason, iif(h.decidedAt > +$until, NULL, h.response) AS response
   FROM heldEntries h JOIN ${KEPT} k ON k.participant = h.participant
   WHERE h.trial = +$trial AND h.createdAt <= +$until ORDER BY h._id`,
)

type RecordedVerification = {
  participantId: string | null
  response: Id
  field: string
  verifiedAt: Instant
  verifiedBy: string | null
}

/** The fields that were verified against their source: by stage and response. */
export const recordedVerifications = rowsOf<RecordedVerification>(
  `SELECT k.participantId, v.response, coalesce((SELECT code FROM dataTypes WHERE _id = v.dataType), v.dataType) AS field,
     v.verifiedAt, (SELECT email FROM users WHERE _id = v.verifiedBy) AS verifiedBy
   FROM stages s CROSS JOIN storedResponses r ON r.stage = s.key AND r.marks > 0 JOIN verifications v ON v.response = r._id
     LEFT JOIN participants p ON p.key = r.participant LEFT JOIN ${KEPT} k ON k.participant = p._id
   WHERE s.trial = +$trial AND v.verifiedAt <= +$until AND (r.participant IS NULL OR k.participant IS NOT NULL)
   ORDER BY s.key, r._id, v.dataType`,
)
