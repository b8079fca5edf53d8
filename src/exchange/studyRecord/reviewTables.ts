/** The review of a study in its record: signatures, queries and the fields that were verified against their source. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Cell, Sheet } from '#writers/cell'
import { sheet } from '#writers/cell'
import {
  recordedHeldEntries,
  recordedQueries,
  recordedQueryMessages,
  recordedVerifications,
  signedResponses,
} from './reviewStore'

const moment = (at: Instant | null): Cell => (at === null ? null : { at })

/**
 * A table for each, with what there was at the moment `until`. `files`: the stored names of the attachments of queries, complete once the
 * rows have been read.
 */
export function reviewTables(db: Db, trial: Id, until: Instant): { sheets: Sheet[]; files: Set<string> } {
  const filter = { trial, until }
  const files = new Set<string>()
  const signatures = sheet(
    'signatures',
    [
      ...['participantId', 'signatureId', 'signedAt', 'signer', 'signerEmail', 'meaning', 'isCasebook', 'hash'],
      ...['responseId', 'responseHash', 'endedAt'],
    ],
    cellsOf(signedResponses(db, filter), (row) => [
      ...[row.participantId, row.signature, moment(row.signedAt), row.signer, row.signerEmail, row.meaning],
      ...[row.isCasebook === 1, row.hash, row.response, row.responseHash, moment(row.endedAt)],
    ]),
  )
  const queries = sheet(
    'queries',
    [
      ...['queryId', 'participantId', 'responseId', 'field', 'status', 'createdAt', 'updatedAt', 'raisedBy', 'rule'],
      'assignees',
    ],
    cellsOf(recordedQueries(db, filter), (row) => [
      ...[row._id, row.participantId, row.response, row.field, row.status, moment(row.createdAt)],
      ...[moment(row.updatedAt), row.raisedBy, row.rule, joinList(row.assignees)],
    ]),
  )
  const messages = sheet(
    'query-messages',
    ['queryId', 'createdAt', 'user', 'text', 'attachments'],
    cellsOf(recordedQueryMessages(db, filter), (row) => {
      for (const name of JSON.parse(row.attachments) as string[]) files.add(name)
      return [row.query, moment(row.createdAt), row.user, row.text, joinList(row.attachments)]
    }),
  )
  const verifications = sheet(
    'verifications',
    ['participantId', 'responseId', 'field', 'verifiedAt', 'verifiedBy'],
    cellsOf(recordedVerifications(db, filter), (row) => [
      ...[row.participantId, row.response, row.field, moment(row.verifiedAt), row.verifiedBy],
    ]),
  )
  const held = sheet(
    'held-entries',
    [
      ...['heldEntryId', 'participantId', 'receivedAt', 'entry', 'stage', 'answers', 'code', 'status', 'decidedAt'],
      ...['decidedBy', 'reason', 'responseId'],
    ],
    cellsOf(recordedHeldEntries(db, filter), (row) => [
      ...[row._id, row.participantId, moment(row.createdAt), row.entry, row.path, row.body, row.code, row.status],
      ...[moment(row.decidedAt), row.decidedBy, row.reason, row.response],
    ]),
  )
  return { sheets: [signatures, queries, messages, verifications, held], files }
}

const joinList = (json: string): string => (JSON.parse(json) as string[]).join('; ')

function* cellsOf<Row>(rows: Iterable<Row>, cells: (row: Row) => Cell[]): Generator<Cell[]> {
  for (const row of rows) yield cells(row)
}
