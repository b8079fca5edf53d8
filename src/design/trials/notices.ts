/** What the messages of a trial have in common: their language, its own texts, and their title. */
import { authored, type Writer, type Written, writerFor } from '#texts/write'
import { settingsOf } from './rules'
import type { Trial } from './store'

/** Writes the texts of a trial to a person: in their language, else in the trial's, else in English. */
export const writerOf = (trial: Pick<Trial, 'settings'>, language: string | null): Writer =>
  writerFor(language, settingsOf(trial))

/** The default title of messages to participants: the trial's setting, else its name. */
export const notificationTitle = ({ settings, name }: Pick<Trial, 'settings' | 'name'>): Written =>
  authored((settings.defaultNotificationTitle as string | null | undefined) || name)
