/** What the scripts of a page learn from the page that the server wrote. */
import { isLanguage, type Language } from './languages'

/** The language of the page. */
export function pageLanguage(): Language {
  const { lang } = document.documentElement
  return isLanguage(lang) ? lang : 'en'
}
