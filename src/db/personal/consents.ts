/** Consents, and what led to them. */
import { CONSENT_SESSIONS, OF_PARTICIPANT, type PersonalTables } from './personalTable'

export const consents: PersonalTables = {
  consents: {
    rows: OF_PARTICIPANT,
    // The signed PDF stays: it is an essential record of the study, and the proof that the person took part of their own will.
    kept: [
      ...['_id', 'createdAt', 'trial', 'form', 'version', 'session', 'salt', 'participant', 'boundAt', 'startedBy'],
      ...['confirmations', 'signatureMethod', 'file', 'fileHash', 'codeNumber', 'codeUsedAt', 'codeMessage'],
      ...['withdrawnAt', 'withdrawnBy', 'countersignedAt', 'countersignedBy', 'countersignerName'],
      ...['countersignedFile', 'countersignedHash', 'erasedAt', 'withdrawalChoice'],
    ],
    erased: {
      ...{ fullName: 'NULL', email: 'NULL', phone: 'NULL', whatsapp: 'NULL', initials: `'{}'` },
      ...{ signature: 'NULL', photo: 'NULL', withdrawalReason: 'NULL' },
    },
    notReported: ['salt', 'codeNumber', 'codeMessage'],
  },
  screenings: {
    rows: `consent IN (SELECT _id FROM consents WHERE ${OF_PARTICIPANT})`,
    kept: ['consent', 'createdAt', 'trial', 'stage', 'hash', 'expiresAt', 'response'],
    notReported: ['hash'],
  },
  screenedResponses: {
    rows: `consent IN (SELECT _id FROM consents WHERE ${OF_PARTICIPANT})`,
    kept: ['response', 'trial', 'consent'],
  },
  consentSessions: {
    rows: `_id IN ${CONSENT_SESSIONS}`,
    kept: [
      ...['_id', 'createdAt', 'trial', 'form', 'version', 'kind', 'hash', 'expiresAt', 'removeAt', 'participant'],
      ...['startedBy', 'hasRead', 'hasPassedQuiz'],
    ],
    erased: { photo: 'NULL', witness: 'NULL', present: 'NULL' },
    notReported: ['hash', 'removeAt'],
  },
  consentVerifications: {
    rows: `session IN ${CONSENT_SESSIONS}`,
    kept: [
      ...['_id', 'createdAt', 'trial', 'session', 'method', 'expiresAt', 'isSilent', 'message', 'tries', 'verifiedAt'],
    ],
    erased: { address: `''` },
    notReported: ['isSilent', 'message', 'tries'],
  },
  consentEvents: {
    rows: `session IN ${CONSENT_SESSIONS}`,
    kept: ['session', 'number', 'createdAt', 'type', 'content'],
  },
}

const TRIAL_OF_CONSENT = '(SELECT trial FROM consents WHERE _id = $consent)'
const SESSION_OF_CONSENT = '(SELECT session FROM consents WHERE _id = $consent)'
const RESPONSES_OF_CONSENT = '(SELECT response FROM screenedResponses WHERE consent = $consent)'
/** When staff or the person wrote something of which the answer may name them. */
const WRITES_OF_CONSENT = `(SELECT withdrawnAt FROM consents WHERE _id = $consent
  UNION SELECT countersignedAt FROM consents WHERE _id = $consent
  UNION SELECT at FROM storedSubmissions WHERE response IN ${RESPONSES_OF_CONSENT}
  UNION SELECT at FROM responseEvents WHERE response IN ${RESPONSES_OF_CONSENT}
  UNION SELECT m.createdAt FROM queries q JOIN queryMessages m ON m.query = q._id WHERE q.response IN ${RESPONSES_OF_CONSENT})`

/** Where tables hold personal information of somebody who never became a participant: the conditions (SQL) on the rows about `$consent`. */
export const personalRowsOfConsent: Readonly<Record<string, string>> = {
  // Codes with which the person withdrew went to the same address.
  outbox: `_id IN (SELECT codeMessage FROM consents WHERE _id = $consent
      UNION SELECT message FROM consentVerifications WHERE session IN ${SESSION_OF_CONSENT})
    OR (trial = ${TRIAL_OF_CONSENT} AND participant IS NULL AND recipient IN (SELECT email FROM consents WHERE _id = $consent
        UNION SELECT phone FROM consents WHERE _id = $consent UNION SELECT whatsapp FROM consents WHERE _id = $consent)
      AND _id NOT IN (SELECT codeMessage FROM consents WHERE trial = ${TRIAL_OF_CONSENT} AND codeMessage IS NOT NULL))`,
  consents: '_id = $consent',
  consentSessions: `_id IN ${SESSION_OF_CONSENT}`,
  consentVerifications: `session IN ${SESSION_OF_CONSENT}`,
  // The answers to repeated requests say what was read then.
  idempotencyKeys: `trial = ${TRIAL_OF_CONSENT} AND participant IS NULL AND createdAt IN ${WRITES_OF_CONSENT}`,
  auditEntries: `chain = ${TRIAL_OF_CONSENT} AND type = 'withdrawConsent'
    AND json_extract(event, '$.consent') = $consent`,
}
