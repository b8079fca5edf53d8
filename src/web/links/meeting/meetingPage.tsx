/** The page behind the link of a meeting, with its texts in the language of the person. */
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { language } from '#web/kit/language/chosenLanguage'
import { MeetingPage } from './page'
import { loadTranslator } from './texts'
import { MeetingTranslatorProvider } from './translator'

/** Loads the texts, and returns the page. */
export async function meetingPage(): Promise<ComponentType> {
  const first = await loadTranslator(language.value).catch(() => loadTranslator('en'))
  return function Meeting() {
    const [translator, setSpeaker] = useState(first)
    const chosen = language.value
    useEffect(() => {
      let isCurrent = true
      // Without a connection the language stays as it is.
      loadTranslator(chosen).then(
        (loaded) => void (isCurrent && setSpeaker(loaded)),
        () => {},
      )
      return () => {
        isCurrent = false
      }
    }, [chosen])
    return (
      <MeetingTranslatorProvider value={translator}>
        <MeetingPage />
      </MeetingTranslatorProvider>
    )
  }
}
