/** Updates of a trial: their checks, and their audit entry. */

import { featuresOf } from '#access/features'
import { changedFields } from '#audit/changedFields'
import type { Db } from '#db/open'
import { configuration } from '#design/configuration/configuration'
import { resourcesOf } from '#design/participantResources/store'
import { languagesIn } from '#design/translations/rules'
import { dataTypeTexts, resourceTexts, stageTexts, type TextKind, trialTexts } from '#design/translations/textKinds'
import type { TrialFields } from '#design/trials/model'
import {
  featuresFor,
  fieldsOf,
  type TrialUpdate,
  translationProblems,
  unusedJustifications,
} from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { checkReferences, requireSignatures } from './references'

/**
 * Checks an update: 403 if the team lacks a feature or the trial is locked, 400 for a
 * justification without its lock, for an invalid reference, and for a lock if signatures are missing.
 */
export function refuseUpdate(db: Db, trial: Trial, { before, change, configuration }: TrialUpdate): void {
  for (const feature of featuresFor(change)) if (!featuresOf(db, trial.team)[feature]) throw refuse.feature(feature)
  if (trial.isLocked && configuration.length) throw refuse.configurationLocked()
  const twice = change.languages?.find((each, at, all) => all.indexOf(each) !== at)
  if (twice !== undefined) throw refuse.invalid({ languages: [reason('languageTwice', { language: twice })] })
  refuseOtherSource(db, trial, before, change)
  const untranslatable = change.translations ? translationProblems(before, change) : []
  if (untranslatable.length) throw refuse.invalid({ translations: untranslatable })
  const [loose] = unusedJustifications(change)
  if (loose) throw refuse.bad('justificationWithoutLock', { field: loose })
  checkReferences(db, trial, change)
  const asksSignatures = before.signaturesRequiredForLock || change.signaturesRequiredForLock
  if (change.isDatabaseLocked && asksSignatures) requireSignatures(db, trial)
}

/**
 * Refuses (400) to make a language the first that texts are translated into: they would count as untranslated. So also after the
 * list of languages was emptied.
 */
function refuseOtherSource(
  db: Db,
  trial: Trial,
  { languages: [before], ...fields }: TrialFields,
  change: Partial<TrialFields>,
): void {
  const after = change.languages?.[0]
  if (after === undefined || after === before) return
  const { stageOrder, dataTypes } = configuration(db, trial)
  const isIn = (kind: TextKind) => (object: object) => languagesIn(object, kind).has(after)
  const isTranslated =
    isIn(trialTexts)({ ...fields, ...change }) ||
    stageOrder.some(isIn(stageTexts)) ||
    [...dataTypes.values()].some(isIn(dataTypeTexts)) ||
    resourcesOf(db, trial._id).some(isIn(resourceTexts))
  if (!isTranslated) return
  if (before === undefined) throw refuse.bad('firstLanguageTranslated', { language: after })
  throw refuse.bad('firstLanguageStays', { language: after, first: before })
}

/**
 * The audit entry of an update; undefined for one that only sets locks, which have entries of their own. It records that a
 * password was changed, but not the password.
 */
export function updateEvent({ before, change, lockChanges, configuration }: TrialUpdate, after: Trial) {
  if (lockChanges.length && !configuration.length && !('isArchived' in change)) return undefined
  const password = configuration.includes('password') && { password: after.passwordHash === null ? 'removed' : 'set' }
  return { ...changedFields(before, fieldsOf(after)), ...password }
}
