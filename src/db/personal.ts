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
const FILES = `(forType = 'participant' AND forId = $participant) OR (forType = 'query' AND forId IN ${QUERIES})`

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
  participantAnchors: { rows: participant, kept: ['participant', 'anchor', 'datetime'] },
  stageOverrides: {
    rows: participant,
    kept: ['participant', 'stage', 'stageRecurrence', 'enableAt', 'applyToAllRecurrences'],
  },
  sentReminders: { rows: participant, kept: ['participant', 'stage', 'stageRecurrence', 'occasion', 'sentAt'] },
  participantTokens: {
    rows: participant,
    kept: ['hash', 'participant', 'trial', 'createdAt', 'lastUsedAt'],
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
      ...['score', 'status', 'partialSubmission', 'marks'],
    ],
  },
  storedSubmissions: {
    rows: `response IN ${RESPONSES}`,
    kept: [
      ...['_id', 'at', 'response', 'stageRecurrence', 'participant', 'layout', 'fields', 'entered'],
      ...['score', 'partialSubmission', 'createdBy', 'createdByType', 'updateNote'],
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
  tasks: {
    rows: participant,
    kept: [
      ...['_id', 'createdAt', 'createdBy', 'completedAt', 'trial', 'taskLane', 'index', 'title', 'description'],
      ...['status', 'assignees', 'dueDate', 'participant', 'scored'],
    ],
  },
  outbox: {
    // Messages to the personnel of an appointment have its title.
    rows: `${participant} OR appointment IN ${APPOINTMENTS}`,
    kept: [
      ...['_id', 'createdAt', 'trial', 'participant', 'user', 'channel', 'isSecret', 'status', 'attempts'],
      ...['dueAt', 'expiresAt', 'forms', 'sentAt', 'message', 'appointment'],
    ],
    // What a mail server or a person said of a delivery may name an address.
    erased: { recipient: `''`, subject: 'NULL', body: `''`, detail: 'NULL' },
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

/** The tables that hold nothing about a participant, and why. */
export const otherTables: Readonly<Record<string, readonly string[]>> = {
  'accounts of staff': [
    'users',
    'teamMembers',
    'apiKeys',
    'sessions',
    'setupTokens',
    'roles',
    'userRoles',
    'permissions',
  ],
  'the study, the same for all participants': [
    ...['teams', 'trials', 'groups', 'sites', 'dataTypes', 'stages', 'layouts', 'stageGroups', 'anchors'],
    ...['configurationVersions', 'taskLanes', 'participantResources'],
  ],
  'the trial master file, which is about the study and its staff': [
    ...['masterFiles', 'masterFileVersions', 'masterFileTags', 'masterFileAssignees'],
  ],
  'numbers over many participants': [
    'participantCounts',
    'cacheVersions',
    'cursors',
    'timelineSweeps',
    'automaticQueryStarts',
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
