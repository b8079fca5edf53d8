/** All texts of a trial that can be translated, with their translations (docs/translations.md). */

import type { Db } from '#db/open'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { resourcesOf } from '#design/participantResources/store'
import { type TextPlace, textsOf, translationAt } from '#design/translations/rules'
import { isStale, pathText, type TranslationSources } from '#design/translations/sources'
import { dataTypeTexts, resourceTexts, stageTexts, type TextKind, trialTexts } from '#design/translations/textKinds'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'

/** Something with texts: the trial, a stage, a data type or a resource. */
export type Owner = {
  noun: 'trial' | 'stages' | 'dataTypes' | 'resources'
  _id: string
  /** The object itself. */
  row: object
  kind: TextKind
  translatedFrom: TranslationSources | undefined
}

export type OwnedText = { owner: Owner; place: TextPlace; key: string }

export type TranslationState = 'missing' | 'stale' | 'translated'

const NOUNS = { trial: 'Trial', stages: 'Stages', dataTypes: 'Data types', resources: 'Resources' } as const

/** The trial as an object with texts. */
function ownTexts(trial: Trial): Owner {
  const { defaultNotificationTitle, translations } = settingsOf(trial)
  const row = { name: trial.name, description: trial.description, defaultNotificationTitle, translations }
  const translatedFrom = trial.settings.translatedFrom as TranslationSources | undefined
  return { noun: 'trial', _id: trial._id, row, kind: trialTexts, translatedFrom }
}

type Definitions = Pick<Configuration, 'stageOrder' | 'dataTypes'>

/** The forms of a trial, which have texts: its stages, and their data types. */
function* formOwners({ stageOrder, dataTypes }: Definitions): Generator<Owner> {
  for (const row of stageOrder)
    yield { noun: 'stages', _id: row._id, row, kind: stageTexts, translatedFrom: row.translatedFrom }
  for (const row of dataTypes.values())
    yield { noun: 'dataTypes', _id: row._id, row, kind: dataTypeTexts, translatedFrom: row.translatedFrom }
}

/** The resources of a trial. */
function* resourceOwners(db: Db, trial: Trial): Generator<Owner> {
  for (const row of resourcesOf(db, trial._id))
    yield { noun: 'resources', _id: row._id, row, kind: resourceTexts, translatedFrom: row.translatedFrom ?? undefined }
}

const keyOf = ({ noun, _id }: Owner, { path }: TextPlace): string =>
  pathText([noun, ...(noun === 'trial' ? [] : [_id]), ...path])

function* ownedTexts(owners: Iterable<Owner>): Generator<OwnedText> {
  for (const owner of owners)
    for (const place of textsOf(owner.row, owner.kind)) yield { owner, place, key: keyOf(owner, place) }
}

/** Every text of a trial, in the order in which people read it. */
export function* textsIn(db: Db, trial: Trial): Generator<OwnedText> {
  yield* ownedTexts([ownTexts(trial)])
  yield* textsOfForms(configuration(db, trial))
  yield* ownedTexts(resourceOwners(db, trial))
}

/** Every text of the forms of a configuration. */
export const textsOfForms = (forms: Definitions): Generator<OwnedText> => ownedTexts(formOwners(forms))

/** The place of a text for people: `Stages › Visit 1 › Pulse`. */
export const placeName = ({ owner, place }: OwnedText): string => [NOUNS[owner.noun], ...place.names].join(' › ')

export function stateOf({ owner, place }: OwnedText, language: string): TranslationState {
  if (translationAt(place, language) === undefined) return 'missing'
  return isStale(owner.translatedFrom, language, place) ? 'stale' : 'translated'
}

/** A text without a translation, or with one of an earlier source text. */
export type OpenText = { text: OwnedText; reason: 'missing' | 'stale' }

const openTextsAmong = (texts: Iterable<OwnedText>, language: string): OpenText[] =>
  [...texts].flatMap((text) => {
    const reason = stateOf(text, language)
    return reason === 'translated' ? [] : [{ text, reason }]
  })

/** The open texts of the forms of a configuration by language: a large study has tens of thousands of texts. */
const openInForms = new WeakMap<Configuration, Map<string, OpenText[]>>()

function openTextsOfForms(config: Configuration, language: string): OpenText[] {
  const known = openInForms.get(config) ?? new Map<string, OpenText[]>()
  openInForms.set(config, known)
  const open = known.get(language) ?? openTextsAmong(textsOfForms(config), language)
  known.set(language, open)
  return open
}

/** The texts of a trial that are not translated yet into a language of it, in the order of `textsIn`. */
export const openTexts = (db: Db, trial: Trial, language: string): OpenText[] => [
  ...openTextsAmong(ownedTexts([ownTexts(trial)]), language),
  ...openTextsOfForms(configuration(db, trial), language),
  ...openTextsAmong(ownedTexts(resourceOwners(db, trial)), language),
]
