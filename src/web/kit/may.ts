/** Whether a member of staff may perform an operation: the rule of the server's pipeline, for what a page shows or disables. */
import type { Feature } from '#access/keys'
import { callersOf, type Held, type Locks, lockAgainst, missingPermissions, type Rule } from '#access/rule'
import { rules } from '#web/kit/api/rules'

export type RuledOperation = keyof typeof rules

/** What the page knows of where the act would be: what the person holds there, the team's features, the locks of the trial. */
export type Place = Held & {
  features?: Readonly<Record<Feature, boolean>> | undefined
  locks?: Locks | undefined
}

const ruleOf = (id: RuledOperation): Rule => rules[id]

/**
 * Whether the server would admit the act, as far as permissions, features and locks decide it.
 * @param fields those that the request would have; some need a permission of their own
 */
export function may(id: RuledOperation, place: Place, fields: readonly string[] = []): boolean {
  const rule = ruleOf(id)
  if (callersOf(rule).every((kind) => kind === 'participant')) return false
  if (rule.feature && place.features?.[rule.feature] === false) return false
  return !missingPermissions(rule, place, (field) => fields.includes(field)).length && !lockAgainst(rule, place.locks)
}

/** Whether the person must have confirmed their identity within five minutes: the page asks for it before the act. */
export const needsConfirmation = (id: RuledOperation): boolean => ruleOf(id).fresh === true
