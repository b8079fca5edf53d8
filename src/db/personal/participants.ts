/** Participants, where they belong, how they sign in, and their links. */
import { OF_PARTICIPANT, type PersonalTables } from './personalTable'

export const participants: PersonalTables = {
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
    notReported: [
      ...['passwordHash', 'pushSession', 'idSort', 'salt', 'progressDueAt', 'remindersDueAt', 'groupCount', 'facets'],
      ...['teamMailDueAt', 'scheduleDigest'],
    ],
  },
  participantGroups: { rows: OF_PARTICIPANT, kept: ['participant', 'group'] },
  participantSites: { rows: OF_PARTICIPANT, kept: ['participant', 'site'] },
  siteParticipants: {
    rows: OF_PARTICIPANT,
    kept: ['participant', 'site', 'facets', 'createdAt', 'idSort', 'lastSeenAt', 'lastMessageAt'],
    notReported: ['facets', 'idSort'],
  },
  participantAnchors: { rows: OF_PARTICIPANT, kept: ['participant', 'anchor', 'datetime'] },
  stageOverrides: {
    rows: OF_PARTICIPANT,
    kept: ['participant', 'stage', 'stageRecurrence', 'enableAt', 'applyToAllRecurrences'],
  },
  sentReminders: { rows: OF_PARTICIPANT, kept: ['participant', 'stage', 'stageRecurrence', 'occasion', 'sentAt'] },
  participantTokens: {
    rows: OF_PARTICIPANT,
    kept: ['hash', 'participant', 'trial', 'createdAt', 'lastUsedAt', 'device'],
    deleted: true,
    notReported: ['hash'],
  },
  participantPins: {
    rows: OF_PARTICIPANT,
    kept: ['participant', 'hash', 'setAt', 'setBy'],
    deleted: true,
    notReported: ['hash'],
  },
  grants: {
    rows: OF_PARTICIPANT,
    kept: ['hash', 'participant', 'secret', 'createdAt', 'createdBy', 'expiresAt', 'usedAt'],
    deleted: true,
    notReported: ['hash', 'secret'],
  },
  stageTokens: {
    rows: OF_PARTICIPANT,
    kept: ['hash', 'participant', 'stage', 'stageRecurrence', 'createdAt', 'createdBy', 'expiresAt'],
    deleted: true,
    notReported: ['hash'],
  },
  passwordQueue: { rows: OF_PARTICIPANT, kept: ['participant', 'job'], deleted: true },
  idempotencyKeys: {
    rows: OF_PARTICIPANT,
    kept: ['caller', 'key', 'request', 'access', 'trial', 'participant', 'createdAt', 'expiresAt'],
    // The key stays: without it, a device that repeats its request would enter the erased answers again.
    erased: { answer: `x''` },
    notReported: ['key', 'request', 'access', 'answer'], // the answer repeats what other tables hold
  },
  drafts: {
    rows: OF_PARTICIPANT,
    kept: [
      'participant',
      'stage',
      'stageRecurrence',
      'author',
      'savedAt',
      'response',
      'updateNote',
      'startedAt',
      'saves',
    ],
    deleted: true,
  },
}
