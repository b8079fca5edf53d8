/** The texts of signing in to the pages of staff. */

import type { Catalogue, Common, Translator as TranslatorOf } from '#web/kit/language/translator'
import type { en } from '#web/kit/signIn/lang/en'

export type SignInTexts = typeof en
export type SignInTranslator = TranslatorOf<Common & SignInTexts>

export const signIn: Catalogue<SignInTexts> = {
  id: 'kit/signIn',
  en: async () => (await import('#web/kit/signIn/lang/en')).en,
  de: async () => (await import('#web/kit/signIn/lang/de')).de,
  fr: async () => (await import('#web/kit/signIn/lang/fr')).fr,
  es: async () => (await import('#web/kit/signIn/lang/es')).es,
  ar: async () => (await import('#web/kit/signIn/lang/ar')).ar,
}
