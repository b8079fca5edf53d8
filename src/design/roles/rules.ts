import { grantableWords, type ScopeKind } from '#access/keys'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { at, type Reason, reason } from '#kernel/refusals/reason'

const words: Record<ScopeKind, ReadonlySet<string>> = {
  trial: new Set(grantableWords('trial')),
  site: new Set(grantableWords('site')),
  group: new Set(grantableWords('group')),
}

const unknown = { trial: 'noPermissionOnTrial', site: 'noPermissionOnSite', group: 'noPermissionOnGroup' } as const

/**
 * Permissions as they are stored: each one once, without empty scopes. Refuses (422, all problems under `field`)
 * scopes that are neither the trial nor a site or group of it, and permissions that do not exist for that kind of scope.
 */
export function normalizePermissions(
  given: Record<Id, string[]>,
  kindOf: (scope: Id) => ScopeKind | undefined,
  { field = 'permissions' }: { field?: string } = {},
): Record<Id, string[]> {
  const problems: Reason[] = []
  const result: Record<Id, string[]> = {}
  for (const [scope, list] of Object.entries(given)) {
    const kind = kindOf(scope)
    if (!kind) {
      problems.push(at(scope, reason('notAPlaceOfTrial')))
      continue
    }
    for (const word of list) if (!words[kind].has(word)) problems.push(at(scope, reason(unknown[kind], { word })))
    if (list.length) result[scope] = [...new Set(list)]
  }
  if (problems.length) throw refuse.invalid({ [field]: problems.slice(0, 100) })
  return result
}
