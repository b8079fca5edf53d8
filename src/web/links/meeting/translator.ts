import { createTranslatorContext } from '#web/ui/components'
import type { Translator } from './texts'

export const { Provider: MeetingTranslatorProvider, use: useTranslator } = createTranslatorContext<Translator>()
