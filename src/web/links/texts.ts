/** The texts of the pages behind links: those of the app, whose form and menus they show, and their own. */

import {
  type Catalogue,
  type Common,
  createTranslatorLoader,
  type Translator as TranslatorOf,
} from '#web/kit/language/translator'
import type { en } from '#web/links/lang/en'
import type { en as appTexts } from '#web/participant/lang/en'
import { app } from '#web/participant/texts'

type Own = typeof en
type English = typeof appTexts & Own
export type Translator = TranslatorOf<Common & English>

export const links: Catalogue<Own> = {
  en: async () => (await import('#web/links/lang/en')).en,
  de: async () => (await import('#web/links/lang/de')).de,
  fr: async () => (await import('#web/links/lang/fr')).fr,
  es: async () => (await import('#web/links/lang/es')).es,
  ar: async () => (await import('#web/links/lang/ar')).ar,
}

const both = (language: keyof typeof links) => async () => {
  const [ofApp, own] = await Promise.all([app[language](), links[language]()])
  return { ...ofApp, ...own }
}

/** The functions that write in this language. */
export const loadTranslator = createTranslatorLoader<English>({
  en: both('en'),
  de: both('de'),
  fr: both('fr'),
  es: both('es'),
  ar: both('ar'),
})
