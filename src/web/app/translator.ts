import { createTranslatorContext } from '#web/ui/components'
import type { Translator } from './texts'

export const { Provider: AppTranslatorProvider, use: useTranslator } = createTranslatorContext<Translator>()
