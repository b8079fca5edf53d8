import { createTranslatorContext } from '#web/kit/ui/components'
import type { Translator } from './texts'

export const { Provider: AppTranslatorProvider, use: useTranslator } = createTranslatorContext<Translator>()
