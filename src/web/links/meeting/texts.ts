/** The texts of the room of a meeting. Other pages do not load them. */
import {
  type Catalogue,
  type Common,
  createTranslatorLoader,
  type Translator as TranslatorOf,
} from '#web/kit/language/translator'
import { createTranslatorContext } from '#web/kit/ui/translator'
import type { en } from '#web/links/meeting/lang/en'

type English = typeof en
export type Translator = TranslatorOf<Common & English>

export const meeting: Catalogue<English> = {
  id: 'links/meeting',
  en: async () => (await import('#web/links/meeting/lang/en')).en,
  de: async () => (await import('#web/links/meeting/lang/de')).de,
  fr: async () => (await import('#web/links/meeting/lang/fr')).fr,
  es: async () => (await import('#web/links/meeting/lang/es')).es,
  ar: async () => (await import('#web/links/meeting/lang/ar')).ar,
}

/** The functions that write in this language. */
export const loadTranslator = createTranslatorLoader(meeting)

/** The same for the components within. */
export const { Provider: MeetingTranslatorProvider, use: useTranslator } = createTranslatorContext<Translator>()
