import { useTexts } from '#web/kit/language/useTexts'
import { useTranslator } from '#web/participant/texts'
import { loadTranslator, type Translator } from './texts'

/** The functions that write in the language of the app; undefined until its texts are there. */
export const useTabletTranslator = (): Translator | undefined => useTexts(loadTranslator, useTranslator().language)
