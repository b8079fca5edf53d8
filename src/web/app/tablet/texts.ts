/** The texts of shared tablets. Other devices do not load them. */
import type { en } from '#web/app/tablet/lang/en'
import { type Catalogue, type Common, createTranslatorLoader, type Translator as TranslatorOf } from '#web/common/texts'

type English = typeof en
export type Translator = TranslatorOf<Common & English>

export const tablet: Catalogue<English> = {
  en: async () => (await import('#web/app/tablet/lang/en')).en,
  de: async () => (await import('#web/app/tablet/lang/de')).de,
  fr: async () => (await import('#web/app/tablet/lang/fr')).fr,
  es: async () => (await import('#web/app/tablet/lang/es')).es,
  ar: async () => (await import('#web/app/tablet/lang/ar')).ar,
}

/** The functions that write in this language. */
export const loadTranslator = createTranslatorLoader(tablet)
