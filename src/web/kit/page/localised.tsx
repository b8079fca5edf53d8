/** A page whose language the person chooses while it is shown. */
import type { ComponentChildren, Provider } from 'preact'
import { language, markLanguage } from '#web/kit/language/chosenLanguage'
import type { Language } from '#web/kit/language/languages'
import type { Translator } from '#web/kit/language/translator'
import { useTexts } from '#web/kit/language/useTexts'
import { Boundary, TranslatorProvider } from '#web/kit/ui/components'

type Props<T extends Translator> = {
  load: (language: Language) => Promise<T>
  first: T
  /** The contexts in which its components find the translator. */
  providers: readonly Provider<T | undefined>[]
  onLoaded?: (translator: T) => void
  /** What becomes of what was entered if the page has an error. */
  noteOf?: (translator: T) => string
  children: ComponentChildren
}

export function Localised<T extends Translator>({ load, first, providers, onLoaded, noteOf, children }: Props<T>) {
  const chosen = language.value
  const translator = useTexts(load, chosen, first, (loaded) => {
    markLanguage(loaded.language)
    onLoaded?.(loaded)
  })
  return (
    <TranslatorProvider translator={translator} providers={providers}>
      <Boundary note={noteOf?.(translator)}>{children}</Boundary>
    </TranslatorProvider>
  )
}

/** The translator of the language that the person has chosen; in English if its texts cannot be loaded. */
export const firstTranslator = <T,>(load: (language: Language) => Promise<T>): Promise<T> =>
  load(language.value).catch(() => load('en'))
