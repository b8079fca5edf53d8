/** The languages in which the server is asked to answer. */
import { languageVariants } from '#kernel/template'
import { isLanguage } from './languages'

/**
 * The header `Accept-Language`: what the browser prefers, since a study may speak a language that the pages do not have; after the
 * language of the page, if somebody chose another one than the browser's.
 * @param page the language of the page
 */
export function acceptedLanguages(page: string, preferred: readonly string[] = navigator.languages ?? []): string {
  const first = preferred.flatMap((each) => languageVariants(each.toLowerCase())).find(isLanguage) ?? 'en'
  const wanted = first === page ? [...preferred, page] : [page, ...preferred]
  return [...new Set(wanted)]
    .slice(0, 9)
    .map((each, at) => (at === 0 ? each : `${each};q=0.${10 - at}`))
    .join(', ')
}
