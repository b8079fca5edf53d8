/** The pure parts of trials: defaults, what an update changes, codes, and references in a copy. */
import type { Feature } from '#access/keys'
import { inLanguage, languageProblems } from '#design/translations/rules'
import { trialTexts } from '#design/translations/textKinds'
import type { Id } from '#kernel/id'
import type { Reason } from '#kernel/refusals/reason'
import { type TrialChange, TrialColumns, type TrialFields } from './model'
import type { TrialSettings } from './settingsModel'
import type { Trial } from './store'

/** The defaults of settings that are not stored. */
export const settingDefaults: TrialSettings = {
  scientificName: null,
  studyAcronym: null,
  sponsor: null,
  sponsorLogo: null,
  conditions: null,
  eudractNumber: null,
  ctisNumber: null,
  clinicalTrialsGovNumber: null,
  protocolNumber: null,
  approvalNeeded: false,
  approvals: [],
  defaultNotificationTitle: null,
  languages: [],
  texts: {},
  translations: null,
  participantPasswordMinLength: null,
  enableLookback: false,
  signOffNoteRequired: false,
  eConsentEnabled: false,
  eConsentClosed: false,
  requiresConsent: [],
  onConsentWithdrawal: { stopForms: true, stopMessages: true, task: true },
  consentWithdrawalChoices: ['keep'],
  codesPerDay: 500,
  codeCountries: null,
  responseSigningEnabled: false,
  signersOnly: false,
  blindsAdmins: false,
  secondPerson: [],
  signaturesRequiredForLock: false,
  signatureMeanings: [],
  fitbitEnabled: false,
  fitbitGroups: null,
  fitbitConnectionReminders: false,
  garminEnabled: false,
  garminGroups: null,
  garminConnectionReminders: false,
  dexcomEnabled: false,
  dexcomGroups: null,
  dexcomConnectionReminders: false,
  foodDiariesEnabled: false,
  foodDiaryDataSource: 'usda',
  smartAutomaticQueriesEnabled: false,
  smartAutomaticQueryAssignees: [],
  smartAutomaticQueryInstructions: null,
  participantInsightsEnabled: false,
  trialInsightsEnabled: false,
  showsReads: false,
  readsKept: 6,
  lockJustification: null,
  databaseLockJustification: null,
}

/** A trial's settings, with defaults for those that are not stored. Beside them is stored what translations were made from. */
export function settingsOf({ settings: { translatedFrom: _, ...settings } }: Pick<Trial, 'settings'>): TrialSettings {
  const all = { ...settingDefaults, ...settings }
  return { ...all, onConsentWithdrawal: { ...settingDefaults.onConsentWithdrawal, ...all.onConsentWithdrawal } }
}

/** The texts of a trial that participants read, in a language as far as they are translated. Null: as they are. */
export function trialTextsIn(
  { name, description, settings }: Pick<Trial, 'name' | 'description' | 'settings'>,
  language: string | null,
) {
  const { defaultNotificationTitle, translations } = settingsOf({ settings })
  const texts = { name, description, defaultNotificationTitle }
  return language === null ? texts : inLanguage({ ...texts, translations }, trialTexts, language)
}

const columns = Object.keys(TrialColumns.properties) as (keyof typeof TrialColumns.properties)[]

/** Every settable field of a trial but its password. */
export const fieldsOf = (trial: Trial): TrialFields => ({
  ...(Object.fromEntries(columns.map((column) => [column, trial[column]])) as Pick<Trial, (typeof columns)[number]>),
  ...settingsOf(trial),
})

/** The given fields that differ from the current ones. A caller may send back what they read, which changes nothing. */
const differencesFrom = (current: TrialFields, given: Partial<TrialFields>): Partial<TrialFields> =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([field, value]) => value !== undefined && !Bun.deepEquals(value, current[field as keyof TrialFields]),
    ),
  )

const locks = [
  { flag: 'isLocked', reason: 'lockJustification', on: 'lockTrial', off: 'unlockTrial', trigger: 'lock' },
  {
    flag: 'isDatabaseLocked',
    reason: 'databaseLockJustification',
    on: 'lockDatabase',
    off: 'unlockDatabase',
    trigger: 'databaseLock',
  },
] as const

/** A lock that an update turns on or off, with its audit entry; if on, also with the trigger of the configuration version. */
export type LockChange = Pick<(typeof locks)[number], 'flag' | 'reason'> & {
  type: string
  on?: (typeof locks)[number]['trigger']
}

/** The locks that a change turns on or off. */
const lockChangesOf = (change: Partial<TrialFields>): LockChange[] =>
  locks.flatMap(({ flag, reason, on, off, trigger }): LockChange[] => {
    if (change[flag] === undefined) return []
    return change[flag] ? [{ flag, reason, type: on, on: trigger }] : [{ flag, reason, type: off }]
  })

/** Justifications that were given without turning their lock on or off. */
export const unusedJustifications = (change: Partial<TrialFields>): string[] =>
  locks
    .filter(({ flag, reason }) => change[flag] === undefined && change[reason] !== undefined)
    .map((lock) => lock.reason)

/** The settings that only an admin changes: what permissions give, what protects people who take part, and what the study may spend. */
export const adminSettings: readonly (keyof TrialSettings)[] = [
  ...(['signersOnly', 'blindsAdmins', 'secondPerson', 'showsReads', 'readsKept'] as const),
  ...(['requiresConsent', 'onConsentWithdrawal', 'consentWithdrawalChoices', 'codesPerDay', 'codeCountries'] as const),
]

/** What a new trial starts with, where the default of stored settings is another. */
export const newSettings = { signersOnly: true } as const

/** The fields that may change while the configuration is locked. */
const unlocked = new Set(['isArchived', ...locks.flatMap(({ flag, reason }) => [flag, reason])])

/** The changed fields that a locked configuration refuses. */
export const lockedFieldsIn = (fields: readonly string[]): string[] => fields.filter((field) => !unlocked.has(field))

/** What an update changes in a trial. */
export type TrialUpdate = {
  before: TrialFields
  /** The fields that differ. */
  change: Partial<TrialFields>
  lockChanges: LockChange[]
  /** The changes that a locked configuration refuses: fields, and `password`. */
  configuration: string[]
}

/** @param passwordHash the new one; null removes it, undefined leaves it as it is */
export function updateOf(trial: Trial, body: TrialChange, passwordHash: string | null | undefined): TrialUpdate {
  const { password, ...given } = body
  const before = fieldsOf(trial)
  const change = differencesFrom(before, { ...given, code: given.code && codeText(given.code) })
  const changesPassword = passwordHash !== undefined && !(passwordHash === null && trial.passwordHash === null)
  const configuration = lockedFieldsIn([...Object.keys(change), ...(changesPassword ? ['password'] : [])])
  return { before, change, lockChanges: lockChangesOf(change), configuration }
}

const featureOf: Partial<Record<keyof TrialFields, Feature>> = {
  eConsentEnabled: 'eConsent',
  fitbitEnabled: 'wearables',
  garminEnabled: 'wearables',
  dexcomEnabled: 'wearables',
  foodDiariesEnabled: 'foodDiaries',
  smartAutomaticQueriesEnabled: 'ai',
  participantInsightsEnabled: 'ai',
  trialInsightsEnabled: 'ai',
}

/** The team features that a change needs because it switches something on. */
export const featuresFor = (change: Partial<TrialFields>): Feature[] =>
  Object.entries(featureOf).flatMap(([field, feature]) =>
    change[field as keyof TrialFields] === true ? [feature] : [],
  )

/** The problems of the translations of a trial after an update, and of languages that an update takes away from it. */
export function translationProblems(before: TrialFields, change: Partial<TrialFields>): Reason[] {
  const languages = change.languages ?? before.languages
  return languageProblems({ ...before, ...change }, before, trialTexts, languages)
}

/** The form in which a code is stored and compared. */
const codeText = (code: string): string => code.toLowerCase()

/**
 * A free code for a new trial, made from its name: lower-case letters and digits, short enough to type.
 * @param last the end of the code if a hundred trials of that name exist already
 */
export function codeFrom(name: string, isTaken: (code: string) => boolean, last: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.split(/[^a-z0-9]+/).filter(Boolean)
  let code = (words[0] ?? '').slice(0, 20)
  for (const word of words.slice(1)) {
    if (code.length + 1 + word.length > 20) break
    code += `-${word}`
  }
  if (code.length < 2) code = code ? `trial-${code}` : 'trial'
  if (!isTaken(code)) return code
  for (let number = 2; number < 100; number++) if (!isTaken(`${code}-${number}`)) return `${code}-${number}`
  return `${code}-${last}`
}

/**
 * The value with every id of `ids` replaced: as a text, as the key of an object, or before the `::n` of an occurrence.
 * Replaces by value and not by field name, so that it misses no kind of reference. @param ids new ids by old ones
 */
export function replaceIds<T>(value: T, ids: ReadonlyMap<Id, Id>): T {
  const text = (one: string) => {
    const known = ids.get(one)
    if (known !== undefined) return known
    const at = one.indexOf('::')
    return at < 0 || !ids.has(one.slice(0, at)) ? one : ids.get(one.slice(0, at))! + one.slice(at)
  }
  const any = (one: unknown): unknown => {
    if (typeof one === 'string') return text(one)
    if (Array.isArray(one)) return one.map(any)
    if (typeof one !== 'object' || one === null) return one
    return Object.fromEntries(Object.entries(one).map(([key, each]) => [text(key), any(each)]))
  }
  return any(value) as T
}

type OriginalTrial = Pick<Trial, 'name' | 'description' | 'settings'>

/**
 * The settings that a copy takes over: not the locks, and not people, who may have no access to the new trial. A name or a
 * description of its own has no translation yet: those of the original name another study.
 */
export function copiedSettings(
  { settings, ...original }: OriginalTrial,
  copy: Pick<Trial, 'name' | 'description'>,
): Record<string, unknown> {
  const { lockJustification, databaseLockJustification, smartAutomaticQueryAssignees, ...own } = settings
  const rest = { ...own, ...newSettings }
  const { translations } = settingsOf({ settings })
  if (!translations) return rest
  const fields = ['name', 'description'] as const
  const changed: readonly string[] = fields.filter((field) => copy[field] !== original[field])
  const kept = Object.entries(translations).flatMap(([language, texts]) => {
    const left = Object.entries(texts).filter(([field]) => !changed.includes(field))
    return left.length ? [[language, Object.fromEntries(left)]] : []
  })
  return { ...rest, translations: Object.fromEntries(kept) }
}
