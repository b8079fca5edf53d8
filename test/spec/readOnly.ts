/**
 * The fields that a body may carry although its operation does not set them, because no operation does (docs/contract.md,
 * "Requests"): decided from what the fields mean, and not from the code. A field that is not here is refused.
 */

/** Of every noun: what the server gives it, when it last changed, and the languages of its texts. */
export const always: readonly string[] = ['_id', 'createdAt', 'updatedAt', 'createdBy', 'trial', 'lastSeenAt', 'texts']

// Computed from the stage, the overrides and the responses.
const occurrence = ['completed', 'completedAt', 'expired', 'expiresAt', 'enabled', 'visible', 'behind']
const ofItsStage = ['name', 'description', 'adHoc', 'isPoll']
// Where it belongs to: the path says it, or what it was raised about.
const place = ['stage', 'stageRecurrence', 'participant', 'participantId']
const channels = ['pushAvailable', 'emailAvailable', 'smsAvailable', 'whatsappAvailable']
const unread = ['hasUnreadMessages', 'unreadCount']
const counts = ['participantCount', 'dataTypeCount', 'stageCount', 'responseCount']
/** What became of a held entry. */
const heldEntry = ['participantId', 'answers', 'hidden', 'status', 'decidedAt', 'decidedBy', 'broughtBy']
const query = [...place, 'isAutomatic', 'rule', 'instructions', 'messages']
// What it is, and what became of it.
const message = ['type', 'title', 'sender', 'fileUrls', 'readAt', 'isRead']
const sealed = ['doseLevels', 'commitment', 'sealedAt', 'sealedBy', 'closedAt', 'unblindedAt']
const pack = ['state', 'unitsReturned']
const trial = [...counts, 'team', 'passwordSet', 'sponsorLogoUrl', 'hasUnreadMessages', 'timelineUpdate']
const visit = ['site', 'isOverdue', 'issueCount', 'openIssueCount', 'sourceVerification']
const issue = ['site', 'visit', 'resolvedAt', 'resolvedBy']
const delegation = ['site', 'userName', 'endedAt', 'endedBy', 'state', 'expiredTrainings']
const training = ['site', 'userName', 'state', 'certificateFile', 'struckAt', 'struckBy']
const transaction = ['balance', 'category', 'entries', 'incentive', 'number', 'reversedBy', 'reverses']
const incentive = ['detail', 'expiresOn', 'issuedAt', 'revealedAt', 'rule', 'status', 'waitsFor']
// The food as it was when it was chosen, and what follows from it.
const diary = ['participant', 'createdByType', 'food', 'grams', 'nutrients']
const member = ['isAccountDisabled', 'isSetUp']

const tablet = ['site', 'state', 'expiresAt', 'openedAt', 'endedAt', 'endedBy']
const consent = [
  ...['conditionConfirmations', 'consentDocument', 'consentGiven', 'eligibilityCriteriaConfirmed'],
  ...['email', 'erasedAt', 'file', 'fileHash', 'formKey', 'formName', 'fullName', 'groups', 'hasSignInCode'],
  ...['isOutdated', 'participant', 'participantId', 'phone', 'photo', 'requiresCountersignature'],
  ...['present', 'withdrawalChoice', 'witness'],
  ...['screeningResponses', 'sessionEvents', 'signatureMethod', 'sites', 'startedBy', 'trialConditionsConsentGiven'],
  ...['version', 'whatsapp'],
]

const delivery = ['attempts', 'dueAt', 'event', 'finishedAt', 'participant', 'status', 'webhook']
const webhook = ['disabledReason', 'previousSecretUntil', 'failures', 'failingSince', 'deliveredAt']

/** Of one operation, besides. */
export const ofOperation: Readonly<Record<string, readonly string[]>> = {
  withdrawOwnConsents: ['choices'],
  moveStageOpening: [...occurrence, ...ofItsStage],
  restoreStageOpening: [...occurrence, ...ofItsStage],
  setAnchorDate: ['anchor'],
  enterResponse: [...place, 'score', 'partialSubmission', 'savedAt', 'sentLate'],
  setResponseStatus: [...place, 'score', 'partialSubmission', 'sentLate'],
  allocateResponse: [...place, 'score', 'partialSubmission', 'sentLate'],
  detachResponse: [...place, 'score', 'partialSubmission', 'sentLate'],
  signResponses: ['isCasebook', 'signer', 'signedAt', 'hash', 'valid'],
  holdEntry: ['decidedAt', 'status'],
  readInSavedCopy: heldEntry,
  acceptHeldEntry: [...place, 'score', 'partialSubmission', 'sentLate'],
  refuseHeldEntry: heldEntry,
  raiseQuery: query,
  updateQuery: query,
  answerQuery: query,
  createSharedDevice: tablet,
  createSharedDeviceOfTrial: tablet,
  updateSharedDevice: tablet,
  endSharedDevice: tablet,
  openSharedDevice: ['expiresAt', 'idleMinutes', 'name', 'publicKey', 'site', 'state'],
  createNote: ['participant'],
  updateNote: ['participant'],
  createFoodDiaryEntry: diary,
  updateFoodDiaryEntry: diary,
  createOwnFoodDiaryEntry: diary,
  updateOwnFoodDiaryEntry: diary,
  createEvent: ['participant'],
  updateEvent: ['participant'],
  createMeeting: ['participant', 'joinUrl', 'joinFrom', 'joinUntil'],
  updateMeeting: ['participant', 'joinUrl', 'joinFrom', 'joinUntil'],
  createSite: ['enrolled'],
  updateSite: ['enrolled'],
  createMonitoringVisit: visit,
  updateMonitoringVisit: visit,
  createSiteIssue: issue,
  updateSiteIssue: issue,
  createDelegation: delegation,
  endDelegation: delegation,
  signDelegation: delegation,
  createTraining: training,
  updateTraining: training,
  createFile: ['versions', 'latestVersion'],
  updateFile: ['versions', 'latestVersion'],
  createFiles: ['files'],
  copyFile: ['files'],
  createFileVersion: [
    ...['number', 'url', 'uploader', 'statusAt', 'statusBy', 'size', 'sha256', 'mimeType'],
    ...['textState', 'textProblem', 'isTextCut'],
  ],
  createFileApproval: ['endedAt', 'file', 'linksUntil', 'status', 'version'],
  decideFileApproval: ['endedAt', 'file', 'linksUntil', 'status', 'version'],
  createConsentForm: ['version', 'reconsentFrom', 'blocksFrom', 'consentCount'],
  updateConsentForm: ['version', 'reconsentFrom', 'blocksFrom', 'consentCount'],
  // What was signed; the body of a withdrawal has its reason.
  withdrawConsent: consent,
  countersignConsent: consent,
  giveConsent: ['fileHash', 'postConsentStage', 'postConsentText', 'postSubmissionText', 'signInCode', 'url'],
  requestConsentPhoto: ['signedRequestURL'],
  requestScreeningUpload: ['signedRequestURL'],
  requestStageTokenUpload: ['signedRequestURL'],
  createTask: ['completedAt', 'participant'],
  updateTask: ['completedAt', 'participant'],
  createTrial: trial,
  updateTrial: trial,
  createConfigurationVersion: ['number', 'user', 'userEmail', 'trigger', 'hash', 'snapshot'],
  recordHandOver: [
    ...['participant', 'participantId', 'channel', 'recipient', 'subject', 'body', 'detail', 'attempts', 'sentAt'],
  ],
  createParticipantResource: ['url', 'needsInternet'],
  updateParticipantResource: ['url', 'needsInternet'],
  registerParticipants: [...channels, ...unread, 'progress', 'passwordSet', 'erasedAt'],
  updateParticipant: [...channels, ...unread, 'progress', 'passwordSet', 'erasedAt'],
  updateOwnParticipant: ['consentNeeded', 'sites', 'consents', 'connectedServices', 'zone', 'pushHere'],
  connectWearable: ['service', 'status', 'connectedAt', 'endedAt', 'lastSyncAt', 'problem'],
  markMessagesRead: ['unreadCount'],
  sendMessage: [...message, 'deliveries'],
  markOwnMessagesRead: ['unreadCount'],
  sendOwnMessage: message,
  sendSiteMessage: ['site', 'sender', 'fileUrls', 'broadcast', 'erasedAt', 'isRead'],
  eraseSiteMessage: ['site', 'sender', 'fileUrls', 'broadcast', 'erasedAt', 'isRead'],
  markSiteMessagesRead: ['site', 'unread'],
  broadcastSiteMessage: ['sender', 'fileUrls'],
  testWebhook: delivery,
  redeliverToWebhook: delivery,
  createWebhook: webhook,
  updateWebhook: webhook,
  topUpWallet: transaction,
  reverseWalletTransaction: transaction,
  createIncentiveBrand: ['amounts', 'isAvailable'],
  updateIncentiveBrand: ['amounts', 'isAvailable'],
  issueIncentive: [...incentive, 'participant', 'stage', 'stageRecurrence'],
  createIncentiveRule: ['brandName', 'payments', 'waitingSince'],
  updateIncentiveRule: ['brandName', 'payments', 'waitingSince'],
  confirmApiKey: ['prefix', 'lastUsedAt', 'lastAddress', 'suspendedAt'],
  createApiKey: ['prefix', 'lastUsedAt', 'lastAddress', 'suspendedAt'],
  signIn: ['user', 'csrfToken', 'expiresAt'],
  updateTeam: ['lowerGraceDays', 'participantCount'],
  inviteMember: member,
  updateMember: member,
  createRandomisation: sealed,
  updateRandomisation: sealed,
  sealRandomisation: sealed,
  closeRandomisation: sealed,
  unblindRandomisation: sealed,
  // Nobody chooses an arm: the randomisation draws it.
  allocateParticipant: [
    ...['arm', 'armName', 'group', 'packType', 'stratum', 'number', 'pack', 'participantId', 'randomisation'],
    'unblindedAt',
  ],
  // Nor a pack: it is drawn.
  dispensePacks: ['arm', 'armName', 'number', 'packs', 'participantId', 'randomisation'],
  updatePack: pack,
  assignPack: pack,
  unassignPack: pack,
  recordPackEvent: ['pack', 'state', 'fromSite', 'participant'],
  askForTrialInsights: ['generation'],
  askForParticipantInsights: [
    ...['participant', 'at', 'completeness', 'adherence', 'timeToAnswer', 'measures', 'scores', 'dropout'],
    'generation',
  ],
  updateOwnUser: [],
  setPermissions: [],
  assignRole: [],
}
