import { reason } from '#kernel/refusals/reason'
import { channels } from '#outbox/status'
import {
  day,
  email,
  flag,
  id,
  instant,
  language,
  list,
  maybe,
  number,
  oneLine,
  oneOf,
  orNull,
  personal,
  shape,
  text,
  textWithSpaces,
  whole,
  withDescription,
  zone,
} from '#wire/schema'

const own = (description: string) => maybe(personal(withDescription(description, orNull(text(0, 200)))))

/** See docs/participants.md, "Fields and permissions". */
export const Participant = shape('Participant', {
  _id: id(),
  id: withDescription('The participant ID that the study gave', oneLine(1, 50)),
  createdAt: instant(),
  lastSeenAt: orNull(instant()),
  groups: list(id()),
  sites: list(id()),
  isUnallocated: flag(),
  allocatedReason: orNull(text(0, 1000)),
  isArchived: flag(),
  isWithdrawn: flag(),
  hasUnreadMessages: flag(),
  unreadCount: withDescription('How many messages of the participant nobody in the team has read', whole(0)),
  erasedAt: withDescription('When their personal information was erased', orNull(instant())),
  progress: shape({ ratioComplete: number(0, 1), stagesBehindSchedule: whole(0) }),
  passwordSet: flag(),
  pushAvailable: flag(),
  emailAvailable: flag(),
  smsAvailable: flag(),
  whatsappAvailable: flag(),
  timezone: orNull(zone()),
  language: withDescription('Of messages to them; null for that of the trial', orNull(language())),
  name: own('This field and the four below need the permission to see personal information'),
  dob: maybe(personal(orNull(day()))),
  email: own('E-mail address'),
  phone: own('Telephone number with its country code'),
  whatsapp: own('WhatsApp number with its country code'),
})

/** The registration of one participant. */
export const Registration = shape('Registration', {
  participantId: withDescription('Unique in the trial, ignoring case', oneLine(1, 50)),
  password: maybe(
    withDescription('Omit it for participants who join by a link or with their consent', textWithSpaces(1, 200)),
  ),
  groups: maybe(list(id(), 1000)),
  group: maybe(withDescription('Short for `groups` with one group', id())),
  isUnallocated: maybe(flag()),
  language: maybe(withDescription('Of messages to them', orNull(language()))),
})

/** The most participants in one request. */
const BATCH = 5_000

export const Registrations = shape('Registrations', { participants: list(Registration, BATCH, 1) })

/** The body of PUT (docs/participants.md, "Fields and permissions"); null clears a field. */
export const ParticipantChange = shape('ParticipantChange', {
  id: maybe(oneLine(1, 50)),
  password: maybe(withDescription('Empty text removes it', orNull(text(0, 200)))),
  name: maybe(orNull(oneLine(0, 200))),
  email: maybe(orNull(email())),
  phone: maybe(orNull(text(1, 40))),
  whatsapp: maybe(orNull(text(1, 40))),
  dob: maybe(orNull(day())),
  timezone: maybe(orNull(zone())),
  language: maybe(orNull(language())),
  isUnallocated: maybe(flag()),
  allocatedReason: maybe(orNull(text(0, 1000))),
  isArchived: maybe(flag()),
  isWithdrawn: maybe(flag()),
})

/** One entry of the bulk PATCH. `groups` and `sites` replace the memberships. */
export const BulkChange = shape('ParticipantUpdate', {
  participant: id(),
  groups: maybe(list(id(), 1000)),
  sites: maybe(list(id(), 1000)),
  isArchived: maybe(flag()),
  isWithdrawn: maybe(flag()),
})

export const BulkChanges = shape('ParticipantUpdates', { updates: list(BulkChange, BATCH, 1) })

const reasonText = withDescription('The reason, which the audit trail keeps', text(1, 500))
export const Deletion = shape('ParticipantDeletion', { reason: reasonText })
export const BulkDeletion = shape('ParticipantsDeletion', { participants: list(id(), BATCH, 1), reason: reasonText })

const on = (description: string) => maybe(withDescription(description, flag()))

const groupIds = text(24, 5000, { problem: reason('notGroupIds') })

/** The filters of the list. */
const filters = {
  term: maybe(
    personal(withDescription('Matches anywhere in the participant ID, ignoring case', textWithSpaces(1, 50))),
  ),
  site: maybe(id()),
  groupsInclude: maybe(withDescription('Comma-separated: in any of these groups', groupIds)),
  groupsExclude: maybe(withDescription('Comma-separated: in none of these groups', groupIds)),
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
export const ListFilter = shape('ParticipantFilter', filters)

/** See docs/participants.md, "Fields and permissions". */
export const ListQuery = shape({
  page: maybe(whole(1, 1_000_000_000)),
  sort: maybe(
    withDescription(
      'hasUnreadMessages, with sortOrder=desc: first those with unread messages, who wrote last first',
      oneOf('createdAt', 'id', 'lastSeenAt', 'ratioComplete', 'hasUnreadMessages'),
    ),
  ),
  sortOrder: maybe(oneOf('asc', 'desc')),
  ...filters,
  format: maybe(withDescription('csv: the whole filtered list as `{csv}`, ignoring paging', oneOf('json', 'csv'))),
})

export const ParticipantPage = shape('ParticipantPage', {
  participants: list(Participant),
  total: whole(0),
  nextPageAvailable: flag(),
  prevPageAvailable: flag(),
})

/** The whole list. */
export const ParticipantCsv = shape('ParticipantCsv', { csv: text(0, Number.MAX_SAFE_INTEGER) })

/** See docs/participants.md, "Links". */
export const GrantRequest = shape('GrantRequest', {
  expiresInDays: maybe(withDescription('Days it is valid; the default is 7', whole(1, 365))),
  sendVia: maybe(
    withDescription('Also sends the link to the participant by these channels', list(oneOf(...channels), 4)),
  ),
})
export const Grant = shape('Grant', { url: orNull(text(1, 1000)), expiresAt: orNull(instant()) })
