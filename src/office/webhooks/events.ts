/**
 * The events that are sent to webhooks, each derived from one entry of the audit trail (docs/webhooks.md, "Events"): what is not in an
 * entry did not happen, and acts themselves need not know of webhooks.
 */
import type { Key } from '#access/keys'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** The permission to read what an event is about, which somebody who subscribes to it needs on the whole trial. */
export const eventNeeds = {
  'response.submitted': 'readParticipantStudyData',
  'response.changed': 'readParticipantStudyData',
  'response.deleted': 'readParticipantStudyData',
  'response.verified': 'readParticipantStudyData',
  'response.unverified': 'readParticipantStudyData',
  'response.signed': 'readParticipantStudyData',
  'participant.registered': 'readParticipants',
  'participant.changed': 'readParticipants',
  'participant.randomised': 'readParticipants',
  'participant.unblinded': 'readParticipants',
  'participant.erased': 'readParticipants',
  'participant.deleted': 'readParticipants',
  'entry.held': 'readParticipantStudyData',
  'query.opened': 'readParticipantStudyData',
  'query.answered': 'readParticipantStudyData',
  'query.closed': 'readParticipantStudyData',
  'query.reopened': 'readParticipantStudyData',
  'message.received': 'support',
  'message.sent': 'support',
  'file.created': 'readFiles',
  'file.changed': 'readFiles',
  'file.deleted': 'readFiles',
  'file.versionAdded': 'readFiles',
  'file.versionApproved': 'readFiles',
  'file.versionRejected': 'readFiles',
  'siteIssue.raised': 'readSites',
  'siteIssue.changed': 'readSites',
  'siteIssue.resolved': 'readSites',
  'siteIssue.deleted': 'readSites',
  'pack.changed': 'listPacks',
  'pack.assigned': 'listPacks',
  'pack.unassigned': 'listPacks',
  'trial.locked': 'access',
  'trial.unlocked': 'access',
  'configuration.versionCreated': 'access',
} as const satisfies Record<string, Key>

export type EventType = keyof typeof eventNeeds
export const eventTypes = Object.keys(eventNeeds) as EventType[]

/** What an event is derived from. */
export type AuditEntry = {
  number: number
  createdAt: Instant
  type: string
  userType: 'user' | 'participant' | 'system'
  user: Id | null
  participant: Id | null
  event: Readonly<Record<string, unknown>>
}

/** Whether a submission is the first of its response. */
type FirstSubmissionCheck = (submission: number) => boolean

const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

type Derivation = (entry: AuditEntry, isFirst: FirstSubmissionCheck) => EventType | undefined

const always =
  (type: EventType): Derivation =>
  () =>
    type

const ifChanged =
  (type: EventType): Derivation =>
  ({ event }) =>
    Object.keys(asObject(event.after)).length ? type : undefined

const byStatus =
  (types: Readonly<Record<string, EventType>>, otherwise?: EventType): Derivation =>
  ({ event }) =>
    types[`${asObject(event.after).status}`] ?? otherwise

const derivations: Readonly<Record<string, Derivation>> = {
  submitResponse: ({ event: { submission } }, isFirst) =>
    typeof submission !== 'number' ? undefined : isFirst(submission) ? 'response.submitted' : 'response.changed',
  setResponseStatus: ({ event }) =>
    asObject(event.before).status === asObject(event.after).status ? undefined : 'response.changed',
  allocateResponse: always('response.changed'),
  detachResponse: always('response.changed'),
  deleteResponse: always('response.deleted'),
  verifyResponse: always('response.verified'),
  unverifyResponse: always('response.unverified'),
  signResponses: always('response.signed'),
  createParticipant: always('participant.registered'),
  updateParticipant: always('participant.changed'),
  addSiteMember: always('participant.changed'),
  removeSiteMember: always('participant.changed'),
  addGroupMember: always('participant.changed'),
  removeGroupMember: always('participant.changed'),
  allocateParticipant: always('participant.randomised'),
  unblindParticipant: always('participant.unblinded'),
  erasePersonalInformation: always('participant.erased'),
  deleteParticipant: always('participant.deleted'),
  holdEntry: always('entry.held'),
  readInSavedCopy: always('entry.held'),
  raiseQuery: always('query.opened'),
  answerQuery: ({ event }) => (event.status === 'answered' ? 'query.answered' : 'query.reopened'),
  updateQuery: byStatus({ answered: 'query.answered', closed: 'query.closed', open: 'query.reopened' }),
  sendMessage: ({ userType }) => (userType === 'participant' ? 'message.received' : 'message.sent'),
  createFile: always('file.created'),
  createFiles: always('file.created'),
  copyFile: always('file.created'),
  updateFile: ifChanged('file.changed'),
  deleteFile: always('file.deleted'),
  createFileVersion: always('file.versionAdded'),
  decideFileApproval: ({ event: { status } }) =>
    status === 'approved' ? 'file.versionApproved' : status === 'rejected' ? 'file.versionRejected' : undefined,
  createSiteIssue: always('siteIssue.raised'),
  updateSiteIssue: (entry, isFirst) =>
    asObject(entry.event.after).status === 'resolved'
      ? 'siteIssue.resolved'
      : ifChanged('siteIssue.changed')(entry, isFirst),
  deleteSiteIssue: always('siteIssue.deleted'),
  recordPackEvent: always('pack.changed'),
  assignPack: always('pack.assigned'),
  dispensePack: always('pack.assigned'),
  unassignPack: always('pack.unassigned'),
  lockTrial: always('trial.locked'),
  unlockTrial: always('trial.unlocked'),
  lockDatabase: always('trial.locked'),
  unlockDatabase: always('trial.unlocked'),
  createConfigurationVersion: ({ event }) => (event.unchanged ? undefined : 'configuration.versionCreated'),
}

/** The types of entries from which events are derived. */
export const entryTypes = Object.keys(derivations)

/** The event of an entry; undefined if it has none. */
export const eventOf = (entry: AuditEntry, isFirst: FirstSubmissionCheck): EventType | undefined =>
  Object.hasOwn(derivations, entry.type) ? derivations[entry.type]!(entry, isFirst) : undefined

const firstText = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '')

/** The `_id` of the thing that an event is about, besides its participant. */
const recordIdIn = ({
  fileId,
  issueId,
  packId,
  queryId,
  query,
  after,
  before,
}: AuditEntry['event']): string | undefined =>
  firstText(fileId, issueId, packId, queryId, query, asObject(after)._id, asObject(before)._id)

/** What deliveries are ordered by: the participant, else the thing that the event is about, else the trial. */
export const subjectOf = (entry: AuditEntry, trial: Id): string => entry.participant ?? recordIdIn(entry.event) ?? trial

/** Names in entries, by the names that receivers read. The first that is in an entry counts. */
const IDS: Readonly<Record<string, readonly string[]>> = {
  response: ['response', 'responseId'],
  stage: ['stage'],
  query: ['queryId', 'query'],
  heldEntry: ['heldEntry'],
  message: ['message'],
  dataType: ['dataType', 'dataTypeId'],
  site: ['siteId'],
  group: ['groupId'],
  file: ['fileId'],
  siteIssue: ['issueId'],
  pack: ['packId'],
}

/** Numbers that are sent, by the noun of the event. The number of an allocation is not sent: it could reveal an arm. */
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  response: ['stageRecurrence', 'submission'],
  configuration: ['number'],
}

/** Events whose noun may be named by its value alone. */
const NOUNS: readonly string[] = ['file', 'siteIssue']

/** The ids and states of an entry that every receiver may read. Texts that people wrote, and names, are not among them. */
export function idsIn(type: string, { event }: AuditEntry): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const [name, keys] of Object.entries(IDS)) {
    const value = firstText(...keys.map((key) => event[key]))
    if (value !== undefined && /^[0-9a-f]{24}$/.test(value)) data[name] = value
  }
  const noun = type.split('.')[0]!
  if (NOUNS.includes(noun)) data[noun] ??= recordIdIn(event)
  for (const name of NUMBERS[noun] ?? []) if (typeof event[name] === 'number') data[name] = event[name]
  const { status } = asObject(event.after)
  if (typeof status === 'string' || (status === null && type.startsWith('response.'))) data.status = status
  else if (type === 'query.answered' || type === 'query.reopened') data.status = event.status
  return data
}
