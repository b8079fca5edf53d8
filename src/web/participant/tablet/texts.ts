/** The texts of shared tablets. Other devices do not load them. */

import {
  type Catalogue,
  type Common,
  createTranslatorLoader,
  type Translator as TranslatorOf,
} from '#web/kit/language/translator'
import type { en } from '#web/participant/tablet/lang/en'

type English = typeof en
export type Translator = TranslatorOf<Common & English>

export const tablet: Catalogue<English> = {
  id: 'participant/tablet',
  en: async () => (await import('#web/participant/tablet/lang/en')).en,
  de: async () => (await import('#web/participant/tablet/lang/de')).de,
  fr: async () => (await import('#web/participant/tablet/lang/fr')).fr,
  es: async () => (await import('#web/participant/tablet/lang/es')).es,
  ar: async () => (await import('#web/participant/tablet/lang/ar')).ar,
}

/** The functions that write in this language. */
export const loadTranslator = createTranslatorLoader(tablet)
