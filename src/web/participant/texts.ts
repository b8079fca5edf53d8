/** The texts of the app of participants: its own, and those of the forms. */
import { type FormTexts, form } from '#web/form/texts'
import {
  type Catalogue,
  type Common,
  createTranslatorLoader,
  type Translator as TranslatorOf,
} from '#web/kit/language/translator'
import { createTranslatorContext } from '#web/kit/ui/translator'
import type { en } from '#web/participant/lang/en'

type English = typeof en
export type Translator = TranslatorOf<Common & FormTexts & English>

export const participant: Catalogue<English> = {
  id: 'participant',
  en: async () => (await import('#web/participant/lang/en')).en,
  de: async () => (await import('#web/participant/lang/de')).de,
  fr: async () => (await import('#web/participant/lang/fr')).fr,
  es: async () => (await import('#web/participant/lang/es')).es,
  ar: async () => (await import('#web/participant/lang/ar')).ar,
}

/** The functions that write in this language. */
export const loadTranslator = createTranslatorLoader(form, participant)

/** The same for the components within. */
export const { Provider: AppTranslatorProvider, use: useTranslator } = createTranslatorContext<Translator>()
