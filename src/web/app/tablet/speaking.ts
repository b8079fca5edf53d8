import { useEffect, useState } from 'preact/hooks'
import { useSpeaker } from '#web/app/speaking'
import { type Speaker, speakerOf } from './texts'

/** The functions that write in the language of the app; undefined until its texts are there. */
export function useTabletSpeaker(): Speaker | undefined {
  const { language } = useSpeaker()
  const [speaker, setSpeaker] = useState<Speaker>()
  useEffect(() => {
    let isCurrent = true
    const set = (loaded: Speaker) => isCurrent && setSpeaker(loaded)
    speakerOf(language).then(set, () => void speakerOf('en').then(set, () => undefined))
    return () => {
      isCurrent = false
    }
  }, [language])
  return speaker
}
