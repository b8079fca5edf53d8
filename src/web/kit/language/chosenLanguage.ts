/** The language of the app: what the person has chosen on this device, else the first of the browser's that exists, else English. */

import { signal } from '@preact/signals'
import { languageVariants } from '#kernel/template'
import { smallStorage } from '#web/kit/storage/smallStorage'
import { directionOf, isLanguage, type Language } from './languages'

const KEY = 'language'

const supportedLanguage = (language: string): Language | undefined =>
  languageVariants(language.toLowerCase()).find((each): each is Language => isLanguage(each))

export function deviceLanguage(): Language {
  const chosen = smallStorage.getItem(KEY)
  if (chosen !== null && isLanguage(chosen)) return chosen
  return navigator.languages.map(supportedLanguage).find((each) => each !== undefined) ?? 'en'
}

/** The language that the person reads. */
export const language = signal<Language>(deviceLanguage())

/** Changes the language, and remembers it on this device. */
export function chooseLanguage(chosen: Language): void {
  smallStorage.setItem(KEY, chosen)
  language.value = chosen
}

/** Tells the browser the language of the page and its direction. */
export function markLanguage(language: Language): void {
  const { documentElement } = document
  documentElement.lang = language
  documentElement.dir = directionOf(language)
}
