/** The texts of the first pages, the account and the manual. */
import {
  type Catalogue,
  type Common,
  createTranslatorLoader,
  type Translator as TranslatorOf,
} from '#web/kit/language/translator'
import type { en } from '#web/site/lang/en'

type English = typeof en
export type Translator = TranslatorOf<Common & English>

export const site: Catalogue<English> = {
  id: 'site',
  en: async () => (await import('#web/site/lang/en')).en,
  de: async () => (await import('#web/site/lang/de')).de,
  fr: async () => (await import('#web/site/lang/fr')).fr,
  es: async () => (await import('#web/site/lang/es')).es,
  ar: async () => (await import('#web/site/lang/ar')).ar,
}

/** The functions that write in this language. */
export const loadTranslator = createTranslatorLoader(site)
