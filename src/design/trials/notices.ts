/** What the messages of a trial have in common: their language, its own texts, and their title. */
import { languageForReader } from '#design/translations/languageChoice'
import { catalogues } from '#texts/catalogue'
import { authoredText, type SendableText, type Writer, writerFor } from '#texts/writer'
import { settingsOf, trialTextsIn } from './rules'
import type { Trial } from './store'

/** Writes the texts of a trial to a person: in their language, else in the trial's, else in English. */
export const writerOf = (trial: Pick<Trial, 'settings'>, language: string | null): Writer =>
  writerFor(language, settingsOf(trial))

/** A language as a translation takes it: null for that of the texts themselves. */
export const translationLanguage = (language: string | null, [source]: readonly string[]): string | null =>
  language === source ? null : language

type Reader = { language: string | null }

/** The language of the trial's own texts for a participant. Null for that of the texts themselves. */
export function participantLanguage(trial: Pick<Trial, 'settings'>, { language }: Reader): string | null {
  const { languages } = settingsOf(trial)
  return translationLanguage(languageForReader(languages, language), languages)
}

type NamedTrial = Pick<Trial, 'settings' | 'name'>

const textsFor = (trial: NamedTrial, reader: Reader) =>
  trialTextsIn({ description: null, ...trial }, participantLanguage(trial, reader))

/** The name of a trial for a participant, in their language. */
export const trialNameFor = (trial: NamedTrial, reader: Reader): string => textsFor(trial, reader).name

/**
 * Writes to somebody without an account: in the best language that their device asks for and that the service or the trial has texts
 * in, else in the first of the trial. `name`: of the trial, in this language.
 */
export function writerForDevice(trial: NamedTrial, accepted: string | null): Writer & { name: string } {
  const { languages, texts } = settingsOf(trial)
  const written = ['en', ...Object.keys(catalogues), ...Object.keys(texts)]
  const language = languageForReader([...languages.slice(0, 1), ...written], null, accepted)
  return { ...writerOf(trial, language), name: trialNameFor(trial, { language }) }
}

/** The default title of messages to a participant: the trial's setting, else its name, in their language. */
export function notificationTitle(trial: NamedTrial, reader: Reader): SendableText {
  const { defaultNotificationTitle, name } = textsFor(trial, reader)
  return authoredText(defaultNotificationTitle || name)
}
