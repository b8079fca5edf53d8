/** The language in which a participant is answered, and written to (docs/translations.md). */
import type { Db } from '#db/open'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { chosenLanguage } from '#design/translations/choice'
import { ownLanguage, unlessSource } from '#design/trials/notices'
import { settingsOf } from '#design/trials/rules'
import type { Trial } from '#design/trials/store'

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
  const language = chosenLanguage(languages, participant.language, acceptLanguage)
  if (language === null) return null
  headers['Content-Language'] = language
  headers.Vary = 'Accept-Language'
  return unlessSource(language, languages)
}

/** The configuration of a trial with the texts that are sent to a participant. */
export const ownConfiguration = (
  db: Db,
  trial: Settings & { _id: Trial['_id']; revision: number },
  participant: { language: string | null },
): Configuration => configuration(db, trial).in(ownLanguage(trial, participant))
