/** What is put back of a deletion in its own way: tables that follow from others, and columns that triggers count. */

/** Tables whose rows triggers or background work make from other rows, and those of the service itself. They are not kept. */
export const DERIVED_TABLES: readonly string[] = [
  ...['auditEntries', 'auditHeads', 'deletedChains', 'deletions', 'deletedRows', 'keptFiles'],
  ...['cacheVersions', 'cursors', 'jobs', 'timelineSweeps', 'attempts'],
  ...['participantCounts', 'siteFigures', 'siteEnrolment', 'siteParticipants', 'siteParticipantCounts', 'uploadTotals'],
  ...['trialEnrolment', 'stageFigures', 'queryFigures', 'trialInsights', 'voucherStock', 'wallets'],
  ...['masterFileKeys', 'masterFileTexts', 'masterFileVersionTexts'],
]

/** The tables in which SQLite keeps the indexes of words. */
const TEXT_INDEX_TABLES = /Words(_\w+)?$|Trigrams(_\w+)?$/

export const isDerivedTable = (table: string): boolean =>
  DERIVED_TABLES.includes(table) || TEXT_INDEX_TABLES.test(table)

/** Columns that triggers count up while the rows behind them are put back. */
export const COUNTED_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  participants: ['unreadCount', 'groupCount', 'responseCount', 'signedCount'],
  storedResponses: ['marks'],
}

/** Columns that triggers change meanwhile, and that get the value from before at the end. */
export const COLUMNS_SET_LAST: Readonly<Record<string, readonly string[]>> = {
  participants: [
    ...['lastSeenAt', 'lastMessageAt', 'teamMailedAt', 'teamMailDueAt', 'pushToken', 'pushSession'],
    ...['ratioComplete', 'stagesBehindSchedule', 'remindersDueAt', 'scheduleDigest'],
  ],
  masterFiles: ['latest', 'status', 'approved', 'approvedUntil'],
}

/** Tables of which triggers may have made the row already: what was kept counts. */
export const MADE_BY_TRIGGERS: readonly string[] = ['incentiveClaims', 'queryClosings']

/** Tables whose rows triggers of the rows that they belong to read: they come back before those. */
export const READ_BY_TRIGGERS: readonly string[] = ['queryClosings']

/** Sign-ins end with a deletion: they are not put back. */
export const SIGN_IN_TABLES: readonly string[] = ['participantTokens', 'grants']
