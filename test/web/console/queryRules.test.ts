/** What the page of queries knows by itself: who may do what, filters in the address, ages. */
import { expect, test } from 'bun:test'
import { keysOf } from '#access/keys'
import { filtersIn, requestOf, searchOf } from '#web/console/areas/queries/filters'
import { formName } from '#web/console/areas/queries/formName'
import { daysOpen, isOld, mayRaise, queryActs, turnOf } from '#web/console/parts/queries/queryActs'
import type { Place } from '#web/kit/may'

const [ME, OTHER] = ['a'.repeat(24), 'b'.repeat(24)]
const place = (words: string[], places = { sites: ['s'], groups: [] as string[] }, onSite: string[] = []): Place => ({
  access: {
    trial: keysOf(words.map((each) => `trial.${each}`)),
    places: new Map([['s', { kind: 'site', keys: keysOf(onSite.map((each) => `site.${each}`)) }]]),
  },
  places,
})
const query = (more: object = {}) => ({ status: 'open' as const, createdBy: OTHER, assignees: [] as string[], ...more })

test.each<[string, object, Place, [string, string, string]]>([
  ['a sponsor only reads', {}, place(['read']), ['never', 'never', 'never']],
  ['a nurse answers', {}, place(['read', 'writeParticipantStudyData']), ['possible', 'never', 'never']],
  [
    'a nurse answers at her site',
    {},
    place([], undefined, ['writeParticipantStudyData']),
    ['possible', 'never', 'never'],
  ],
  [
    'a nurse does not answer at another site',
    {},
    place([], { sites: ['other'], groups: [] }, ['writeParticipantStudyData']),
    ['never', 'never', 'never'],
  ],
  ['a monitor closes their own', { createdBy: ME }, place(['raiseQueries']), ['possible', 'possible', 'never']],
  ['a monitor leaves those of others alone', {}, place(['raiseQueries']), ['never', 'never', 'never']],
  ['an admin closes any', {}, place(['admin']), ['possible', 'possible', 'never']],
  [
    'an assignee closes one of a rule',
    { createdBy: null, assignees: [ME] },
    place(['writeParticipantStudyData']),
    ['possible', 'possible', 'never'],
  ],
  ['an assignee does not close one of a person', { assignees: [ME] }, place(['write']), ['possible', 'never', 'never']],
  ['one that is closed is opened again', { status: 'closed' }, place(['write']), ['closed', 'never', 'possible']],
])('what may be done with a query: %s', (_, more, where, [reply, close, reopen]) => {
  expect(queryActs(query(more), ME, where)).toEqual({ reply, close, reopen } as never)
})

test('a query is raised where the person may raise them, and no lock is in the way', () => {
  expect(mayRaise(place(['raiseQueries']))).toBe(true)
  expect(mayRaise(place(['read']))).toBe(false)
  expect(mayRaise(place([], { sites: ['other'], groups: [] }, ['raiseQueries']))).toBe(false)
  expect(mayRaise({ ...place(['raiseQueries']), locks: { isLocked: true, isDatabaseLocked: true } })).toBe(true)
})

test.each<[string, Record<string, string>, object, object]>([
  ['nothing is said', {}, {}, { status: 'open', page: 1, perPage: 50 }],
  [
    'everything is said',
    { view: 'answered', assignee: 'me', participant: OTHER, page: '3' },
    { view: 'answered', assignee: 'me', participant: OTHER, page: '3' },
    { status: 'answered', assignee: ME, participant: OTHER, page: 3, perPage: 50 },
  ],
  ['all of them', { view: 'all' }, { view: 'all' }, { page: 1, perPage: 50 }],
  [
    'something else is said',
    { view: 'x', assignee: 'x', participant: 'P-1', page: '-1' },
    {},
    { status: 'open', page: 1, perPage: 50 },
  ],
])('the filters of an address: %s', (_, search, again, request) => {
  const filters = filtersIn(search)
  const left = Object.fromEntries(Object.entries(searchOf(filters)).filter(([, value]) => value !== undefined))
  expect([left, requestOf(filters, ME)]).toEqual([again, request])
})

test('the turn is that of the site, then of who raised it; a query gets old unless it is closed', () => {
  expect((['open', 'answered', 'closed'] as const).map((status) => turnOf({ status }))).toEqual([
    'site',
    'raiser',
    undefined,
  ])
  const createdAt = '2026-03-01T12:00:00Z'
  const at = (days: number) => Date.parse(createdAt) + days * 86_400_000
  expect([0, 0.9, 6.9, 7].map((days) => daysOpen({ createdAt }, at(days)))).toEqual([0, 0, 6, 7])
  expect(isOld({ createdAt, status: 'open' }, at(7))).toBe(true)
  expect(isOld({ createdAt, status: 'open' }, at(6))).toBe(false)
  expect(isOld({ createdAt, status: 'closed' }, at(70))).toBe(false)
})

test.each<[string, Parameters<typeof formName>[0], number, string]>([
  ['a form by itself', { name: 'Baseline' }, 0, 'Baseline'],
  ['a recurring one', { name: 'Diary', isRecurring: true }, 2, 'Diary 3'],
  ['one with its number in the name', { name: 'Day %n', isRecurring: true }, 2, 'Day 3'],
  ['one with a name for each', { name: 'Diary', isRecurring: true, recurrenceNames: ['One', 'Two %n'] }, 1, 'Two 2'],
  ['one after several anchors', { name: 'Visit', anchorSchedule: [{}, {}] as never }, 1, 'Visit 2'],
  ['the first of several events', { name: 'Event', adHoc: true }, 0, 'Event'],
  ['the second event', { name: 'Event', adHoc: true }, 1, 'Event 2'],
  ['a form that is gone', undefined, 1, ''],
])('the name of an occurrence: %s', (_, stage, recurrence, name) => {
  expect(formName(stage, recurrence, (_key, { form, number }) => `${form} ${number}`)).toBe(name)
})
