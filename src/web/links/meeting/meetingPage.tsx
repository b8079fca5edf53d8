/** The page behind the link of a meeting, with its texts in the language of the person. */
import type { ComponentType } from 'preact'
import { language } from '#web/kit/language/chosenLanguage'
import { useTexts } from '#web/kit/language/useTexts'
import { firstTranslator } from '#web/kit/page/page'
import { MeetingPage } from './page'
import { loadTranslator, MeetingTranslatorProvider } from './texts'

/** Loads the texts, and returns the page. */
export async function meetingPage(): Promise<ComponentType> {
  const first = await firstTranslator(loadTranslator)
  return function Meeting() {
    return (
      <MeetingTranslatorProvider value={useTexts(loadTranslator, language.value, first)}>
        <MeetingPage />
      </MeetingTranslatorProvider>
    )
  }
}
