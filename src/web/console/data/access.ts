/** What the person may do in a study: from what the API says of their account, for `may`. */
import { type Access, holds, type Places } from '#access/caller'
import { armKeys, type Key, keysOf, teamKeysOf } from '#access/keys'
import { type Locks, lockAgainst } from '#access/rule'
import type { AnswerOf } from '#web/kit/api/operations'
import { rules } from '#web/kit/api/rules'
import { may, type Place, type RuledOperation } from '#web/kit/may'

type User = AnswerOf<'readOwnUser'>
type Trial = AnswerOf<'readTrial'>

export type { Place }

type StudyPlaces = {
  trial: string
  team: string
  /** Undefined for who may not read the trial itself. */
  settings: Pick<Trial, 'isLocked' | 'isDatabaseLocked' | 'blindsAdmins'> | undefined
  /** The sites and groups that the person may list; undefined if that was refused. */
  known: ReadonlySet<string> | undefined
}

/** The keys of a list of words. A blinded administrator has no keys that show arms. */
function keysHeld(words: readonly string[], isBlinded: boolean): ReadonlySet<Key> {
  const held = keysOf(words)
  if (isBlinded) for (const key of armKeys) held.delete(key)
  return held
}

/** What somebody holds in a study, on the whole and on its sites and groups, directly and by roles. */
export function placeOf({ permissions, roles, teams }: User, { trial, team, settings, known }: StudyPlaces): Place {
  const words = new Map<string, string[]>()
  const give = (scope: string, given: readonly string[]) => words.set(scope, [...(words.get(scope) ?? []), ...given])
  for (const [scope, given] of Object.entries(permissions))
    if (scope === trial || (known?.has(scope) ?? true)) give(scope, given)
  for (const role of roles)
    if (role.trial === trial) for (const [scope, given] of Object.entries(role.permissions)) give(scope, given)
  const membership = teams.find(({ _id }) => _id === team)
  const teamKeys = teamKeysOf(membership?.permissions ?? [])
  if (teamKeys.has('trials.manage')) give(trial, ['trial.admin'])
  const isBlinded = settings?.blindsAdmins ?? false
  const places = [...words].filter(([scope]) => scope !== trial)
  const access: Access = {
    trial: keysHeld(words.get(trial) ?? [], isBlinded),
    // Whether a place is a site or a group makes no difference to what is held there.
    places: new Map(
      places.map(([scope, given]) => [scope, { kind: 'site' as const, keys: keysHeld(given, isBlinded) }]),
    ),
  }
  return {
    access,
    team: teamKeys,
    ...(membership ? { features: membership.features } : {}),
    ...(settings ? { locks: settings } : {}),
  }
}

/** The same for a thing that belongs to these sites and groups, such as a participant. */
export const placeAt = (place: Place, { sites, groups }: Places): Place => ({
  ...place,
  places: { sites, groups },
})

/** `never`: the person has no right to it, so it is not shown. Otherwise the lock that forbids it now, or `now`. */
export type ActState = 'never' | 'now' | NonNullable<ReturnType<typeof lockAgainst>>

/** Whether an act is shown, and whether it can be done now. */
export function stateOfAct(id: RuledOperation, place: Place, fields: readonly string[] = []): ActState {
  if (!may(id, { ...place, locks: undefined }, fields)) return 'never'
  return lockAgainst(rules[id] as Parameters<typeof lockAgainst>[0], place.locks as Locks | undefined) ?? 'now'
}

/** Whether the person has a key on a thing, for what is no operation of its own, such as the personal fields of a participant. */
export const holdsKey = ({ access, places }: Place, key: Key): boolean =>
  access !== undefined && holds(access, key, places)
