/** The filters of the list of participants: in the address, in words, and as the server takes them. */

import type { Study } from '#web/console/data/study'
import type { QueryOf } from '#web/kit/api/operations'
import type { participants } from './texts'

type Translator = ReturnType<typeof participants.useTranslator>
type ListQuery = NonNullable<QueryOf<'listParticipants'>>

/** What can be chosen of a field, besides sites and groups, with what the server takes. */
const choices = {
  schedule: { behind: { scheduleBehind: true }, onSchedule: { scheduleOnSchedule: true } },
  unread: { yes: { unread: true } },
  status: { taking: { withdrawnNotWithdrawn: true }, withdrawn: { withdrawnWithdrawn: true } },
  joined: { yes: { joinedJoined: true }, no: { joinedNotJoined: true } },
  arm: { allocated: { allocationAllocated: true }, unallocated: { allocationUnallocated: true } },
  archived: { yes: { includeArchived: true } },
} as const satisfies Record<string, Record<string, ListQuery>>

type ChoiceField = keyof typeof choices
export type FilterField = ChoiceField | 'site' | 'group'
export type Filter = { field: FilterField; value: string }

const fields: readonly FilterField[] = ['site', 'group', 'schedule', 'unread', 'status', 'joined', 'arm', 'archived']

const isChoice = (field: FilterField): field is ChoiceField => Object.hasOwn(choices, field)
const choicesOf = (field: ChoiceField): Readonly<Record<string, ListQuery>> => choices[field]

/** The filters that an address has. What it cannot mean is left out. */
export const filtersOf = (query: URLSearchParams): readonly Filter[] =>
  fields.flatMap((field): Filter[] => {
    const value = query.get(`f.${field}`)
    if (!value) return []
    const isKnown = isChoice(field) ? Object.hasOwn(choicesOf(field), value) : /^[0-9a-f]{24}$|^none$/.test(value)
    return isKnown ? [{ field, value }] : []
  })

/** What the server is asked with these filters. */
export function listQuery(filters: readonly Filter[]): ListQuery {
  const query: ListQuery = {}
  for (const { field, value } of filters)
    if (isChoice(field)) Object.assign(query, choicesOf(field)[value])
    else if (field === 'site') query.site = value
    else if (value === 'none') query.groupsIncludeNone = true
    else query.groupsInclude = value
  return query
}

/** The words of fields and their values. */
const words = {
  site: 'filter.site',
  group: 'filter.group',
  schedule: 'filter.schedule',
  'schedule.behind': 'filter.behind',
  'schedule.onSchedule': 'filter.onSchedule',
  unread: 'filter.unread',
  'unread.yes': 'filter.unreadYes',
  status: 'filter.status',
  'status.taking': 'filter.taking',
  'status.withdrawn': 'filter.withdrawn',
  joined: 'filter.app',
  'joined.yes': 'filter.joined',
  'joined.no': 'filter.notJoined',
  arm: 'filter.arm',
  'arm.allocated': 'filter.allocated',
  'arm.unallocated': 'filter.unallocated',
  archived: 'filter.archived',
  'archived.yes': 'filter.archivedYes',
} as const

/** A filter in words: its field, and its value. A place that the person may not see has no name. */
export function filterWords({ t }: Translator, study: Study, { field, value }: Filter): { of: string; label: string } {
  const of = t(words[field])
  if (isChoice(field)) return { of, label: t(words[`${field}.${value}` as keyof typeof words]) }
  if (value === 'none') return { of, label: t('filter.noGroup') }
  const list: readonly { _id: string; name: string }[] = field === 'site' ? study.sites : study.groups
  return { of, label: list.find(({ _id }) => _id === value)?.name ?? t('filter.unknown') }
}

/** All filters that somebody can choose in this study. */
export const filtersIn = ({ sites, groups }: Study): readonly Filter[] => [
  ...sites.map(({ _id }): Filter => ({ field: 'site', value: _id })),
  ...groups.map(({ _id }): Filter => ({ field: 'group', value: _id })),
  ...(groups.length ? [{ field: 'group', value: 'none' } as const] : []),
  ...fields.filter(isChoice).flatMap((field) => Object.keys(choices[field]).map((value): Filter => ({ field, value }))),
]
