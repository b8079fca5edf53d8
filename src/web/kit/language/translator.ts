/**
 * The texts of the pages in a person's language. The server writes the frame of a page with them, and the browser what a script
 * makes; both by the rules of `#kernel/template`. Each group of pages has a catalogue of its own beside the one of all pages, so that a
 * page loads no texts of others. A language that lacks a text does not compile.
 */

import type { CountedKeyOf } from '#kernel/template'
import { templateOf, type ValuesByName } from '#kernel/template'
import type { en } from '#web/kit/lang/en'
import { addedTexts } from './addedTexts'
import type { English, KeyOf, TextsLike, ValuesOf } from './catalogue'
import { fillIsolated } from './fillIsolated'
import { type BuiltInLanguage, isBuiltIn, type Language, localeOf } from './languages'

/** The texts of the components and the frame, which every page has. */
export type Common = typeof en

/** The functions that load a catalogue, by language: the texts are loaded when they are needed. `id`: its name in files of other languages. */
export type Catalogue<E extends English> = Readonly<Record<BuiltInLanguage, () => Promise<TextsLike<E>>>> & {
  readonly id: string
}

export const common: Catalogue<Common> = {
  id: 'kit',
  en: async () => (await import('#web/kit/lang/en')).en,
  de: async () => (await import('#web/kit/lang/de')).de,
  fr: async () => (await import('#web/kit/lang/fr')).fr,
  es: async () => (await import('#web/kit/lang/es')).es,
  ar: async () => (await import('#web/kit/lang/ar')).ar,
}

/** The texts of a catalogue in a language. What one that was added lacks is in English. */
export async function textsIn<E extends English>(catalogue: Catalogue<E>, language: Language): Promise<TextsLike<E>> {
  if (isBuiltIn(language)) return catalogue[language]()
  const [english, own] = await Promise.all([catalogue.en(), addedTexts(language, catalogue.id)])
  return { ...english, ...own }
}

/** Functions that write in one language, with the texts of a catalogue. */
export type Translator<E extends English = Common> = {
  language: Language
  /** The text of this key; a key whose text has placeholders needs their values. */
  t<K extends KeyOf<E>>(key: K, ...values: ValuesOf<E[K]>): string
  /** The text for this number, which is `{count}` in it. */
  count(key: CountedKeyOf<KeyOf<E>>, count: number, values?: ValuesByName): string
  /** A date without time of day, as `2026-03-02`, in words. */
  day(date: string): string
}

function createTranslator<E extends English>(
  language: Language,
  texts: Readonly<Record<string, string>>,
): Translator<E> {
  // Digits that everybody on a ward reads: an Arabic page shows the same numbers as the labels of a device.
  const locale = localeOf(language)
  const numbers = new Intl.NumberFormat(locale)
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const text = (key: string): string | undefined => (Object.hasOwn(texts, key) ? texts[key] : undefined)
  return {
    language,
    t: (key, ...[values]) => fillIsolated(text(key) ?? '', values ?? {}, language),
    count: (key, count, values = {}) => {
      const template = templateOf(texts, key, count, language)
      return fillIsolated(template ?? '', { ...values, count: numbers.format(count) }, language)
    },
    day: (date) => days.format(new Date(`${date}T00:00:00Z`)),
  }
}

/** No texts besides those of all pages. */
type NoTexts = Readonly<Record<never, string>>

/**
 * Returns the function that loads the translator of a language, with these texts and those of all pages. The texts of a language are loaded
 * once.
 */
export function createTranslatorLoader<A extends English, B extends English = NoTexts, C extends English = NoTexts>(
  ...catalogues: readonly [Catalogue<A>, Catalogue<B>?, Catalogue<C>?]
): (language: Language) => Promise<Translator<Common & A & B & C>> {
  const loaders = new Map<Language, Promise<Translator<Common & A & B & C>>>()
  return (language) => {
    const known = loaders.get(language)
    if (known) return known
    const loading = Promise.all([common, ...catalogues].map((each) => each && textsIn<English>(each, language))).then(
      (texts) => createTranslator<Common & A & B & C>(language, Object.assign({}, ...texts)),
    )
    loaders.set(language, loading)
    // A device that lost its connection in between tries again.
    loading.catch(() => loaders.delete(language))
    return loading
  }
}
