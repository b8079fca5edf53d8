/**
 * The texts of the pages in a person's language. The server writes the frame of a page with them, and the browser what a script
 * makes; both by the rules of `#texts/fill`. A language that lacks a text does not compile.
 */
import { filled, formsOf, type ValuesByName } from '#texts/fill'
import type { CountedKey, Key, Texts, ValuesOf } from './catalogue'

/** Each language has its name as those who speak it write it. The texts are loaded when they are needed. */
export const languages = {
  en: { name: 'English', dir: 'ltr', load: async (): Promise<Texts> => (await import('#web/common/lang/en')).en },
  de: { name: 'Deutsch', dir: 'ltr', load: async (): Promise<Texts> => (await import('#web/common/lang/de')).de },
  fr: { name: 'Français', dir: 'ltr', load: async (): Promise<Texts> => (await import('#web/common/lang/fr')).fr },
  es: { name: 'Español', dir: 'ltr', load: async (): Promise<Texts> => (await import('#web/common/lang/es')).es },
  ar: { name: 'العربية', dir: 'rtl', load: async (): Promise<Texts> => (await import('#web/common/lang/ar')).ar },
} as const

export type Language = keyof typeof languages

export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text)

/** Functions that write in one language. */
export type Speaker = {
  language: Language
  /** The text of this key; a key whose text has placeholders needs their values. */
  say<K extends Key>(key: K, ...values: ValuesOf<K>): string
  /** The text for this number, which is `{count}` in it. */
  count(key: CountedKey, count: number, values?: Readonly<Record<string, string | number>>): string
  /** A date without time of day, as `2026-03-02`, in words. */
  day(date: string): string
}

function speaker(language: Language, texts: Texts): Speaker {
  // Digits that everybody on a ward reads: an Arabic page shows the same numbers as the labels of a device.
  const locale = language === 'en' ? 'en-GB' : `${language}-u-nu-latn`
  const numbers = new Intl.NumberFormat(locale)
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const text = (key: string): string | undefined => (Object.hasOwn(texts, key) ? texts[key as Key] : undefined)
  // A name in Latin letters within Arabic words would take the full stop after it to its other side.
  const isolated = (values: ValuesByName): ValuesByName =>
    languages[language].dir === 'ltr'
      ? values
      : Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `\u2068${value}\u2069`]))
  return {
    language,
    say: (key, ...[values]) => filled(texts[key], isolated(values ?? {})),
    count: (key, count, values = {}) => {
      const template = formsOf(language, key, count)
        .map(text)
        .find((each) => each !== undefined)
      return filled(template ?? '', isolated({ ...values, count: numbers.format(count) }))
    },
    day: (date) => days.format(new Date(`${date}T00:00:00Z`)),
  }
}

const speakers = new Map<Language, Speaker>()

/** The functions for a language; its texts are loaded once. */
export async function speakerOf(language: Language): Promise<Speaker> {
  const known = speakers.get(language)
  if (known) return known
  const loaded = speaker(language, await languages[language].load())
  speakers.set(language, loaded)
  return loaded
}
