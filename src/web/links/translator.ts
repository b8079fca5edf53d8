import { createTranslatorContext } from '#web/kit/ui/components'
import type { Translator } from './texts'

export const { Provider: LinkTranslatorProvider, use: useTranslator } = createTranslatorContext<Translator>()
