/** Grants the permissions that show arms, in a trial whose admins are blinded (docs/permissions.md, "Blinded administrators"). */
import { armKeys, keyOf } from '#access/keys'
import { scopeKind } from '#access/store'
import { trialAdmins } from '#accounts/teams/adminStore'
import { hasPassword, isSamePerson } from '#accounts/users/store'
import type { Db } from '#db/open'
import { writerOf } from '#design/trials/notices'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import { operation } from '#http/operation'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { at, reason } from '#kernel/refusals/reason'
import type { Instant } from '#kernel/time'
import { mailUsers } from '#outbox/messages'
import { replaceGrants, unblindingRecipientsOf } from './grantStore'
import { Person, UnblindingInput } from './model'
import type { Person as PersonRow } from './peopleStore'
import { normalizePermissions } from './rules'
import { person } from './scope'

/** Refuses (422) other permissions than those that show arms, and the key to all arms on a part of the trial, where it shows nothing. */
function requireArmWords(permissions: Record<Id, string[]>, trial: Id): void {
  const problems = Object.entries(permissions).flatMap(([scope, words]) =>
    words.flatMap((word) => {
      const key = keyOf(word)
      if (!key || !armKeys.includes(key)) return [at(scope, reason('notGrantedHere', { word }))]
      return key === 'readRandomisation' && scope !== trial ? [at(scope, reason('onlyOnWholeTrial', { word }))] : []
    }),
  )
  if (problems.length) throw refuse.invalid({ unblindingPermissions: problems })
}

/** Refuses (400) somebody who could not use what is granted, or whose account another person could still set up. */
function requireUsable(db: Db, { _id, name, isDisabled, permissions, roles, teamPermissions }: PersonRow): void {
  const isOfTrial = Object.keys(permissions).length || roles.length || teamPermissions.includes('trials.manage')
  if (!isOfTrial && !teamPermissions.includes('team.admin')) throw refuse.bad('personWithoutPermission', { name })
  if (isDisabled) throw refuse.bad('personDisabled', { name })
  if (!hasPassword(db, _id)) throw refuse.bad('personNotSetUp', { name })
}

const addedWords = (before: Record<Id, string[]>, after: Record<Id, string[]>): string[] =>
  Object.entries(after).flatMap(([scope, words]) => words.filter((word) => !before[scope]?.includes(word)))

type GrantContext = { db: Db; now: Instant; trial: Trial; caller: { user: { name: string } }; person: PersonRow }

/** Tells the people named by the randomisations, and the admins of the trial. */
function mailGrant({ db, now, trial, caller, person }: GrantContext, words: readonly string[], reason: string): void {
  const people = new Set([
    ...unblindingRecipientsOf(db, trial._id),
    ...trialAdmins(db, trial._id).map(({ _id }) => _id),
  ])
  mailUsers(db, now, trial._id, [...people], (language) => {
    const { write } = writerOf(trial, language)
    const about = { user: caller.user.name, person: `${person.name} <${person.email}>`, permissions: words.join(', ') }
    return {
      subject: write('unblindingGranted.subject', { trial: trial.name }),
      body: write('unblindingGranted.body', { trial: trial.name, ...about, reason }),
    }
  })
}

const setUnblinding = operation({
  id: 'setUnblindingPermissions',
  method: 'PUT',
  path: '/trials/:trialId/users/:userId/unblinding-permissions',
  summary: 'Grant a person the permissions that show arms',
  description:
    'In a trial with `blindsAdmins`: `trial.readRandomisation` on the trial, `unblindParticipants` on the trial, its sites or groups. Replaces what was granted before. Nobody grants them to themselves. The people whom the randomisations name to be told of unblindings and the admins of the trial get an e-mail.',
  scope: person,
  needs: 'trial.admin',
  fresh: true,
  logs: 'setUnblindingPermissions',
  body: UnblindingInput,
  returns: Person,
  run: (context) => {
    const { db, now, caller, trial, person, body, record } = context
    if (!settingsOf(trial).blindsAdmins) throw refuse.bad('adminsNotBlinded')
    const after = normalizePermissions(body.unblindingPermissions, (scope) => scopeKind(db, trial._id, scope), {
      field: 'unblindingPermissions',
    })
    requireArmWords(after, trial._id)
    const before = person.unblindingPermissions ?? {}
    const words = addedWords(before, after)
    if (words.length && isSamePerson(db, person._id, caller.user)) throw refuse.forbidden('grantsToOneself')
    if (words.length) requireUsable(db, person)
    replaceGrants(db, person._id, trial._id, after, {
      grantedBy: caller.user._id,
      createdAt: now,
      reason: body.reason,
    })
    if (words.length) mailGrant(context, words, body.reason)
    record({ event: { user: person._id, before, after, reason: body.reason } })
    return { ...person, unblindingPermissions: after }
  },
})

export const unblindingOperations = [setUnblinding] as const
