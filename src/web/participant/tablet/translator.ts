import { useEffect, useState } from 'preact/hooks'
import { useTranslator } from '#web/participant/translator'
import { loadTranslator, type Translator } from './texts'

/** The functions that write in the language of the app; undefined until its texts are there. */
export function useTabletTranslator(): Translator | undefined {
  const { language } = useTranslator()
  const [translator, setSpeaker] = useState<Translator>()
  useEffect(() => {
    let isCurrent = true
    const set = (loaded: Translator) => isCurrent && setSpeaker(loaded)
    loadTranslator(language).then(set, () => void loadTranslator('en').then(set, () => undefined))
    return () => {
      isCurrent = false
    }
  }, [language])
  return translator
}
