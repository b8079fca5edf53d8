import { reason } from '#kernel/refusals/reason'
import { channels } from '#outbox/status'
import * as t from '#wire/schema'

const own = (description: string) => t.maybe(t.personal(t.withDescription(description, t.orNull(t.text(0, 200)))))

/** See docs/participants.md, "Fields and permissions". */
export const Participant = t.shape('Participant', {
  _id: t.id(),
  id: t.withDescription('The participant ID that the study gave', t.oneLine(1, 50)),
  createdAt: t.instant(),
  lastSeenAt: t.orNull(t.instant()),
  groups: t.list(t.id()),
  sites: t.list(t.id()),
  isUnallocated: t.flag(),
  allocatedReason: t.orNull(t.text(0, 1000)),
  isArchived: t.flag(),
  isWithdrawn: t.flag(),
  hasUnreadMessages: t.flag(),
  unreadCount: t.withDescription('How many messages of the participant nobody in the team has read', t.whole(0)),
  erasedAt: t.withDescription('When their personal information was erased', t.orNull(t.instant())),
  progress: t.shape({ ratioComplete: t.number(0, 1), stagesBehindSchedule: t.whole(0) }),
  passwordSet: t.flag(),
  pushAvailable: t.flag(),
  emailAvailable: t.flag(),
  smsAvailable: t.flag(),
  whatsappAvailable: t.flag(),
  timezone: t.orNull(t.zone()),
  language: t.withDescription('Of messages to them; null for that of the trial', t.orNull(t.language())),
  name: own('This field and the four below need the permission to see personal information'),
  dob: t.maybe(t.personal(t.orNull(t.day()))),
  email: own('E-mail address'),
  phone: own('Telephone number with its country code'),
  whatsapp: own('WhatsApp number with its country code'),
})

/** The registration of one participant. */
export const Registration = t.shape('Registration', {
  participantId: t.withDescription('Unique in the trial, ignoring case', t.oneLine(1, 50)),
  password: t.maybe(
    t.withDescription('Omit it for participants who join by a link or with their consent', t.textWithSpaces(1, 200)),
  ),
  groups: t.maybe(t.list(t.id(), 1000)),
  group: t.maybe(t.withDescription('Short for `groups` with one group', t.id())),
  isUnallocated: t.maybe(t.flag()),
  language: t.maybe(t.withDescription('Of messages to them', t.orNull(t.language()))),
})

/** The most participants in one request. */
const BATCH = 5_000

export const Registrations = t.shape('Registrations', { participants: t.list(Registration, BATCH, 1) })

/** The body of PUT (docs/participants.md, "Fields and permissions"); null clears a field. */
export const ParticipantChange = t.shape('ParticipantChange', {
  id: t.maybe(t.oneLine(1, 50)),
  password: t.maybe(t.withDescription('Empty text removes it', t.orNull(t.text(0, 200)))),
  name: t.maybe(t.orNull(t.oneLine(0, 200))),
  email: t.maybe(t.orNull(t.email())),
  phone: t.maybe(t.orNull(t.text(1, 40))),
  whatsapp: t.maybe(t.orNull(t.text(1, 40))),
  dob: t.maybe(t.orNull(t.day())),
  timezone: t.maybe(t.orNull(t.zone())),
  language: t.maybe(t.orNull(t.language())),
  isUnallocated: t.maybe(t.flag()),
  allocatedReason: t.maybe(t.orNull(t.text(0, 1000))),
  isArchived: t.maybe(t.flag()),
  isWithdrawn: t.maybe(t.flag()),
})

/** One entry of the bulk PATCH. `groups` and `sites` replace the memberships. */
export const BulkChange = t.shape('ParticipantUpdate', {
  participant: t.id(),
  groups: t.maybe(t.list(t.id(), 1000)),
  sites: t.maybe(t.list(t.id(), 1000)),
  isArchived: t.maybe(t.flag()),
  isWithdrawn: t.maybe(t.flag()),
})

export const BulkChanges = t.shape('ParticipantUpdates', { updates: t.list(BulkChange, BATCH, 1) })

const reasonText = t.withDescription('The reason, which the audit trail keeps', t.text(1, 500))
export const Deletion = t.shape('ParticipantDeletion', { reason: reasonText })
export const BulkDeletion = t.shape('ParticipantsDeletion', {
  participants: t.list(t.id(), BATCH, 1),
  reason: reasonText,
})

const on = (description: string) => t.maybe(t.withDescription(description, t.flag()))

const groupIds = t.text(24, 5000, { problem: reason('notGroupIds') })

/** The filters of the list. */
const filters = {
  term: t.maybe(
    t.personal(t.withDescription('Matches anywhere in the participant ID, ignoring case', t.textWithSpaces(1, 50))),
  ),
  site: t.maybe(t.id()),
  groupsInclude: t.maybe(t.withDescription('Comma-separated: in any of these groups', groupIds)),
  groupsExclude: t.maybe(t.withDescription('Comma-separated: in none of these groups', groupIds)),
  groupsIncludeNone: on('Only those in no group; together with groupsInclude, also those in no group'),
  groupsExcludeNone: on('Only those in at least one group'),
  includeArchived: on('Also archived participants'),
  scheduleBehind: on('Behind schedule. Of this and each following pair: both or neither set does not filter'),
  scheduleOnSchedule: on('On schedule'),
  allocationAllocated: on('Allocated'),
  allocationUnallocated: on('Unallocated'),
  joinedJoined: on('Have signed in to the app'),
  joinedNotJoined: on('Have never signed in to the app'),
  withdrawnWithdrawn: on('Withdrawn'),
  withdrawnNotWithdrawn: on('Not withdrawn'),
  unread: on('Have written something that nobody has read'),
}

/** The filters of the list as an object, for other operations on the participants whom they find. */
export const ListFilter = t.shape('ParticipantFilter', filters)

/** See docs/participants.md, "Fields and permissions". */
export const ListQuery = t.shape({
  page: t.maybe(t.whole(1, 1_000_000_000)),
  sort: t.maybe(
    t.withDescription(
      'hasUnreadMessages, with sortOrder=desc: first those with unread messages, who wrote last first',
      t.oneOf('createdAt', 'id', 'lastSeenAt', 'ratioComplete', 'hasUnreadMessages'),
    ),
  ),
  sortOrder: t.maybe(t.oneOf('asc', 'desc')),
  ...filters,
  format: t.maybe(
    t.withDescription('csv: the whole filtered list as `{csv}`, ignoring paging', t.oneOf('json', 'csv')),
  ),
})

export const ParticipantPage = t.shape('ParticipantPage', {
  participants: t.list(Participant),
  total: t.whole(0),
  nextPageAvailable: t.flag(),
  prevPageAvailable: t.flag(),
})

/** The whole list. */
export const ParticipantCsv = t.shape('ParticipantCsv', { csv: t.text(0, Number.MAX_SAFE_INTEGER) })

/** See docs/participants.md, "Links". */
export const GrantRequest = t.shape('GrantRequest', {
  expiresInDays: t.maybe(t.withDescription('Days it is valid; the default is 7', t.whole(1, 365))),
  sendVia: t.maybe(
    t.withDescription('Also sends the link to the participant by these channels', t.list(t.oneOf(...channels), 4)),
  ),
})
export const Grant = t.shape('Grant', { url: t.orNull(t.text(1, 1000)), expiresAt: t.orNull(t.instant()) })
