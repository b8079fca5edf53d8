/** The texts of the account and of the links that lead to one. The other pages of the site do not load them. */
import {
  type Catalogue,
  type Common,
  createTranslatorLoader,
  type Translator as TranslatorOf,
} from '#web/kit/language/translator'
import { type SignInTexts, signIn } from '#web/kit/signIn/texts'
import type { en } from '#web/site/lang/account/en'

type English = typeof en
export type Translator = TranslatorOf<Common & SignInTexts & English>

export const account: Catalogue<English> = {
  id: 'site/account',
  en: async () => (await import('#web/site/lang/account/en')).en,
  de: async () => (await import('#web/site/lang/account/de')).de,
  fr: async () => (await import('#web/site/lang/account/fr')).fr,
  es: async () => (await import('#web/site/lang/account/es')).es,
  ar: async () => (await import('#web/site/lang/account/ar')).ar,
}

/** The functions that write in this language. */
export const loadTranslator = createTranslatorLoader(signIn, account)
