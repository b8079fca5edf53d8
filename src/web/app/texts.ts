/** The texts of the app of participants. */

import type { en } from '#web/app/lang/en'
import { type Catalogue, type Common, createTranslatorLoader, type Translator as TranslatorOf } from '#web/common/texts'

type English = typeof en
export type Translator = TranslatorOf<Common & English>

export const app: Catalogue<English> = {
  en: async () => (await import('#web/app/lang/en')).en,
  de: async () => (await import('#web/app/lang/de')).de,
  fr: async () => (await import('#web/app/lang/fr')).fr,
  es: async () => (await import('#web/app/lang/es')).es,
  ar: async () => (await import('#web/app/lang/ar')).ar,
}

/** The functions that write in this language. */
export const loadTranslator = createTranslatorLoader(app)
