import { accessOf } from '#access/identify'
import type { Db } from '#db/open'
import { formKeyProblems } from '#design/configuration/consentFormStore'
import { groupsOf } from '#design/groups/store'
import { providers, type TrialFields } from '#design/trials/model'
import { type Trial, trialByCode } from '#design/trials/store'
import { textsProblems } from '#design/trials/systemTexts'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { isCountry } from '#kernel/zoneCountries'
import { usableFile } from '#storage/store'
import { unsignedCasebooks } from './store'

/** Refuses invalid texts (422), and invalid references (400): a code in use, groups, people and files that are not the trial's. */
export function checkReferences(db: Db, trial: Trial, change: Partial<TrialFields>): void {
  const wrong = textsProblems(change.texts ?? {})
  if (wrong.length) throw refuse.invalid({ texts: wrong })
  const unknown = formKeyProblems(db, trial._id, change.requiresConsent ?? [])
  if (unknown.length) throw refuse.invalid({ requiresConsent: unknown })
  const elsewhere = (change.codeCountries ?? []).filter((country) => !isCountry(country))
  if (elsewhere.length)
    throw refuse.invalid({ codeCountries: elsewhere.map((each) => reason('notACountry', { country: each })) })
  if (change.code !== undefined && trialByCode(db, change.code)) throw refuse.taken('trial code', change.code)
  for (const provider of providers) {
    const named = change[`${provider}Groups`] ?? []
    const known = new Set(groupsOf(db, trial._id, { sites: [], groups: named }).map(({ _id }) => _id))
    const strangers = named.filter((group) => !known.has(group))
    if (strangers.length) {
      throw refuse.bad('groupsOfOtherTrial', { field: `${provider}Groups`, count: strangers.length }, { strangers })
    }
  }
  const strangers = (change.smartAutomaticQueryAssignees ?? []).filter(
    (user) => !accessOf(db, user).trials.has(trial._id),
  )
  if (strangers.length) {
    throw refuse.bad('assigneesWithoutAccess', { count: strangers.length }, { strangers })
  }
  if (change.sponsorLogo && !usableFile(db, change.sponsorLogo, 'trial', trial._id)) {
    throw refuse.bad('logoNotUploaded')
  }
}

/** Refuses (400) to lock a database with unsigned responses, if the trial requires signatures. */
export function requireSignatures(db: Db, trial: Trial): void {
  const unsigned = unsignedCasebooks(db, trial._id)
  if (!unsigned) return
  throw refuse.bad('casebooksUnsigned', { count: unsigned }, { unsigned })
}
