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
    'unblindingGrants',
  ],
  'the study, the same for all participants': [
    ...['teams', 'trials', 'groups', 'sites', 'dataTypes', 'stages', 'layouts', 'stageGroups', 'anchors'],
    ...['configurationVersions', 'taskLanes', 'participantResources', 'packTypes', 'packImports', 'webhooks'],
    ...['exportDefinitions', 'consentForms', 'consentFormVersions', 'codeDays'],
    ...textIndex('packTrigrams'),
    ...['randomisations', 'randomisationArms', 'randomisationDispensing', 'randomisationLists', 'scarcePlaces'],
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
  'the ends of the trail of reads, and of its blocks': ['readHeads', 'readBlocks'],
  'which rows of the trail of reads may name somebody, by bits of the `_id`': ['readMentions'],
  'failed attempts by a hash, which are forgotten within a day': ['attempts'],
  'work that has ended, without its content': ['jobs'],
  // Nothing links a message to a participant. Staff must not name participants there (docs/sites.md, "Participants in messages").
  'what staff write to each other about a site': [
    ...['siteMessages', 'siteMessageReads', 'siteMessageQueue', 'siteMessageMails'],
  ],
  'archives of a whole study, which are kept as they were locked': ['lockedDatasets'],
}
