/** Triggers that keep history as it was written: submissions, events, signatures, messages, versions of the configuration. */
import { allowErasureOnly, IN_TRIAL, refuseDeletions, refuseUpdates, rowExists } from './builders'

const SIGNED = 'signatures are not changed'
const SUBMISSIONS = 'submissions are append-only'
const HELD = 'held entries are kept as they were sent'
const EVENTS = 'the history of responses is append-only'
const MESSAGES = 'messages are not changed'
const CONSENTS = 'consents are kept as they were signed'
const CUSTODY = 'the chain of custody is append-only'
/** The participants to whom a response belongs, or belonged when it was submitted or deleted. */
const OWNERS_OF_RESPONSE = `SELECT OLD.participant
  UNION ALL SELECT p._id FROM storedResponses r JOIN participants p ON p.key = r.participant WHERE r._id = OLD.response
  UNION ALL SELECT participant FROM responseEvents WHERE response = OLD.response AND type = 'deleted'`
/** The consent of somebody who was no participant yet, whose form a response answers. */
const CONSENT_OF_RESPONSE = 'SELECT consent FROM screenedResponses WHERE response = OLD.response'

/** Rows of history. They can be deleted only after their trial, or after the participant that they belonged to, is deleted. */
export const history: readonly string[] = [
  refuseUpdates('storedSubmissions', SUBMISSIONS, {
    of: '_id, at, response, stageRecurrence, participant, layout, fields, entered, score, partialSubmission, createdBy, createdByType, updateNote, entry, sentLate',
  }),
  allowErasureOnly(
    'storedSubmissions',
    SUBMISSIONS,
    '"values", address, device',
    OWNERS_OF_RESPONSE,
    CONSENT_OF_RESPONSE,
  ),
  refuseDeletions(
    'storedSubmissions',
    SUBMISSIONS,
    // A layout is kept as long as its trial.
    `EXISTS (SELECT 1 FROM layouts l JOIN trials t ON t._id = l.trial WHERE l.key = OLD.layout AND t.purgedAt IS NULL) AND (${rowExists('storedResponses', 'OLD.response')} OR (
    (OLD.participant IS NULL OR ${rowExists('participants', 'OLD.participant')})
    AND NOT EXISTS (SELECT 1 FROM responseEvents e WHERE e.response = OLD.response AND e.participant IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM participants p WHERE p._id = e.participant))))`,
  ),
  refuseUpdates('pollAnswers', 'answers to a poll are kept as they were sent', {
    of: 'response, createdAt, trial, stage, entry, link, linkName, attributes, salt, emailVerifiedAt, phoneVerifiedAt',
  }),
  refuseUpdates('heldEntries', HELD, { of: '_id, createdAt, trial, participant, entry, path, code, broughtBy' }),
  allowErasureOnly('heldEntries', HELD, 'body, message', 'SELECT OLD.participant'),
  refuseUpdates('heldEntries', 'the decision about a held entry is kept', {
    name: 'heldEntriesAreDecidedOnce',
    of: 'status, decidedAt, decidedBy, response',
    when: `OLD.status <> 'held'`,
  }),
  refuseDeletions('heldEntries', HELD, rowExists('participants', 'OLD.participant')),
  refuseUpdates('responseEvents', EVENTS, {
    of: '_id, at, trial, response, participant, type, createdBy, createdByType',
  }),
  allowErasureOnly('responseEvents', EVENTS, 'content', OWNERS_OF_RESPONSE, CONSENT_OF_RESPONSE),
  refuseDeletions(
    'responseEvents',
    EVENTS,
    `${IN_TRIAL} AND (${rowExists('storedResponses', 'OLD.response')}
  OR EXISTS (SELECT 1 FROM storedSubmissions WHERE response = OLD.response))`,
  ),
  refuseUpdates('layouts', 'layouts are not changed'),
  refuseDeletions('layouts', 'layouts are kept', IN_TRIAL),
  refuseUpdates('signatures', SIGNED),
  refuseDeletions('signatures', 'signatures are kept', rowExists('participants', 'OLD.participant')),
  refuseUpdates('signedResponses', SIGNED, {
    // A signature that ended with the deletion of its response stands again when that is restored.
    when: `(OLD.endedAt IS NOT NULL AND NOT (NEW.endedAt IS NULL AND EXISTS (SELECT 1 FROM responseEvents e
    WHERE e.response = OLD.response AND e.type = 'restored' AND e.at >= OLD.endedAt AND instr(e.content, OLD.signature))))
  OR NEW.signature <> OLD.signature OR NEW.response <> OLD.response OR NEW.hash <> OLD.hash`,
  }),
  refuseDeletions('signedResponses', 'signatures are kept', rowExists('signatures', 'OLD.signature')),
  refuseUpdates('queryMessages', MESSAGES, { of: '_id, createdAt, query, user' }),
  allowErasureOnly(
    'queryMessages',
    MESSAGES,
    'text, attachments',
    'SELECT participant FROM queries WHERE _id = OLD.query',
    'SELECT consent FROM screenedResponses WHERE response = (SELECT response FROM queries WHERE _id = OLD.query)',
  ),
  refuseUpdates('configurationVersions', 'configuration versions are not changed'),
  refuseDeletions('configurationVersions', 'configuration versions are kept', IN_TRIAL),
  refuseUpdates('consentFormVersions', 'versions of consent forms are not changed'),
  refuseDeletions('consentFormVersions', 'versions of consent forms are kept', rowExists('consentForms', 'OLD.form')),
  refuseUpdates('consents', CONSENTS, {
    of: '_id, createdAt, trial, form, version, session, salt, startedBy, confirmations, signatureMethod, file, fileHash',
  }),
  allowErasureOnly(
    'consents',
    CONSENTS,
    'fullName, email, phone, whatsapp, initials, signature, photo',
    'SELECT OLD.participant',
    'SELECT OLD._id',
  ),
  // Of somebody who takes part, the signed PDF stays, and the participant is erased.
  refuseUpdates('consents', CONSENTS, {
    name: 'consentsAreErasedOnce',
    of: 'erasedAt',
    when: 'OLD.erasedAt IS NOT NULL OR OLD.withdrawnAt IS NULL OR OLD.participant IS NOT NULL',
  }),
  ...(
    [
      ['BoundOnce', 'participant, boundAt', 'OLD.participant IS NOT NULL'],
      // Data that were kept can still be erased; what was erased stays so.
      ['ChosenOnce', 'withdrawalChoice', `OLD.withdrawalChoice <> 'keep'`],
      ['WithdrawnOnce', 'withdrawnAt, withdrawnBy', 'OLD.withdrawnAt IS NOT NULL'],
      [
        'CountersignedOnce',
        'countersignedAt, countersignedBy, countersignerName, countersignedFile, countersignedHash',
        'OLD.countersignedAt IS NOT NULL',
      ],
    ] as const
  ).map(([name, of, when]) => refuseUpdates('consents', CONSENTS, { name: `consentsAre${name}`, of, when })),
  refuseUpdates('consents', CONSENTS, {
    name: 'consentsKeepReasons',
    of: 'withdrawalReason',
    when: 'OLD.withdrawalReason IS NOT NULL AND NEW.withdrawalReason IS NOT NULL',
  }),
  refuseDeletions(
    'consents',
    CONSENTS,
    `${IN_TRIAL} AND (OLD.participant IS NULL OR ${rowExists('participants', 'OLD.participant')})`,
  ),
  refuseUpdates('consentEvents', 'the course of a consent is append-only'),
  refuseUpdates('packEvents', CUSTODY),
  refuseDeletions('packEvents', CUSTODY, rowExists('packs', 'OLD.pack')),
  refuseDeletions(
    'packs',
    'packs with a chain of custody are kept',
    `${IN_TRIAL} AND EXISTS (SELECT 1 FROM packEvents WHERE pack = OLD._id AND type <> 'received')`,
  ),
  refuseUpdates('lockedDatasets', 'locked datasets are not changed', {
    when: `OLD.sha256 IS NOT NULL OR NEW._id <> OLD._id OR NEW.createdAt <> OLD.createdAt OR NEW.trial <> OLD.trial
  OR NEW.user <> OLD.user OR NEW.version <> OLD.version OR NEW.job <> OLD.job OR NEW.storedName <> OLD.storedName`,
  }),
  refuseDeletions('lockedDatasets', 'locked datasets are kept', IN_TRIAL),
]
