/**
 * The rows that the audit trail vouches for. Each entry of the trail holds digests of the rows that its act changed, from before and
 * after the change, so that `verify` finds a row that was changed in any other way (docs/decisions.md, "The audit trail").
 */
import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as tables from '#db/tables/index'
import { once } from '#kernel/once'

/** Tables whose rows have no digest. All other tables are watched, with all columns that `UNWATCHED_COLUMNS` does not name. */
export const UNWATCHED_TABLES: readonly string[] = [
  // The trail itself, and what `verify` counts again or rebuilds from it and from the submissions.
  ...['auditEntries', 'auditHeads', 'layouts', 'verifications'],
  // The trail of reads has hashes of its own, which its blocks hold. `verify` compares the mentions with its rows.
  ...['reads', 'readHeads', 'readMentions'],
  ...['responses', 'storedResponses', 'submissions', 'storedSubmissions'],
  ...['participantCounts', 'uploadTotals', 'scheduleRuns', 'siteFigures', 'siteEnrolment'],
  ...['siteParticipants', 'siteParticipantCounts'],
  ...['trialInsights', 'trialEnrolment', 'overdueForms', 'stageFigures', 'queryFigures', 'queryClosings'],
  // They repeat what the rows of the files hold.
  ...['masterFileTags', 'masterFileAssignees'],
  // What `verify` counts again from the journal of the wallet and from the codes.
  ...['wallets', 'voucherStock'],
  // What was read in their documents, which is read again where it is missing.
  ...['masterFileKeys', 'masterFileTexts', 'masterFileVersionTexts'],
  // Work in progress and delivery, which the trail does not describe (docs/security.md, "What verify does not notice").
  ...['cacheVersions', 'cursors', 'timelineSweeps', 'jobs', 'passwordQueue', 'idempotencyKeys', 'drafts'],
  ...['sentReminders', 'sentAppointmentReminders', 'dueNotifications', 'notificationQueue'],
  ...['siteMessageQueue', 'siteMessageMails', 'webhookDeliveries', 'webhookAttempts'],
  ...['incentiveClaims', 'incentiveOrders', 'packImports'],
  ...['wearableSignIns', 'wearableReminders', 'wearableReminderCursors'],
  // The rows of `deletions` hold a hash of them, which `verify` compares.
  ...['deletedRows', 'keptFiles'],
  // What led to a consent is in its signed PDF, whose hash the consent has.
  ...['consentSessions', 'consentEvents', 'consentVerifications'],
  // The answers to the poll say what was verified.
  'pollVerifications',
  // Limits: of today, and until packs arrive.
  ...['codeDays', 'scarcePlaces'],
]

/** Columns of watched tables that no digest covers. */
export const UNWATCHED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  teams: ['participantCount'],
  users: ['lastSeenAt', 'totpUsedStep'],
  apiKeys: ['lastUsedAt', 'lastAddress'],
  sessions: ['lastSeenAt'],
  participantTokens: ['lastUsedAt'],
  sharedDevices: ['lastSeenAt'],
  trials: [
    ...['revision', 'progressRevision', 'unreadCount'],
    ...['participantCount', 'dataTypeCount', 'stageCount', 'responseCount'],
  ],
  participants: [
    ...['lastSeenAt', 'unreadCount', 'groupCount', 'responseCount', 'signedCount', 'facets'],
    ...['ratioComplete', 'stagesBehindSchedule', 'progressDueAt', 'remindersDueAt', 'scheduleDigest'],
    ...['lastMessageAt', 'teamMailedAt', 'teamMailDueAt'],
  ],
  appointments: ['remindersDueAt'],
  heldEntries: ['tellAt', 'isTold'],
  files: ['heldUntil', 'announcedBy'],
  consentForms: ['consentCount'],
  consents: ['codeMessage'],
  // The index of trigrams names packs by it; `verify` compares that.
  packs: ['key'],
  incentiveRules: ['payments', 'waitingSince'],
  wearableConnections: ['tokens', 'version', 'cursor', 'syncedAt', 'dueAt', 'failures', 'problem'],
  outbox: ['status', 'detail', 'attempts', 'dueAt', 'sentAt'],
  webhooks: ['position', 'failures', 'failingSince', 'deliveredAt'],
}

/**
 * Columns that later versions added to watched tables. While all of them are NULL, the digest of a row is that of the version before,
 * which verifies after an upgrade.
 */
export const ADDED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  teams: ['deletionGraceDays', 'lowerGraceDays', 'lowerGraceAskedBy'],
  apiKeys: ['isReadOnly', 'trials'],
  sessions: ['address', 'device'],
  trials: ['deletedAt', 'purgedAt'],
  setupTokens: ['createdBy'],
  participantTokens: ['device'],
  participantResources: ['translations', 'translatedFrom'],
  consentForms: ['blocksFrom'],
  consents: ['withdrawalChoice'],
  randomisations: ['requiresConsent'],
}

/** The same for tables to which a version before had added columns already: what these hold does not count. */
const LATER_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  apiKeys: ['suspendedAt'],
}

/** The table and column of what a row belongs to. When that is deleted, so are its rows, and no entry names each of them. */
type Owner = readonly [table: string, column: string]
const TRIAL: Owner = ['trials', 'trial']
const PARTICIPANT: Owner = ['participants', 'participant']
const USER: Owner = ['users', 'user']
const SITE: Owner = ['sites', 'site']

/** Of several owners, the first whose column is not NULL counts. */
const OWNERS: Readonly<Record<string, readonly Owner[]>> = {
  apiKeys: [USER],
  sessions: [USER],
  setupTokens: [USER],
  recoveryCodes: [USER],
  emailChanges: [USER],
  userRoles: [['roles', 'role']],
  trials: [['trials', '_id']],
  queryMessages: [['queries', 'query']],
  masterFileVersions: [['masterFiles', 'file']],
  consentFormVersions: [['consentForms', 'form']],
  fileApprovals: [['masterFiles', 'file']],
  fileApprovers: [['fileApprovals', 'approval']],
  signedResponses: [['signatures', 'signature']],
  packEvents: [['packs', 'pack']],
  walletEntries: [['walletTransactions', 'walletTransaction']],
  outbox: [PARTICIPANT, TRIAL],
  calendarLinks: [PARTICIPANT, TRIAL],
  insightTexts: [PARTICIPANT, TRIAL],
  siteMessages: [SITE],
  siteMessageReads: [SITE],
  ...Object.fromEntries(
    [
      ...['participantGroups', 'participantSites', 'participantTokens', 'grants', 'participantAnchors'],
      ...['stageOverrides', 'stageTokens', 'signatures', 'notes', 'appointments', 'messages', 'messageReads'],
      ...['incentives', 'foodDiaryEntries', 'heldEntries', 'wearableConnections', 'hardwareRecords'],
      'participantPins',
    ].map((name) => [name, [PARTICIPANT]]),
  ),
}

/** Tables whose rows are deleted with a trial at the latest. */
const ROOTS = [
  'trials',
  'participants',
  'sites',
  'roles',
  'queries',
  'signatures',
  'masterFiles',
  'fileApprovals',
  'packs',
  'walletTransactions',
  'consentForms',
]

export type WatchedTable = {
  name: string
  columns: readonly string[]
  /** The primary key. */
  primary: readonly string[]
  /** The SQL of the key of a row, or of NEW or OLD: its owner's `_id` or `-`, and its primary key, with spaces between. */
  key(row: string): string
  /** The SQL of the text that the digest covers. */
  text(row: string): string
  /** The SQL of whether what owns a row still exists. @param owner the first part of the key, as SQL */
  ownerExists(owner: string): string
  /** The SQL of the first part of the key. */
  owner(row: string): string
  /** Whether rows are deleted with their trial, if they have an owner. */
  isInTrial: boolean
}

/** Of a trial whose purge has begun, no entry names each row that goes. */
const ownerExistsSql = (table: string, owner: string) =>
  `EXISTS (SELECT 1 FROM "${table}" WHERE _id = ${owner}${table === 'trials' ? ' AND purgedAt IS NULL' : ''})`

const quoted = (row: string, column: string) => `${row}."${column}"`

function watchedTable(table: SQLiteTable): WatchedTable {
  const name = getTableName(table)
  const all: SQLiteColumn[] = Object.values(getTableColumns(table))
  const columns = all.map(({ name }) => name).filter((each) => !UNWATCHED_COLUMNS[name]?.includes(each))
  const added = ADDED_COLUMNS[name] ?? []
  const later = LATER_COLUMNS[name] ?? []
  const primary =
    getTableConfig(table).primaryKeys[0]?.columns.map((column) => column.name) ??
    all.filter((column) => column.primary).map((column) => column.name)
  const owners = OWNERS[name] ?? (columns.includes('trial') ? [TRIAL] : [])
  const owner = (row: string) =>
    owners.length ? `coalesce(${owners.map(([, column]) => quoted(row, column)).join(', ')}, '-')` : `'-'`
  // With the participant's salt, nobody can find what a deleted participant's row held by hashing guesses.
  const isSalted = owners.includes(PARTICIPANT)
  const value = (row: string, column: string) =>
    name === 'outbox' && column === 'body'
      ? `iif(${quoted(row, 'isSecret')}, NULL, ${quoted(row, column)})` // a secret is erased when it was sent
      : quoted(row, column)
  const salt = (row: string) => `(SELECT salt FROM participants WHERE _id = ${quoted(row, 'participant')})`
  return {
    name,
    columns,
    primary,
    owner,
    key: (row) => [owner(row), ...primary.map((column) => quoted(row, column))].join(` || ' ' || `),
    text: (row) => {
      const values = (which: readonly string[]) => which.map((column) => value(row, column))
      const old = columns.filter((each) => !added.includes(each) && !later.includes(each))
      const first = [...values(old), ...(isSalted ? [salt(row)] : [])]
      /** The text with the columns of the next version, if one of them holds a value; else that of the version before. */
      const extended = (before: readonly string[], text: string, more: readonly string[]) =>
        more.length
          ? `iif(coalesce(${[...values(more), 'NULL'].join(', ')}) IS NULL, ${text}, json_array(${[...before, ...values(more)].join(', ')}))`
          : text
      return extended([...first, ...values(added)], extended(first, `json_array(${first.join(', ')})`, added), later)
    },
    ownerExists: (owner) =>
      owners.length && name !== 'trials' // the deletion of a trial itself is recorded, by its team's chain
        ? `(${owner} = '-' OR ${owners.map(([table]) => ownerExistsSql(table, owner)).join(' OR ')})`
        : 'TRUE',
    isInTrial: owners.some(([table]) => ROOTS.includes(table)),
  }
}

/** All watched tables, by name. */
export const watchedTables = once(() => {
  const byName: ReadonlyMap<string, WatchedTable> = new Map(
    Object.values<unknown>(tables)
      .filter((value) => is(value, SQLiteTable))
      .filter((table) => !UNWATCHED_TABLES.includes(getTableName(table)))
      .map((table) => [getTableName(table), watchedTable(table)]),
  )
  return () => byName
})
