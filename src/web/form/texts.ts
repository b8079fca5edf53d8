/** What is said around forms, for every front end that shows some. The texts of a form itself are loaded with it (`fillTexts.ts`). */
import type { en } from '#web/form/lang/en'
import type { Catalogue, Common, Translator as TranslatorOf } from '#web/kit/language/translator'

export type FormTexts = typeof en
export type Translator = TranslatorOf<Common & FormTexts>

export const form: Catalogue<FormTexts> = {
  id: 'form',
  en: async () => (await import('#web/form/lang/en')).en,
  de: async () => (await import('#web/form/lang/de')).de,
  fr: async () => (await import('#web/form/lang/fr')).fr,
  es: async () => (await import('#web/form/lang/es')).es,
  ar: async () => (await import('#web/form/lang/ar')).ar,
}
