/** The one place where the language of a page changes while it is shown. */
import { useEffect, useState } from 'preact/hooks'
import type { Language } from './languages'

/**
 * The translator of a language, as soon as its texts are there; until then, and without a connection, that of before. What was entered
 * stays.
 * @param first that of before
 * @param onLoaded called with each that takes its place
 */
export function useTexts<T extends object>(
  load: (language: Language) => Promise<T>,
  language: Language,
  first: T,
  onLoaded?: (loaded: T) => void,
): T
export function useTexts<T extends object>(load: (language: Language) => Promise<T>, language: Language): T | undefined
export function useTexts<T extends object>(
  load: (language: Language) => Promise<T>,
  language: Language,
  first?: T,
  onLoaded?: (loaded: T) => void,
): T | undefined {
  const [translator, setTranslator] = useState(first)
  useEffect(() => {
    let isCurrent = true
    const take = (loaded: T) => {
      if (!isCurrent) return
      onLoaded?.(loaded)
      setTranslator(loaded)
    }
    // The texts of a language may not be on the device; those in English are.
    const takeEnglish = () => void (translator ?? load('en').then(take, () => undefined))
    load(language).then(take, takeEnglish)
    return () => {
      isCurrent = false
    }
  }, [language])
  return translator
}
