/**
 * The fields that a body may carry although its operation does not set them, because no operation does (docs/contract.md,
 * "Requests"): decided from what the fields mean, and not from the code. A field that is not here is refused.
 */

/** Of every noun: what the server gives it, and when it last changed. */
export const always: readonly string[] = ['_id', 'createdAt', 'updatedAt', 'createdBy', 'trial', 'lastSeenAt']

// Computed from the stage, the overrides and the responses.
const occurrence = ['completed', 'completedAt', 'expired', 'expiresAt', 'enabled', 'visible', 'behind']
const ofItsStage = ['name', 'description', 'adHoc', 'isPoll']
// Where it belongs to: the path says it, or what it was raised about.
const place = ['stage', 'stageRecurrence', 'participant', 'participantId']
const channels = ['pushAvailable', 'emailAvailable', 'smsAvailable', 'whatsappAvailable']
const unread = ['hasUnreadMessages', 'unreadCount']
const counts = ['participantCount', 'dataTypeCount', 'stageCount', 'responseCount']
const query = [...place, 'isAutomatic', 'rule', 'instructions', 'messages']
// What it is, and what became of it.
const message = ['type', 'title', 'sender', 'fileUrls', 'readAt', 'isRead']
const trial = [...counts, 'team', 'passwordSet', 'sponsorLogoUrl', 'hasUnreadMessages', 'timelineUpdate']
const member = ['isAccountDisabled', 'isSetUp']

/** Of one operation, besides. */
export const ofOperation: Readonly<Record<string, readonly string[]>> = {
  moveStageOpening: [...occurrence, ...ofItsStage],
  restoreStageOpening: [...occurrence, ...ofItsStage],
  setAnchorDate: ['anchor'],
  enterResponse: [...place, 'score', 'partialSubmission', 'savedAt'],
  setResponseStatus: [...place, 'score', 'partialSubmission'],
  allocateResponse: [...place, 'score', 'partialSubmission'],
  detachResponse: [...place, 'score', 'partialSubmission'],
  signResponses: ['isCasebook', 'signer', 'signedAt', 'hash', 'valid'],
  raiseQuery: query,
  updateQuery: query,
  answerQuery: query,
  createNote: ['participant'],
  updateNote: ['participant'],
  createEvent: ['participant'],
  updateEvent: ['participant'],
  createMeeting: ['participant', 'joinUrl', 'joinFrom', 'joinUntil'],
  updateMeeting: ['participant', 'joinUrl', 'joinFrom', 'joinUntil'],
  createFile: ['versions', 'latestVersion'],
  updateFile: ['versions', 'latestVersion'],
  createFiles: ['files'],
  copyFile: ['files'],
  createFileVersion: ['number', 'url', 'uploader', 'statusAt', 'statusBy', 'size', 'sha256', 'mimeType'],
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
  updateOwnParticipant: ['sites', 'consents', 'connectedServices'],
  markMessagesRead: ['unreadCount'],
  sendMessage: [...message, 'deliveries'],
  markOwnMessagesRead: ['unreadCount'],
  sendOwnMessage: message,
  sendSiteMessage: ['site', 'sender', 'fileUrls', 'broadcast', 'erasedAt', 'isRead'],
  eraseSiteMessage: ['site', 'sender', 'fileUrls', 'broadcast', 'erasedAt', 'isRead'],
  markSiteMessagesRead: ['site', 'unread'],
  broadcastSiteMessage: ['sender', 'fileUrls'],
  createApiKey: ['prefix', 'lastUsedAt', 'lastAddress'],
  signIn: ['user', 'csrfToken', 'expiresAt'],
  updateTeam: ['participantCount'],
  inviteMember: member,
  updateMember: member,
  updateOwnUser: [],
  setPermissions: [],
  assignRole: [],
}
