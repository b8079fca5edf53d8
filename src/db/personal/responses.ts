/** Answers, and queries about them. */
import { KEY, OF_PARTICIPANT, type PersonalTables, QUERIES, RESPONSES } from './personalTable'

export const responses: PersonalTables = {
  pollAnswers: {
    rows: `response IN ${RESPONSES}`,
    kept: [
      ...['response', 'createdAt', 'trial', 'stage', 'entry', 'link', 'linkName', 'attributes', 'salt'],
      ...['emailVerifiedAt', 'phoneVerifiedAt'],
    ],
    erased: { email: 'NULL', phone: 'NULL' },
    notReported: ['salt'],
  },
  pollVerifications: {
    rows: `response IN ${RESPONSES}`,
    kept: [
      ...['_id', 'createdAt', 'trial', 'stage', 'hash', 'method', 'expiresAt', 'removeAt', 'isSilent', 'message'],
      ...['tries', 'verifiedAt', 'response'],
    ],
    erased: { address: `''` },
    notReported: ['hash', 'removeAt', 'isSilent', 'message', 'tries'],
  },
  heldEntries: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'createdAt', 'trial', 'participant', 'entry', 'path', 'code', 'status', 'decidedAt', 'decidedBy'],
      ...['response', 'broughtBy', 'tellAt', 'isTold'],
    ],
    notReported: ['tellAt', 'isTold'],
    erased: { body: `'{}'`, message: 'NULL', reason: 'NULL' },
  },
  storedResponses: {
    rows: `participant = ${KEY}`,
    kept: [
      ...[
        '_id',
        'createdAt',
        'updatedAt',
        'stage',
        'stageRecurrence',
        'participant',
        'layout',
        'submission',
        'sources',
      ],
      ...['score', 'status', 'partialSubmission', 'marks', 'entries'],
    ],
  },
  storedSubmissions: {
    rows: `response IN ${RESPONSES}`,
    kept: [
      ...['_id', 'at', 'response', 'stageRecurrence', 'participant', 'layout', 'fields', 'entered'],
      ...['score', 'partialSubmission', 'createdBy', 'createdByType', 'updateNote', 'entry', 'sentLate'],
    ],
    erasedPartly: ['values', 'address', 'device'],
  },
  responseEvents: {
    rows: `response IN ${RESPONSES}`,
    kept: ['_id', 'at', 'trial', 'response', 'participant', 'type', 'createdBy', 'createdByType'],
    erasedPartly: ['content'],
  },
  verifications: {
    rows: `response IN (SELECT _id FROM storedResponses WHERE participant = ${KEY})`,
    kept: ['response', 'dataType', 'verifiedAt', 'verifiedBy'],
  },
  dueNotifications: {
    rows: `response IN (SELECT _id FROM storedResponses WHERE participant = ${KEY})`,
    kept: ['response', 'component', 'dueAt', 'sentAt', 'title', 'body', 'reveals'],
  },
  signatures: {
    rows: OF_PARTICIPANT,
    kept: ['_id', 'createdAt', 'trial', 'participant', 'isCasebook', 'meaning', 'user', 'userName', 'hash'],
  },
  signedResponses: {
    rows: `signature IN (SELECT _id FROM signatures WHERE ${OF_PARTICIPANT})`,
    kept: ['signature', 'response', 'hash', 'endedAt'],
  },
  queries: {
    rows: OF_PARTICIPANT,
    kept: [
      ...['_id', 'createdAt', 'updatedAt', 'trial', 'participant', 'response', 'dataType', 'status', 'assignees'],
      ...['raisedBy', 'rule', 'instructions'],
    ],
    erasedPartly: ['fingerprint'],
    notReported: ['fingerprint'],
  },
  queryClosings: { rows: `query IN ${QUERIES}`, kept: ['query', 'closedAt'] },
  overdueForms: { rows: OF_PARTICIPANT, kept: ['participant', 'stage', 'forms'] },
  queryMessages: {
    rows: `query IN ${QUERIES}`,
    kept: ['_id', 'createdAt', 'query', 'user'],
    erasedPartly: ['text', 'attachments'],
  },
}
