import { type ComponentType, createContext } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { useSpeaker as useLinkSpeaker } from '../speaking'
import { type Speaker, speakerOf } from './texts'

const context = createContext<Speaker | undefined>(undefined)

/** The functions with which the consent pages speak. */
export function useSpeaker(): Speaker {
  const speaker = useContext(context)
  if (!speaker) throw new Error('A component is outside of the page.')
  return speaker
}

/** A page with the texts of the consent pages in the language of the person. What was entered stays when it changes. */
export function withTexts(Page: ComponentType, first: Speaker): ComponentType {
  return function Localised() {
    const { language } = useLinkSpeaker()
    const [speaker, setSpeaker] = useState(first)
    useEffect(() => {
      let isCurrent = true
      // Without a connection the language stays as it is.
      speakerOf(language).then(
        (loaded) => isCurrent && setSpeaker(loaded),
        () => {},
      )
      return () => {
        isCurrent = false
      }
    }, [language])
    return (
      <context.Provider value={speaker}>
        <Page />
      </context.Provider>
    )
  }
}
