/** The rule of who may perform an operation. */
import { expect, test } from 'bun:test'
import type { Access } from '#access/caller'
import type { Key, TeamKey } from '#access/keys'
import { anywhere, type Held, lockAgainst, missingPermissions, type Rule } from '#access/rule'

const on = (keys: Key[], site: Key[] = []): Access => ({
  trial: new Set(keys),
  places: new Map([['s1', { kind: 'site', keys: new Set(site) }]]),
})
const inTeam = (...keys: TeamKey[]): Held => ({ team: new Set(keys) })
const places = { sites: ['s2'], groups: [] }
const either: Rule = { needs: ['trial.support', 'trial.writeTasks'] }
const byField: Rule = { needs: 'trial.support', needsByField: { note: 'trial.writeTasks', code: 'nothing' } }

test.each<[string, Rule, Held, string[], string[]]>([
  ['nothing is needed', { needs: 'nothing' }, {}, [], []],
  ['on the trial', { needs: 'trial.support' }, { access: on(['support']) }, [], []],
  ['another on the trial', { needs: 'trial.support' }, { access: on(['writeTasks']) }, [], ['trial.support']],
  ['no access to the trial', { needs: 'trial.support' }, {}, [], ['trial.support']],
  ['on another site', { needs: 'trial.support' }, { access: on([], ['support']), places }, [], ['trial.support']],
  ['anywhere', { needs: anywhere('trial.support') }, { access: on([], ['support']), places }, [], []],
  ['anywhere, nowhere held', { needs: anywhere('trial.support') }, { access: on([]) }, [], ['trial.support']],
  ['the second of two', either, { access: on(['writeTasks']) }, [], []],
  ['neither of two', either, { access: on(['readFiles']) }, [], ['trial.support', 'trial.writeTasks']],
  ['in the team', { needs: 'team.admin' }, inTeam('team.admin'), [], []],
  ['another in the team', { needs: 'team.admin' }, inTeam('trials.create'), [], ['team.admin']],
  ['in no team', { needs: 'team.admin' }, { access: on(['admin']) }, [], ['team.admin']],
  ['a field that is not sent', byField, { access: on(['support']) }, [], []],
  ['a field that anybody may send', byField, { access: on(['support']) }, ['code'], []],
  ['a field with a permission of its own', byField, { access: on(['support']) }, ['note'], ['trial.writeTasks']],
  ['that, held', byField, { access: on(['support', 'writeTasks']) }, ['note', 'code'], []],
])('who lacks a permission: %s', (_, rule, held, sent, missing) => {
  expect(missingPermissions(rule, held, (field) => sent.includes(field))).toEqual(missing as never)
})

test.each([
  ['configuration', 'configuration', undefined],
  ['data', undefined, 'data'],
  [undefined, undefined, undefined],
] as const)('the locks against an operation that changes %p', (changes, ofConfiguration, ofData) => {
  const lock = (isLocked: boolean, isDatabaseLocked: boolean) =>
    lockAgainst({ changes }, { isLocked, isDatabaseLocked })
  expect(lock(true, false)).toBe(ofConfiguration)
  expect(lock(false, true)).toBe(ofData)
  expect(lock(true, true)).toBe(changes)
  expect([lock(false, false), lockAgainst({ changes }, undefined)]).toEqual([undefined, undefined])
})
