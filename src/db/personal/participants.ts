/** Participants, where they belong, how they sign in, and their links. */
import { type HeldTables, participant } from './words'

export const participants: HeldTables = {
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
    kept: ['caller', 'key', 'request', 'access', 'trial', 'participant', 'createdAt', 'expiresAt'],
    // The key stays: without it, a device that repeats its request would enter the erased answers again.
    erased: { answer: `x''` },
    unread: ['key', 'request', 'access', 'answer'], // the answer repeats what other tables hold
  },
  drafts: {
    rows: participant,
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
