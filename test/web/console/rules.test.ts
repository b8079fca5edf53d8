/** What addresses of the console mean: pages, filters and orders. */
import { expect, test } from 'bun:test'
import { filtersOf, listQuery } from '#web/console/areas/participants/filters'
import { addressOf } from '#web/console/data/request'
import { fits } from '#web/console/parts/fits'
import { matchPath } from '#web/console/shell/matchPath'

test.each<[pattern: string, path: string, found: Record<string, string> | undefined]>([
  ['/console', '/console', {}],
  ['/console', '/console/SR-24', undefined],
  ['/console/:study/participants', '/console/SR-24/participants', { study: 'SR-24' }],
  ['/console/:study/participants', '/console/SR%2F24/participants', { study: 'SR/24' }],
  ['/console/:study/participants', '/console//participants', undefined],
  ['/console/:study/participants', '/console/%ff/participants', undefined],
  ['/console/:study/participants/:id/:tab?', '/console/a/participants/b', { study: 'a', id: 'b' }],
  ['/console/:study/participants/:id/:tab?', '/console/a/participants/b/notes', { study: 'a', id: 'b', tab: 'notes' }],
  ['/console/:study/participants/:id/:tab?', '/console/a/participants/b/notes/c', undefined],
  ['/console/:study/participants/:id/:tab?', '/console/a/participants', undefined],
])('%s at %s', (pattern, path, found) => {
  expect(matchPath(pattern, path)).toEqual(found)
})

const SITE = 'a'.repeat(24)

test.each<[search: string, query: object]>([
  ['', {}],
  [`f.site=${SITE}&f.schedule=behind`, { site: SITE, scheduleBehind: true }],
  ['f.group=none&f.status=taking', { groupsIncludeNone: true, withdrawnNotWithdrawn: true }],
  [`f.group=${SITE}&f.archived=yes&f.unread=yes`, { groupsInclude: SITE, includeArchived: true, unread: true }],
  // What an address cannot mean narrows nothing, and no chip says that it does.
  ['f.site=Harbour&f.schedule=constructor&f.unread=maybe&f.name=Anna', {}],
])('the filters %s', (search, query) => {
  expect(listQuery(filtersOf(new URLSearchParams(search)))).toEqual(query)
})

test.each<[typed: string, of: string, label: string, isFit: boolean]>([
  ['', 'Site', 'Harbour', true],
  ['si har', 'Site', 'Harbour', true],
  ['har si', 'Site', 'Harbour', true],
  ['arb', 'Site', 'Harbour', false],
  ['site north', 'Site', 'Harbour', false],
])('%p finds %s %s: %p', (typed, of, label, isFit) => {
  expect(fits(typed, { id: '', of, label })).toBe(isFit)
})

test('an address has its parameters in their places, and nothing of a query that is undefined', () => {
  expect(addressOf('/trials/:trialId/participants/:participantId', ['a', 'b/c'])).toBe('/trials/a/participants/b%2Fc')
  expect(addressOf('/trials/:trialId/queries', ['a'], { page: 2, status: undefined, term: 'ü&' })).toBe(
    '/trials/a/queries?page=2&term=%C3%BC%26',
  )
})
