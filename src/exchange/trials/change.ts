/** Updates of a trial: their checks, and their audit entry. */

import { featuresOf } from '#access/features'
import { changedFields } from '#audit/changes'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { dataTypeTexts, stageTexts } from '#design/translations/kinds'
import { languagesIn } from '#design/translations/rules'
import { featuresFor, fieldsOf, translationProblems, type Update, unusedJustifications } from '#design/trials/rules'
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
  refuseOtherSource(db, trial, before.languages, change.languages)
  const untranslatable = change.translations ? translationProblems(before, change) : []
  if (untranslatable.length) throw refuse.invalid({ translations: untranslatable })
  const [loose] = unusedJustifications(change)
  if (loose) throw refuse.bad(`${loose} belongs to turning its lock on or off.`)
  checkReferences(db, trial, change)
  const asksSignatures = before.signaturesRequiredForLock || change.signaturesRequiredForLock
  if (change.isDatabaseLocked && asksSignatures) requireSignatures(db, trial)
}

/** Refuses (400) to make a language the first that texts are translated into: they would count as untranslated. */
function refuseOtherSource(db: Db, trial: Trial, [before]: readonly string[], [after]: readonly string[] = []): void {
  if (before === undefined || after === undefined || after === before) return
  const { stageOrder, dataTypes } = configuration(db, trial)
  const isTranslated =
    stageOrder.some((stage) => languagesIn(stage, stageTexts).has(after)) ||
    [...dataTypes.values()].some((type) => languagesIn(type, dataTypeTexts).has(after))
  if (isTranslated)
    throw refuse.bad(
      `The texts are written in ${before} and translated into ${after}: ${before} must stay the first language.`,
    )
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
