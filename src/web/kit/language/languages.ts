/** The languages of the pages. */

/** Each language has its name as those who speak it write it. */
export const languages = {
  en: { name: 'English', dir: 'ltr' },
  de: { name: 'Deutsch', dir: 'ltr' },
  fr: { name: 'Français', dir: 'ltr' },
  es: { name: 'Español', dir: 'ltr' },
  ar: { name: 'العربية', dir: 'rtl' },
} as const

export type Language = keyof typeof languages

export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text)

/** The language as `Intl` wants it, with European digits and, for English, the order of days and months of Britain. */
export const localeOf = (language: Language): string => (language === 'en' ? 'en-GB' : `${language}-u-nu-latn`)
