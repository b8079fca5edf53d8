/** The languages of the pages: those that they come with, and those that the operator of the server has added (docs/languages.md). */
import type { AddedLanguage, AddedLanguages } from './addedLanguage'

/** Each language has its name as those who speak it write it. */
export const builtIn = {
  en: { name: 'English', dir: 'ltr' },
  de: { name: 'Deutsch', dir: 'ltr' },
  fr: { name: 'Français', dir: 'ltr' },
  es: { name: 'Español', dir: 'ltr' },
  ar: { name: 'العربية', dir: 'rtl' },
} as const

export type BuiltInLanguage = keyof typeof builtIn

declare const added: unique symbol
/** The code of a language: in lower case, as `pt-br`. */
export type Language = BuiltInLanguage | (string & { readonly [added]: true })

/** The name by which the service worker finds them. */
export const WORKER_NAME = 'ADDED_LANGUAGES'

function languagesOfPage(): AddedLanguages {
  const written =
    'document' in globalThis
      ? document.querySelector<HTMLMetaElement>('meta[name=languages]')?.content
      : (Reflect.get(globalThis, WORKER_NAME) as string | undefined)
  return written ? JSON.parse(written) : {}
}

let more = languagesOfPage()

/** Replaces the languages that were added: once, when a server starts. */
export function setAddedLanguages(languages: AddedLanguages): void {
  more = languages
}

export const addedLanguages = (): AddedLanguages => more

export const isBuiltIn = (text: string): text is BuiltInLanguage => Object.hasOwn(builtIn, text)

export const isLanguage = (text: string): text is Language => isBuiltIn(text) || Object.hasOwn(more, text)

/** All languages, for a menu. */
export const allLanguages = (): readonly Language[] =>
  [...Object.keys(builtIn), ...Object.keys(more)].filter((each) => isLanguage(each))

const entryOf = (language: Language): { name: string; dir: AddedLanguage['dir'] } =>
  isBuiltIn(language) ? builtIn[language] : more[language]!

export const nameOfLanguage = (language: Language): string => entryOf(language).name

export const directionOf = (language: Language): AddedLanguage['dir'] => entryOf(language).dir

/** The language as `Intl` wants it, with European digits and, for English, the order of days and months of Britain. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : `${language}-u-nu-latn`)
