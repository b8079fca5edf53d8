/** The texts of the consent pages: loaded with the first of them, beside those of all pages behind links. */
import {
  type Catalogue,
  type Common,
  createTranslatorLoader,
  type Translator as TranslatorOf,
} from '#web/kit/language/translator'
import type { en } from '#web/links/consent/lang/en'
import type { en as linkTexts } from '#web/links/lang/en'
import { links } from '#web/links/texts'

type Own = typeof en
type English = typeof linkTexts & Own
export type Translator = TranslatorOf<Common & English>

export const consent: Catalogue<Own> = {
  id: 'links/consent',
  en: async () => (await import('#web/links/consent/lang/en')).en,
  de: async () => (await import('#web/links/consent/lang/de')).de,
  fr: async () => (await import('#web/links/consent/lang/fr')).fr,
  es: async () => (await import('#web/links/consent/lang/es')).es,
  ar: async () => (await import('#web/links/consent/lang/ar')).ar,
}

/** The functions that write in this language. */
export const loadTranslator = createTranslatorLoader(links, consent)
