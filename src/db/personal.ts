/**
 * What each table holds about a participant: where its rows are, which columns erasure empties, and which nobody may read. The report
 * on a person and the erasure of personal information follow this list. A test compares it with all tables, so that no new table
 * or column is forgotten (docs/participants.md, "What is held about a person").
 */

export type HeldTable = {
  /** The condition (SQL) on the rows about `$participant`. */
  rows: string
  /** Study data, and facts about it, that stay. */
  kept: readonly string[]
  /** Columns with personal information, each with the value (SQL) that it gets. */
  erased?: Readonly<Record<string, string>>
  /** Columns whose personal parts src/exchange/personalData/erase.ts takes out, row by row. */
  partly?: readonly string[]
  /** The rows are deleted: they are of use only for who takes part. */
  deleted?: true
  /** Columns with secrets and inner workings, among those above, which the report leaves out. */
  unread?: readonly string[]
}

const participant = 'participant = $participant'
/** The responses of a participant, and those of theirs that were deleted. */
const KEY = '(SELECT key FROM participants WHERE _id = $participant)'
const RESPONSES = `(SELECT _id FROM storedResponses WHERE participant = ${KEY}
  UNION SELECT response FROM responseEvents WHERE ${participant} AND type = 'deleted')`
const QUERIES = `(SELECT _id FROM queries WHERE ${participant})`
const APPOINTMENTS = `(SELECT _id FROM appointments WHERE ${participant})`
/** The parameter with what stands in place of a text that may not be empty. */
const ERASED = '$erased'
/** The sessions of the participant's consents, and those that staff started with them. */
const CONSENT_SESSIONS = `(SELECT session FROM consents WHERE ${participant}
  UNION SELECT _id FROM consentSessions WHERE ${participant})`
/** Photos of identity documents, and signed PDFs. */
const CONSENT_FILES = `(SELECT session FROM consents WHERE ${participant}
  UNION SELECT _id FROM consentSessions WHERE ${participant} UNION SELECT _id FROM consents WHERE ${participant})`
const FILES = `(forType = 'participant' AND forId = $participant) OR (forType = 'query' AND forId IN ${QUERIES})
  OR (forType = 'trial' AND forId IN ${CONSENT_FILES})`

export const heldTables: Readonly<Record<string, HeldTable>> = {
  participants: {
    rows: '_id = $participant',
    kept: [
      ...[
        'key',
        '_id',
        'createdAt',
        'trial',
        'id',
        'idSort',
        'lastSeenAt',
        'joinedAt',
        'isUnallocated',
        'allocatedReason',
      ],
      ...[
        'isArchived',
        'isWithdrawn',
        'erasedAt',
        'salt',
        'timezone',
        'language',
        'ratioComplete',
        'stagesBehindSchedule',
      ],
      ...['progressDueAt', 'remindersDueAt', 'unreadCount', 'groupCount', 'responseCount', 'signedCount', 'facets'],
      ...['lastMessageAt', 'teamMailedAt', 'teamMailDueAt', 'scheduleDigest'],
    ],
    erased: {
      ...{ name: 'NULL', dob: 'NULL', email: 'NULL', phone: 'NULL', whatsapp: 'NULL' },
      ...{ passwordHash: 'NULL', pushToken: 'NULL', pushSession: 'NULL' },
    },
    unread: [
      ...['passwordHash', 'pushSession', 'idSort', 'salt', 'progressDueAt', 'remindersDueAt', 'groupCount', 'facets'],
      ...['teamMailDueAt', 'scheduleDigest'],
    ],
  },
  participantGroups: { rows: participant, kept: ['participant', 'group'] },
  participantSites: { rows: participant, kept: ['participant', 'site'] },
  siteParticipants: {
    rows: participant,
    kept: ['participant', 'site', 'facets', 'createdAt', 'idSort', 'lastSeenAt', 'lastMessageAt'],
    unread: ['facets', 'idSort'],
  },
  participantAnchors: { rows: participant, kept: ['participant', 'anchor', 'datetime'] },
  stageOverrides: {
    rows: participant,
    kept: ['participant', 'stage', 'stageRecurrence', 'enableAt', 'applyToAllRecurrences'],
  },
  sentReminders: { rows: participant, kept: ['participant', 'stage', 'stageRecurrence', 'occasion', 'sentAt'] },
  participantTokens: {
    rows: participant,
    kept: ['hash', 'participant', 'trial', 'createdAt', 'lastUsedAt', 'device'],
    deleted: true,
    unread: ['hash'],
  },
  participantPins: {
    rows: participant,
    kept: ['participant', 'hash', 'setAt', 'setBy'],
    deleted: true,
    unread: ['hash'],
  },
  grants: {
    rows: participant,
    kept: ['hash', 'participant', 'secret', 'createdAt', 'createdBy', 'expiresAt', 'usedAt'],
    deleted: true,
    unread: ['hash', 'secret'],
  },
  stageTokens: {
    rows: participant,
    kept: ['hash', 'participant', 'stage', 'stageRecurrence', 'createdAt', 'createdBy', 'expiresAt'],
    deleted: true,
    unread: ['hash'],
  },
  passwordQueue: { rows: participant, kept: ['participant', 'job'], deleted: true },
  idempotencyKeys: {
    rows: participant,
    kept: ['caller', 'key', 'request', 'access', 'trial', 'participant', 'answer', 'createdAt', 'expiresAt'],
    deleted: true,
    unread: ['key', 'request', 'access', 'answer'], // the answer repeats what other tables hold
  },
  drafts: {
    rows: participant,
    kept: ['participant', 'stage', 'stageRecurrence', 'author', 'savedAt', 'response', 'updateNote'],
    deleted: true,
  },
  pollAnswers: {
    rows: `response IN ${RESPONSES}`,
    kept: [
      ...['response', 'createdAt', 'trial', 'stage', 'entry', 'link', 'linkName', 'attributes', 'salt'],
      ...['emailVerifiedAt', 'phoneVerifiedAt'],
    ],
    erased: { email: 'NULL', phone: 'NULL' },
    unread: ['salt'],
  },
  pollVerifications: {
    rows: `response IN ${RESPONSES}`,
    kept: [
      ...['_id', 'createdAt', 'trial', 'stage', 'hash', 'method', 'expiresAt', 'removeAt', 'isSilent', 'message'],
      ...['tries', 'verifiedAt', 'response'],
    ],
    erased: { address: `''` },
    unread: ['hash', 'removeAt', 'isSilent', 'message', 'tries'],
  },
  heldEntries: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'trial', 'participant', 'entry', 'path', 'code', 'status', 'decidedAt', 'decidedBy'],
      ...['response', 'broughtBy', 'tellAt', 'isTold'],
    ],
    unread: ['tellAt', 'isTold'],
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
    partly: ['values', 'address', 'device'],
  },
  responseEvents: {
    rows: `response IN ${RESPONSES}`,
    kept: ['_id', 'at', 'trial', 'response', 'participant', 'type', 'createdBy', 'createdByType'],
    partly: ['content'],
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
    rows: participant,
    kept: ['_id', 'createdAt', 'trial', 'participant', 'isCasebook', 'meaning', 'user', 'userName', 'hash'],
  },
  signedResponses: {
    rows: `signature IN (SELECT _id FROM signatures WHERE ${participant})`,
    kept: ['signature', 'response', 'hash', 'endedAt'],
  },
  queries: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'updatedAt', 'trial', 'participant', 'response', 'dataType', 'status', 'assignees'],
      ...['raisedBy', 'rule', 'instructions'],
    ],
    partly: ['fingerprint'],
    unread: ['fingerprint'],
  },
  queryClosings: { rows: `query IN ${QUERIES}`, kept: ['query', 'closedAt'] },
  overdueForms: { rows: participant, kept: ['participant', 'stage', 'forms'] },
  queryMessages: {
    rows: `query IN ${QUERIES}`,
    kept: ['_id', 'createdAt', 'query', 'user'],
    partly: ['text', 'attachments'],
  },
  messages: {
    rows: participant,
    kept: ['_id', 'createdAt', 'participant', 'number', 'isAutomatic', 'type', 'user', 'reveals'],
    erased: { title: 'NULL', message: `''`, attachments: `'[]'` },
  },
  messageReads: { rows: participant, kept: ['participant', 'reader', 'upTo', 'readAt'] },
  notificationQueue: { rows: participant, kept: ['job', 'participant'], deleted: true },
  notes: {
    rows: participant,
    kept: ['_id', 'createdAt', 'createdBy', 'updatedAt', 'trial', 'participant', 'inRelationToDate'],
    erased: { note: ERASED },
  },
  foodDiaryEntries: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'createdByType', 'updatedAt', 'trial', 'participant', 'date', 'meal'],
      ...['foodId', 'food', 'portionSize', 'quantity', 'loggedAt'],
    ],
    // Whoever writes it may write anything there.
    erased: { portionDescription: 'NULL' },
  },
  insightTexts: {
    rows: participant,
    kept: ['_id', 'createdAt', 'createdBy', 'trial', 'participant', 'model', 'reveals'],
    erased: { text: ERASED },
  },
  appointments: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'updatedAt', 'trial', 'participant', 'isMeeting', 'startsAt', 'duration'],
      ...['personnel', 'scheduledAt', 'sequence', 'cancelledAt', 'remindersDueAt'],
    ],
    erased: { title: ERASED, description: 'NULL' },
    unread: ['remindersDueAt'],
  },
  sentAppointmentReminders: {
    rows: `appointment IN ${APPOINTMENTS}`,
    kept: ['appointment', 'startsAt', 'occasion', 'audience', 'sentAt'],
  },
  calendarLinks: {
    rows: participant,
    kept: ['hash', 'createdAt', 'trial', 'participant', 'user'],
    deleted: true,
    unread: ['hash'],
  },
  scheduleRuns: {
    rows: participant,
    kept: ['participant', 'stage', 'first', 'last', 'zone', 'origin', 'firstAt'],
  },
  allocations: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'trial', 'randomisation', 'participant', 'number', 'arm', 'stratum'],
      ...['position', 'site', 'pack'],
    ],
    unread: ['position'],
  },
  unblindings: {
    rows: participant,
    kept: ['_id', 'createdAt', 'trial', 'allocation', 'participant', 'user', 'reason'],
  },
  tasks: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'completedAt', 'trial', 'taskLane', 'index', 'title', 'description'],
      ...['status', 'assignees', 'dueDate', 'participant', 'scored'],
    ],
  },
  packs: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'trial', 'packType', 'name', 'batchNumber', 'expiryDate', 'extended'],
      ...['assignedToSite', 'availableToAllGroups', 'availableToGroups', 'state', 'participant', 'assignedAt'],
      ...['unitsReturned', 'searchText', 'import', 'key'],
    ],
    unread: ['searchText', 'key'],
  },
  packEvents: {
    rows: participant,
    kept: [
      ...['pack', '_id', 'createdAt', 'createdBy', 'occurredAt', 'packType', 'type', 'state', 'site', 'fromSite'],
      ...['participant', 'reason', 'units', 'lowestTemperature', 'highestTemperature', 'minutes'],
    ],
  },
  incentives: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'trial', 'participant', 'brand', 'amount', 'currency', 'status', 'waitsFor'],
      ...['rule', 'stage', 'stageRecurrence', 'issuedAt', 'expiresOn', 'revealedAt', 'detail'],
    ],
    // Without it nobody can show the code of the card any more.
    erased: { secret: 'NULL' },
    unread: ['secret'],
  },
  incentiveClaims: {
    rows: participant,
    kept: ['rule', 'participant', 'stageRecurrence', 'response', 'createdAt', 'isDue', 'incentive'],
    unread: ['isDue'],
  },
  wearableConnections: {
    rows: participant,
    // Erasure ends the connections (src/exchange/personalData/operations.ts); the tokens go when the provider was told.
    kept: [
      ...['participant', 'service', 'trial', 'status', 'connectedAt', 'endedAt', 'scope', 'tokens', 'version'],
      ...['cursor', 'syncedAt', 'dueAt', 'failures', 'problem'],
    ],
    unread: ['tokens', 'version', 'cursor', 'dueAt', 'failures'],
  },
  wearableSignIns: {
    rows: participant,
    kept: ['participant', 'service', 'secret', 'expiresAt'],
    deleted: true,
    unread: ['secret'],
  },
  wearableReminders: { rows: participant, kept: ['participant', 'service', 'dueAt', 'sent'], deleted: true },
  hardwareRecords: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'updatedAt', 'trial', 'participant', 'service', 'dataset', 'key', 'day', 'source'],
      ...['measured', 'replaced'],
    ],
  },
  outbox: {
    // Messages to the personnel of an appointment have its title. Codes for a consent went to somebody who was no participant yet.
    rows: `${participant} OR appointment IN ${APPOINTMENTS} OR _id IN (SELECT codeMessage FROM consents WHERE ${participant}
      UNION SELECT message FROM consentVerifications WHERE session IN ${CONSENT_SESSIONS}
      UNION SELECT message FROM pollVerifications WHERE response IN ${RESPONSES})`,
    kept: [
      ...['_id', 'createdAt', 'trial', 'participant', 'user', 'channel', 'isSecret', 'status', 'attempts'],
      ...['dueAt', 'expiresAt', 'forms', 'sentAt', 'message', 'appointment'],
    ],
    // What a mail server or a person said of a delivery may name an address.
    erased: { recipient: `''`, subject: 'NULL', body: `''`, detail: 'NULL' },
  },
  webhookDeliveries: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'webhook', 'entry', 'event', 'subject', 'participant', 'status', 'tries', 'dueAt'],
      'finishedAt',
    ],
  },
  webhookAttempts: {
    rows: `delivery IN (SELECT _id FROM webhookDeliveries WHERE ${participant})`,
    kept: ['delivery', 'number', 'at', 'duration', 'code', 'detail'],
    // A receiver may repeat in its answer what it was sent.
    erased: { answer: 'NULL' },
  },
  consents: {
    rows: participant,
    // The signed PDF stays: it is an essential record of the study, and the proof that the person took part of their own will.
    kept: [
      ...['_id', 'createdAt', 'trial', 'form', 'version', 'session', 'salt', 'participant', 'boundAt', 'startedBy'],
      ...['confirmations', 'signatureMethod', 'file', 'fileHash', 'codeNumber', 'codeUsedAt', 'codeMessage'],
      ...['withdrawnAt', 'withdrawnBy', 'countersignedAt', 'countersignedBy', 'countersignerName'],
      ...['countersignedFile', 'countersignedHash', 'erasedAt'],
    ],
    erased: {
      ...{ fullName: 'NULL', email: 'NULL', phone: 'NULL', whatsapp: 'NULL', initials: `'{}'` },
      ...{ signature: 'NULL', photo: 'NULL', withdrawalReason: 'NULL' },
    },
    unread: ['salt', 'codeNumber', 'codeMessage'],
  },
  screenings: {
    rows: `consent IN (SELECT _id FROM consents WHERE ${participant})`,
    kept: ['consent', 'createdAt', 'trial', 'stage', 'hash', 'expiresAt', 'response'],
    unread: ['hash'],
  },
  screenedResponses: {
    rows: `consent IN (SELECT _id FROM consents WHERE ${participant})`,
    kept: ['response', 'consent'],
  },
  consentSessions: {
    rows: `_id IN ${CONSENT_SESSIONS}`,
    kept: [
      ...['_id', 'createdAt', 'trial', 'form', 'version', 'kind', 'hash', 'expiresAt', 'removeAt', 'participant'],
      ...['startedBy', 'hasRead', 'hasPassedQuiz'],
    ],
    erased: { photo: 'NULL' },
    unread: ['hash', 'removeAt'],
  },
  consentVerifications: {
    rows: `session IN ${CONSENT_SESSIONS}`,
    kept: [
      ...['_id', 'createdAt', 'trial', 'session', 'method', 'expiresAt', 'isSilent', 'message', 'tries', 'verifiedAt'],
    ],
    erased: { address: `''` },
    unread: ['isSilent', 'message', 'tries'],
  },
  consentEvents: {
    rows: `session IN ${CONSENT_SESSIONS}`,
    kept: ['session', 'number', 'createdAt', 'type', 'content'],
  },
  files: {
    rows: FILES,
    kept: [
      ...['storedName', 'createdAt', 'kind', 'trial', 'forType', 'forId', 'createdBy', 'name', 'type', 'size'],
      ...['sha256', 'isUsed', 'finishedAt', 'expiresAt'],
    ],
    // Those that only erased answers and messages name are deleted, with their bytes.
    partly: [],
  },
  uploadTotals: { rows: '_id = $participant', kept: ['_id', 'bytes'] },
  auditEntries: {
    rows: participant,
    kept: [
      ...['_id', 'chain', 'number', 'createdAt', 'type', 'userType', 'user', 'userEmail', 'apiToken', 'participant'],
      ...['event', 'address', 'device', 'personalHash', 'rows', 'hash'],
    ],
    erased: { personal: 'NULL' },
    unread: ['personalHash', 'rows', 'hash'],
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

/** Where the tables above hold personal information of somebody who never became a participant: the conditions (SQL) on the rows about `$consent`. */
export const heldOfConsent: Readonly<Record<string, string>> = {
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

/** The tables of an index of texts. */
const textIndex = (name: string): string[] => [
  name,
  ...['data', 'idx', 'docsize', 'config'].map((part) => `${name}_${part}`),
]

/** The tables that hold nothing about a participant, and why. */
export const otherTables: Readonly<Record<string, readonly string[]>> = {
  'accounts of staff': [
    'users',
    'teamMembers',
    'apiKeys',
    'sessions',
    'setupTokens',
    'recoveryCodes',
    'emailChanges',
    'roles',
    'userRoles',
    'permissions',
  ],
  'the study, the same for all participants': [
    ...['teams', 'trials', 'groups', 'sites', 'dataTypes', 'stages', 'layouts', 'stageGroups', 'anchors'],
    ...['configurationVersions', 'taskLanes', 'participantResources', 'packTypes', 'packImports', 'webhooks'],
    ...['exportDefinitions', 'consentForms', 'consentFormVersions'],
    ...textIndex('packTrigrams'),
    ...['randomisations', 'randomisationArms', 'randomisationLists'],
  ],
  'the work of staff at a site': [
    ...['monitoringVisits', 'siteIssues', 'siteTargets', 'sharedDevices'],
    ...['delegations', 'delegationSignatures', 'trainings'],
  ],
  'the trial master file, which is about the study and its staff': [
    ...['masterFiles', 'masterFileVersions', 'masterFileTags', 'masterFileAssignees', 'recordExemptions'],
    ...['masterFileKeys', 'masterFileTexts', 'masterFileVersionTexts'],
    ...['masterFileNameWords', 'masterFileTextWords'].flatMap(textIndex),
    ...['fileApprovals', 'fileApprovers'],
  ],
  // Journal and orders name what was paid by its `_id`. The row behind that, which names the participant, is deleted with them.
  'the money of the study, and the codes that it bought': [
    ...['incentiveBrands', 'voucherCodes', 'voucherStock', 'wallets', 'walletTransactions', 'walletEntries'],
    ...['incentiveRules', 'incentiveOrders'],
  ],
  'numbers over many participants': [
    ...['siteFigures', 'siteEnrolment', 'siteVerifications', 'trialEnrolment', 'stageFigures', 'queryFigures'],
    'trialInsights',
    ...['participantCounts', 'siteParticipantCounts'],
    'allocationCounts',
    'cacheVersions',
    'cursors',
    'timelineSweeps',
    'automaticQueryStarts',
    'wearableReminderCursors',
  ],
  'the end of the audit trail': ['auditHeads', 'deletedChains'],
  'failed attempts by a hash, which are forgotten within a day': ['attempts'],
  'work that has ended, without its content': ['jobs'],
  // Nothing links a message to a participant. Staff must not name participants there (docs/sites.md, "Participants in messages").
  'what staff write to each other about a site': [
    ...['siteMessages', 'siteMessageReads', 'siteMessageQueue', 'siteMessageMails'],
  ],
  'archives of a whole study, which are kept as they were locked': ['lockedDatasets'],
}
