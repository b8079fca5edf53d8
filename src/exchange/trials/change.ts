/** Updates of a trial: their checks, and their audit entry. */

import { featuresOf } from '#access/features'
import { changedFields } from '#audit/changes'
import type { Db } from '#db/open'
import { featuresFor, fieldsOf, type Update, unusedJustifications } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import { refuse } from '#kernel/problem'
import { checkReferences, requireSignatures } from './references'

/**
 * Checks an update: 403 if the team lacks a feature or the trial is locked, 400 for a
 * justification without its lock, for an invalid reference, and for a lock if signatures are missing.
 */
export function refuseUpdate(db: Db, trial: Trial, { before, change, configuration }: Update): void {
  for (const feature of featuresFor(change)) if (!featuresOf(db, trial.team)[feature]) throw refuse.feature(feature)
  if (trial.isLocked && configuration.length) throw refuse.configurationLocked()
  const [loose] = unusedJustifications(change)
  if (loose) throw refuse.bad(`${loose} belongs to turning its lock on or off.`)
  checkReferences(db, trial, change)
  const asksSignatures = before.signaturesRequiredForLock || change.signaturesRequiredForLock
  if (change.isDatabaseLocked && asksSignatures) requireSignatures(db, trial)
}

/**
 * The audit entry of an update; undefined for one that only sets locks, which have entries of their own. It records that a
 * password was changed, but not the password.
 */
export function updateEvent({ before, change, lockChanges, configuration }: Update, after: Trial) {
  if (lockChanges.length && !configuration.length && !('isArchived' in change)) return undefined
  const password = configuration.includes('password') && { password: after.passwordHash === null ? 'removed' : 'set' }
  return { ...changedFields(before, fieldsOf(after)), ...password }
}
