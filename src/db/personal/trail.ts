/** Files, and the audit trail. */
import { OF_PARTICIPANT, type PersonalTables, QUERIES } from './personalTable'

/** Photos of identity documents, and signed PDFs. */
const CONSENT_FILES = `(SELECT session FROM consents WHERE ${OF_PARTICIPANT}
  UNION SELECT _id FROM consentSessions WHERE ${OF_PARTICIPANT} UNION SELECT _id FROM consents WHERE ${OF_PARTICIPANT})`
const FILES = `(forType = 'participant' AND forId = $participant) OR (forType = 'query' AND forId IN ${QUERIES})
  OR (forType = 'trial' AND forId IN ${CONSENT_FILES})`

const KEPT_DELETIONS = `deletion IN (SELECT _id FROM deletions WHERE ${OF_PARTICIPANT})`

export const trail: PersonalTables = {
  files: {
    rows: FILES,
    kept: [
      ...['storedName', 'createdAt', 'kind', 'trial', 'forType', 'forId', 'createdBy', 'name', 'type', 'size'],
      ...['sha256', 'isUsed', 'finishedAt', 'expiresAt', 'heldUntil', 'announcedBy'],
    ],
    // Those that only erased answers and messages name are deleted, with their bytes.
    erasedPartly: [],
  },
  // Who read about them, without the accounts: those are persons too.
  reads: {
    rows: `trial = (SELECT trial FROM participants WHERE _id = $participant)
      AND (${OF_PARTICIPANT} OR instr(participants, unhex($participant)) > 0)`,
    kept: [
      ...['_id', 'trial', 'number', 'block', 'createdAt', 'operation', 'user', 'userEmail', 'apiToken', 'address'],
      ...['participant', 'participants', 'isFilter', 'filter'],
    ],
    notReported: ['_id', 'block', 'user', 'userEmail', 'apiToken', 'address', 'participant', 'participants', 'filter'],
  },
  // What was deleted of the participant, which an erasure purges.
  deletions: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'createdAt', 'team', 'trial', 'kind', 'subject', 'participant', 'name', 'deletedBy', 'deletedByEmail'],
      ...['apiKey', 'request', 'restorableUntil', 'status', 'hash', 'purgeAskedBy', 'purgeAskedAt', 'purgeReason'],
      ...['purgeConfirmedBy', 'endedAt', 'reason', 'code', 'wasArchived', 'record', 'job'],
      ...['address', 'device'],
    ],
    notReported: ['hash'],
  },
  // Requests for an erasure, which another administrator confirms.
  secondRequests: {
    rows: OF_PARTICIPANT,
    kept: [
      ...[
        '_id',
        'createdAt',
        'trial',
        'act',
        'subject',
        'participant',
        'reason',
        'body',
        'state',
        'askedBy',
        'askedByEmail',
      ],
      ...['apiKey', 'expiresAt', 'status', 'decidedBy', 'decidedAt'],
    ],
    notReported: ['state'],
  },
  deletedRows: {
    rows: KEPT_DELETIONS,
    kept: ['deletion', 'number', 'content'],
    deleted: true,
    notReported: ['content'],
  },
  keptFiles: {
    rows: KEPT_DELETIONS,
    kept: ['storedName', 'deletion', 'sha256', 'row'],
    deleted: true,
    notReported: ['row'],
  },
  uploadTotals: { rows: '_id = $participant', kept: ['_id', 'bytes'] },
  auditEntries: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'chain', 'number', 'createdAt', 'type', 'userType', 'user', 'userEmail', 'apiToken', 'participant'],
      ...['event', 'address', 'device', 'personalHash', 'rows', 'hash'],
    ],
    erased: { personal: 'NULL' },
    notReported: ['personalHash', 'rows', 'hash'],
  },
}
