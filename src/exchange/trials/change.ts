/** Updates of a trial: their checks, and their audit entry. */

import { type Access, noPlaces } from '#access/caller'
import { featuresOf } from '#access/features'
import { changedFields } from '#audit/changes'
import { readInstructions } from '#conduct/queries/automatic/instructions'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { hiddenFrom, hidesNothing } from '#design/configuration/hidden'
import { hiddenUse } from '#design/configuration/hiddenUses'
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
 * Refuses (403) new rules of automatic queries that use fields which are hidden from the caller. The text for the AI endpoint
 * may name any field, since answers to restricted and personal fields are never sent there.
 */
export function refuseHiddenRules(db: Db, trial: Trial, access: Access, { before, change }: Update): void {
  const config = configuration(db, trial)
  const hidden = hiddenFrom(config, access, noPlaces)
  const text = change.smartAutomaticQueryInstructions
  if (hidesNothing(hidden) || !text) return
  const byCode = new Map([...config.dataTypes.values()].map(({ code, _id }) => [code.toLowerCase(), _id]))
  const rulesIn = (instructions: string | null) => readInstructions(instructions, new Set(byCode.keys())).rules
  const known = new Set(rulesIn(before.smartAutomaticQueryInstructions).map(({ line }) => line))
  for (const { line, expression } of rulesIn(text)) {
    const field = expression.references.map((code) => byCode.get(code)!).find(hidden)
    if (field && !known.has(line)) throw hiddenUse(config, access, { what: `The rule “${line}”`, field })
  }
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
