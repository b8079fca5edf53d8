/** Whom and what a person may see by the keys that they have on a trial, its sites and its groups. */
import { describe, expect, test } from 'bun:test'
import { withoutConcealed } from '#access/armConcealment'
import {
  type Access,
  type Caller,
  holds,
  holdsAnywhere,
  isInScope,
  noPlaces,
  type Places,
  type Staff,
  scopeOf,
  type VisibleScope,
  visibleScopeOf,
} from '#access/caller'
import { readerIn, readerOf } from '#access/fileReaders'
import { requireFreshConfirmation } from '#access/freshConfirmation'
import { permissionsNow, requireStillPermitted } from '#access/heldPermissions'
import { createIdentify } from '#access/identify'
import { withKeyLimits } from '#access/keyLimits'
import { type Key, keyOf, keysOf, teamKeysOf } from '#access/keys'
import { groupScopeOf, placeVisibleTo, wholeSiteVisibleTo } from '#access/places'
import { Problem, refuse } from '#kernel/problem'
import { MINUTE, SECOND } from '#kernel/time'
import { world } from '../harness'

const KINDS = { s: 'site', g: 'group' } as const
/** Keys on the trial, and by place: the first letter says whether it is a site or a group. */
const access = (trial: Key[], places: Record<string, Key[]> = {}): Access => ({
  trial: new Set(trial),
  places: new Map(
    Object.entries(places).map(([_id, keys]) => [_id, { kind: KINDS[_id[0] as 's' | 'g'], keys: new Set(keys) }]),
  ),
})
const at = (...ids: string[]): Places => ({
  sites: ids.filter((_id) => _id.startsWith('s')),
  groups: ids.filter((_id) => _id.startsWith('g')),
})

test.each<[string, Access, Places, boolean, boolean]>([
  ['on the trial', access(['support']), noPlaces, true, true],
  ['another key on the trial', access(['readTasks']), at('s1'), false, false],
  ['on one of its sites', access([], { s1: ['support'] }), at('s2', 's1'), true, true],
  ['on one of its groups', access([], { g1: ['support'] }), at('s2', 'g2', 'g1'), true, true],
  ['on another site', access([], { s1: ['support'] }), at('s2', 'g1'), false, true],
  ['another key on its site', access([], { s1: ['readTasks'] }), at('s1'), false, false],
  ['on a site, of what has no places', access([], { s1: ['support'] }), noPlaces, false, true],
])('a key %s', (_, held, places, here, anywhere) => {
  expect([holds(held, 'support', places), holdsAnywhere(held, 'support')]).toEqual([here, anywhere])
})

test.each<[string, Access, VisibleScope]>([
  ['any of the keys on the trial', access(['support'], { s1: ['readTasks'] }), 'all'],
  ['each of them on a place', access([], { s1: ['support'], g1: ['readTasks'], s2: ['readFiles'] }), at('s1', 'g1')],
  ['neither', access(['readFiles'], { s1: ['readFiles'] }), noPlaces],
])('participants by two keys: %s', (_, held, scope) => {
  expect(scopeOf(held, ['support', 'readTasks'])).toEqual(scope)
})

test.each<[string, Access, VisibleScope]>([
  ['a key on participants of the whole trial', access(['readParticipants'], { s1: ['readParticipants'] }), 'all'],
  [
    'on a site: not those of another where tasks are read',
    access([], { s1: ['support'], s2: ['readTasks'] }),
    at('s1'),
  ],
  [
    'on a group: not those of a site where tasks are read',
    access([], { g1: ['support'], s1: ['readTasks'] }),
    at('g1'),
  ],
  ['on a site, and another key on the trial', access(['readTasks'], { s1: ['support'] }), at('s1')],
  ['on a site, and memberships of another', access([], { s1: ['support'], s2: ['writeSites'] }), at('s1')],
  ['memberships of a site, and another key on the trial', access(['readTasks'], { s1: ['writeSites'] }), at('s1')],
  ['no key on participants, but another on the trial', access(['readTasks'], { s1: ['readTasks'] }), 'all'],
  ['no key on participants, nor on the trial', access([], { s1: ['readTasks'], g1: ['readFiles'] }), at('s1', 'g1')],
])('the participants that a person sees: %s', (_, held, scope) => {
  expect(visibleScopeOf(held)).toEqual(scope)
})

test.each<[string, VisibleScope, Places, boolean]>([
  ['all', 'all', noPlaces, true],
  ['one of its sites', at('s1', 'g1'), at('s2', 's1'), true],
  ['one of its groups', at('s1', 'g1'), at('s2', 'g2', 'g1'), true],
  ['other places', at('s1', 'g1'), at('s2', 'g2'), false],
  ['no places', at('s1', 'g1'), noPlaces, false],
])('a participant is in a scope: %s', (_, scope, places, isIn) => expect(isInScope(scope, places)).toBe(isIn))

test.each<[string, Access, VisibleScope, string]>([
  ['on the trial', access(['readTasks']), 'all', 's1 s2 g1 g2'],
  ['on the trial and a group', access(['readTasks'], { g1: ['support'] }), 'all', 's1 s2 g1 g2'],
  ['on a site', access([], { s1: ['support'] }), 'all', 's1 g1 g2'],
  ['on a group', access([], { g1: ['support'] }), at('g1'), 'g1'],
  ['on a site and a group', access([], { s2: ['support'], g2: ['support'] }), at('g2'), 's2 g2'],
])('the sites and groups that a person with a key %s sees', (_, held, groups, visible) => {
  expect(groupScopeOf(held)).toEqual(groups)
  const seen = ['s1', 's2', 'g1', 'g2'].filter((_id) => placeVisibleTo(held, KINDS[_id[0] as 's' | 'g'], _id))
  expect(seen.join(' ')).toBe(visible)
})

test('numbers about a whole site are for those who see all of its participants', () => {
  const [whole, part, other] = [['s1'], ['g1'], ['s2']].map(([place]) => access([], { [place!]: ['support'] }))
  expect([access(['support']), whole!, part!, other!].map((held) => wholeSiteVisibleTo(held, 's1'))).toEqual([
    ...[true, true, false, false],
  ])
})

test.each([
  ['trial.support', 'support'],
  ['site.support', 'support'],
  ['group.support', 'support'],
  ['team.support', undefined],
  ['trial.supports', undefined],
  ['trial.constructor', undefined],
  ['trial', undefined],
])('the key of the word %s is %p', (word, key) => {
  expect(keyOf(word)).toBe(key as Key | undefined)
  expect(keysOf([word]).size > 0).toBe(key !== undefined)
})

test('words that are no permission on a team give none', () => {
  expect([...teamKeysOf(['trials.create', 'trial.admin', 'x'])]).toEqual(['trials.create'])
  expect([...teamKeysOf(['team.admin'])].sort()).toEqual(['team.admin', 'trials.create', 'trials.manage'])
})

describe('who continues long work', () => {
  const nurse = access(['readTasks'], { s1: ['support', 'readFiles'] })
  test.each<[string, Partial<Parameters<typeof requireStillPermitted>[1]>, boolean]>([
    ['with the same permissions', { access: nurse }, true],
    ['with equal ones', { access: access(['readTasks'], { s1: ['readFiles', 'support'] }) }, true],
    ['with more', { access: access(['readTasks', 'readSites'], { s1: ['support', 'readFiles'] }) }, true],
    ['with a key of the site on the trial', { access: access(['readTasks', 'support'], { s1: ['readFiles'] }) }, true],
    ['without the key on the trial', { access: access([], { s1: ['support', 'readFiles'] }) }, false],
    ['without one of the keys on the site', { access: access(['readTasks'], { s1: ['readFiles'] }) }, false],
    ['without the site', { access: access(['readTasks']) }, false],
    ['without any access', {}, false],
  ])('%s', (_, now, may) => {
    const check = () => requireStillPermitted(permissionsNow(nurse), now)
    if (may) check()
    else expect(check).toThrow(refuse.forbidden('permissionsChanged'))
  })

  test.each<[string, Places, Places, boolean]>([
    ['where they have keys', at('s1'), at('s1'), true],
    ['where they have the same keys', at('s1'), at('s2', 's3'), true],
    ['where they have no keys', at('s1'), at('s2'), false],
    ['where they had no keys either', at('s2'), at('s9'), true],
    ['nowhere', at('s1', 's2'), noPlaces, false],
  ])('with a participant who is now %s', (_, before, after, may) => {
    const held = access([], { s1: ['support'], s3: ['support', 'readFiles'] })
    const check = () => requireStillPermitted(permissionsNow(held, before), { access: held, places: after })
    if (may) check()
    else expect(check).toThrow(refuse.forbidden('permissionsChanged'))
  })
})

const [user, apiKey] = ['a'.repeat(24), 'b'.repeat(24)]
const staff = (via: Staff['via']): Staff => ({
  kind: 'staff',
  user: { _id: user, name: '', email: '' },
  via,
  expiresAt: null,
  teams: new Map(),
  trials: new Map(),
})
const session = (confirmedAt: number | null) => staff({ session: 'x', csrfToken: 'x', confirmedAt })
const withKey = (trials: string[] | null) =>
  staff({ apiKey, limits: { isReadOnly: false, trials: trials && new Set(trials) } })
const participant: Caller = { kind: 'participant', participant: 'p', trial: 't', token: 'x' }

test.each<[string, Caller, string, ReturnType<typeof readerIn>]>([
  ['session', session(null), user, { user, apiToken: null }],
  ['key', withKey(null), `${user}.${apiKey}`, { user, apiToken: apiKey }],
  ['participant', participant, 'own', 'own'],
])('a link to a file names the reader: %s', (_, caller, text, reader) => {
  expect(readerOf(caller)).toBe(text)
  expect(readerIn(text)).toEqual(reader)
})

test.each([undefined, '', 'a', `${user}.`, `x${user}`, `${user}.${apiKey}.`])('%p names no reader', (text) => {
  expect(readerIn(text)).toBeUndefined()
})

test.each<[string, Staff, boolean]>([
  ['just now', session(5 * MINUTE), true],
  ['almost five minutes ago', session(1), true],
  ['five minutes ago', session(0), false],
  ['never', session(null), false],
  ['with a key, which cannot', withKey(null), false],
])('an identity confirmed %s', (_, caller, isFresh) => {
  const check = () => requireFreshConfirmation(caller, 5 * MINUTE)
  if (isFresh) check()
  else expect(check).toThrow(refuse.reauth())
})

test.each<[string, Problem, Caller, boolean]>([
  ['what is missing, to a limited key', refuse.missing('trial'), withKey(['t']), true],
  ['what is missing, to a key without limits', refuse.missing('trial'), withKey(null), false],
  ['what is missing, to a session', refuse.missing('trial'), session(null), false],
  ['what is missing, to a participant', refuse.missing('trial'), participant, false],
  ['a permission, to a limited key', new Problem(403, { message: 'x', details: { needs: [] } }), withKey([]), true],
  ['another 403, to a limited key', refuse.reauth(), withKey(['t']), false],
  ['a fault of the request', new Problem(400, { message: 'x', details: { needs: [] } }), withKey(['t']), false],
])('the limits of a key are named as a reason for %s', (_, refusal, caller, isNamed) => {
  const { body, status } = withKeyLimits(refusal, caller)
  expect(status).toBe(refusal.status)
  expect([body.details?.keyLimit, body.message !== refusal.body.message]).toEqual([
    isNamed ? 'trials' : undefined,
    isNamed,
  ])
})

const secret = 'c'.repeat(24)
test.each<[unknown, unknown]>([
  ['to be kept', 'to be kept'],
  [`group ${secret}`, undefined],
  [`group ${user}`, `group ${user}`],
  [
    [1, secret, null, { a: `${secret}.x` }],
    [1, null],
  ],
  [
    [undefined, 2],
    [undefined, 2],
  ],
  [{ name: 'Verum', _id: secret }, undefined],
  [{ name: 'x', arm: { name: 'Verum', _id: secret } }, { name: 'x' }],
  [{ [secret]: ['trial.read'], [user]: [secret] }, { [user]: [] }],
  [null, null],
])('%j without a concealed arm', (value, shown) => {
  expect(withoutConcealed(value, new Set([secret]))).toEqual(shown)
})

test('the last use of a credential is stored once a minute, on a shared device every five seconds', () => {
  const { claimLastSeenUpdate } = createIdentify(world().db)
  const claims = (caller: Caller, ...times: number[]) => times.map((time) => claimLastSeenUpdate(caller, time))
  const seconds = [60, 119.9, 120, 120.1, 180].map((second) => second * SECOND)
  expect(claims(session(null), ...seconds)).toEqual([true, false, true, false, true])
  expect(claims(withKey(null), ...seconds)).toEqual([true, false, true, false, true])
  expect(claims({ ...participant, token: 'y', device: 'd' }, 60 * SECOND, 64.9 * SECOND, 65 * SECOND)).toEqual([
    true,
    false,
    true,
  ])
  expect(claims({ kind: 'nobody' }, 60 * SECOND)).toEqual([false])
})
