/** The languages of staff. Who has chosen another one for the app reads English here. */

import type { English, TextsLike } from '#web/kit/language/catalogue'
import type { Language } from '#web/kit/language/languages'
import type { Catalogue as AllLanguages } from '#web/kit/language/translator'

export const staffLanguages = ['en', 'de'] as const satisfies readonly Language[]
export type StaffLanguage = (typeof staffLanguages)[number]

/** The language of the pages of staff for somebody who reads this one. */
export const staffLanguageOf = (language: Language): StaffLanguage =>
  staffLanguages.find((each) => each === language) ?? 'en'

/** The functions that load the texts of an area, by language. */
export function staffTexts<E extends English>(
  en: () => Promise<E>,
  others: Readonly<Record<Exclude<StaffLanguage, 'en'>, () => Promise<TextsLike<E>>>>,
): AllLanguages<E> {
  // The type has all languages of the pages; those that staff do not have are never asked for.
  const english = en as unknown as () => Promise<TextsLike<E>>
  return { en: english, fr: english, es: english, ar: english, ...others }
}
