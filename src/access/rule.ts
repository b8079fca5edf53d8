/** The rule of who may perform an operation: pure, so that the pipeline and the pages decide by the same lines. */
import { type Access, holds, holdsAnywhere, type Places } from './caller'
import { type Feature, isTeamKey, keyOf, type PermissionWord, type TeamKey } from './keys'

/** The kinds of callers. `session`: staff in the web app only, not with an API key. */
export type CallerKind = 'staff' | 'participant' | 'session' | 'anyone'

/**
 * A permission: a word such as `trial.write`, which the caller must have on the trial, or on a site or group of the thing
 * that the path names; `anywhere('trial.readParticipants')`, which the caller must have on the trial or on any of its sites
 * and groups (visibility then limits what the operation affects); or a team permission.
 */
export type Need = PermissionWord | TeamKey | { anywhere: PermissionWord }
/** See `Need`. */
export const anywhere = (word: PermissionWord): Need => ({ anywhere: word })

/** Any of these permissions; `'nothing'` if it is enough that the scope found the thing. */
export type Needs = 'nothing' | Need | readonly Need[]

/** The fields of an operation that decide who may perform it. */
export type Rule = {
  who?: CallerKind | readonly CallerKind[]
  needs: Needs
  needsByField?: Readonly<Record<string, PermissionWord | TeamKey | 'nothing'>>
  feature?: Feature
  changes?: 'configuration' | 'data'
  fresh?: boolean
}

/** Who may call it, as a list. */
export const callersOf = ({ who = 'staff' }: Pick<Rule, 'who'>): readonly CallerKind[] => [who].flat()

/** The permissions that an operation needs; any one of them is enough. */
export const needsOf = ({ needs }: Pick<Rule, 'needs'>): readonly Need[] => (needs === 'nothing' ? [] : [needs].flat())

/** The permission, without where it must be held. */
const permissionOf = (need: Need): PermissionWord | TeamKey => (typeof need === 'string' ? need : need.anywhere)

/** What a person may do, and where: on a trial and its places, and in a team. `places` are those of the thing that is acted on. */
export type Held = { access?: Access | undefined; places?: Places | undefined; team?: ReadonlySet<TeamKey> | undefined }

/** Whether a member of staff has the permission; `trial.admin` is enough for everything on a trial. */
function hasPermission({ access, places, team }: Held, need: Need): boolean {
  const word = permissionOf(need)
  if (isTeamKey(word)) return team?.has(word) === true
  const key = keyOf(word)
  if (!key || !access) return false
  return typeof need === 'string' ? holds(access, key, places) : holdsAnywhere(access, key)
}

/**
 * The permissions that a member of staff lacks for an operation: all of which any would do, or those of single fields. Empty if
 * nothing is missing.
 * @param isSent whether the request has a field
 */
export function missingPermissions(
  rule: Rule,
  held: Held,
  isSent: (field: string) => boolean,
): readonly (PermissionWord | TeamKey)[] {
  const needs = needsOf(rule)
  if (needs.length && !needs.some((need) => hasPermission(held, need))) return needs.map(permissionOf)
  const missing = Object.entries(rule.needsByField ?? {}).flatMap(([field, word]) =>
    isSent(field) && word !== 'nothing' && !hasPermission(held, word) ? [word] : [],
  )
  return [...new Set(missing)]
}

/** Which of its locks a trial has. */
export type Locks = { isLocked: boolean; isDatabaseLocked: boolean }

/** The lock that forbids an operation; undefined if none does. */
export function lockAgainst({ changes }: Pick<Rule, 'changes'>, locks: Locks | undefined) {
  if (changes === 'configuration' && locks?.isLocked) return 'configuration'
  if (changes === 'data' && locks?.isDatabaseLocked) return 'data'
  return undefined
}
