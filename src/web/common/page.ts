/** What the scripts of a page learn from the page that the server wrote. */
import { isLanguage, type Speaker, speakerOf } from './texts'

/** The functions for the language of the page. */
export async function pageSpeaker(): Promise<Speaker> {
  const { lang } = document.documentElement
  return speakerOf(isLanguage(lang) ? lang : 'en')
}
