import type { ComponentType } from 'preact'
import { useTexts } from '#web/kit/language/useTexts'
import { createTranslatorContext } from '#web/kit/ui/components'
import { useTranslator as useLinkTranslator } from '#web/links/texts'
import { loadTranslator, type Translator } from './texts'

const { Provider, use } = createTranslatorContext<Translator>()

/** The translator of the consent pages. */
export const useTranslator = use

/** A page with the texts of the consent pages in the language of the person. What was entered stays when it changes. */
export function withTexts(Page: ComponentType, first: Translator): ComponentType {
  return function ConsentTexts() {
    const translator = useTexts(loadTranslator, useLinkTranslator().language, first)
    return (
      <Provider value={translator}>
        <Page />
      </Provider>
    )
  }
}
