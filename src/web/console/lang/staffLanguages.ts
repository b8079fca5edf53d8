/** The languages of staff. Who has chosen another one for the app reads English here. */

import type { English, TextsLike } from '#web/kit/language/catalogue'
import { type BuiltInLanguage, isBuiltIn, type Language } from '#web/kit/language/languages'
import type { Catalogue as AllLanguages } from '#web/kit/language/translator'

/** Those that the console comes with. It also has those that the site has added. */
export const staffLanguages = ['en', 'de'] as const satisfies readonly BuiltInLanguage[]
type StaffLanguage = (typeof staffLanguages)[number]

/** The language of the pages of staff for somebody who reads this one. */
export const staffLanguageOf = (language: Language): Language =>
  isBuiltIn(language) ? (staffLanguages.find((each) => each === language) ?? 'en') : language

/** The functions that load the texts of an area, by language. @param id its name in files of other languages: `console/<folder>` */
export function staffTexts<E extends English>(
  id: `console/${string}`,
  en: () => Promise<E>,
  others: Readonly<Record<Exclude<StaffLanguage, 'en'>, () => Promise<TextsLike<E>>>>,
): AllLanguages<E> {
  // The type has all languages of the pages; those that staff do not have are never asked for.
  const english = en as unknown as () => Promise<TextsLike<E>>
  return { id, en: english, fr: english, es: english, ar: english, ...others }
}
