import { type ComponentType, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { useTranslator as useLinkTranslator } from '#web/links/translator'
import { loadTranslator, type Translator } from './texts'

const context = createContext<Translator | undefined>(undefined)

/** The translator of the consent pages. */
export function useTranslator(): Translator {
  const translator = useContext(context)
  if (!translator) throw new Error('A component is outside of the page.')
  return translator
}

/** A page with the texts of the consent pages in the language of the person. What was entered stays when it changes. */
export function withTexts(Page: ComponentType, first: Translator): ComponentType {
  return function Localised() {
    const { language } = useLinkTranslator()
    const [translator, setSpeaker] = useState(first)
    useEffect(() => {
      let isCurrent = true
      // Without a connection the language stays as it is.
      loadTranslator(language).then(
        (loaded) => isCurrent && setSpeaker(loaded),
        () => {},
      )
      return () => {
        isCurrent = false
      }
    }, [language])
    return (
      <context.Provider value={translator}>
        <Page />
      </context.Provider>
    )
  }
}
