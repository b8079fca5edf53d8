/** The texts of the pages behind links: their own, and those of the forms. */
import { type FormTexts, form } from '#web/form/texts'
import {
  type Catalogue,
  type Common,
  createTranslatorLoader,
  type Translator as TranslatorOf,
} from '#web/kit/language/translator'
import { createTranslatorContext } from '#web/kit/ui/translator'
import type { en } from '#web/links/lang/en'

type English = typeof en
export type Translator = TranslatorOf<Common & FormTexts & English>

export const links: Catalogue<English> = {
  id: 'links',
  en: async () => (await import('#web/links/lang/en')).en,
  de: async () => (await import('#web/links/lang/de')).de,
  fr: async () => (await import('#web/links/lang/fr')).fr,
  es: async () => (await import('#web/links/lang/es')).es,
  ar: async () => (await import('#web/links/lang/ar')).ar,
}

/** The functions that write in this language. */
export const loadTranslator = createTranslatorLoader(form, links)

/** The same for the components within. */
export const { Provider: LinkTranslatorProvider, use: useTranslator } = createTranslatorContext<Translator>()
