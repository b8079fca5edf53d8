/** What the scripts of a page learn from the page that the server wrote. */
import { isLanguage, type Language } from './translator'

/** The language of the page. */
export function pageLanguage(): Language {
  const { lang } = document.documentElement
  return isLanguage(lang) ? lang : 'en'
}
