/** The language in which a participant is answered, and written to (docs/translations.md). */
import type { Db } from '#db/open'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { languageForReader } from '#design/translations/languageChoice'
import { dataTypeTexts, stageTexts, trialTexts } from '#design/translations/textKinds'
import { type TextLanguages, type TextSource, textLanguages } from '#design/translations/textLanguages'
import { participantLanguage, translationLanguage } from '#design/trials/notices'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'
import type { Id } from '#kernel/id'

type Settings = Pick<Trial, 'settings'>

type AnswerContext = {
  trial: Settings
  participant: { language: string | null }
  acceptLanguage: string | null
  headers: Record<string, string>
}

/**
 * The language of the answer to a participant: their own, else the best that the device asks for. Null for that of the texts
 * themselves. Sets the headers of the answer that say so.
 */
export function answerLanguage({ trial, participant, acceptLanguage, headers }: AnswerContext): string | null {
  const { languages } = settingsOf(trial)
  const language = languageForReader(languages, participant.language, acceptLanguage)
  if (language === null) return null
  headers['Content-Language'] = language
  headers.Vary = 'Accept-Language'
  return translationLanguage(language, languages)
}

type TrialWithTexts = Settings & Pick<Trial, 'name' | 'description'>

/**
 * An answer, and the languages of the study's texts in it, the name of the trial among them.
 * @param language of the answer; null for that of the texts themselves
 */
export const withLanguages = <T extends object>(
  trial: TrialWithTexts,
  language: string | null,
  answer: T,
  sources: () => Iterable<TextSource> = () => [],
): T & { texts: TextLanguages } => {
  const { languages, translations } = settingsOf(trial)
  const { name, description } = trial
  const ofTrial: TextSource = [{ name, description, translations }, trialTexts]
  return { ...answer, texts: textLanguages(languages, language, answer, () => [ofTrial, ...sources()]) }
}

/** The texts of a form before they are translated. */
export function formTexts({ source }: Configuration, stage: Id): TextSource[] {
  const found = source.stages.get(stage)
  if (!found) return []
  const types = source.fieldsOf(stage).flatMap((dataType) => source.dataTypes.get(dataType) ?? [])
  return [[found, stageTexts], ...types.map((type): TextSource => [type, dataTypeTexts])]
}

/** The configuration of a trial with the texts that are sent to a participant. */
export const ownConfiguration = (
  db: Db,
  trial: Settings & { _id: Trial['_id']; revision: number },
  participant: { language: string | null },
): Configuration => configuration(db, trial).in(participantLanguage(trial, participant))
