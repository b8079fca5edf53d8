import { createTranslatorContext } from '#web/kit/ui/components'
import type { Translator } from './texts'

export const { Provider: MeetingTranslatorProvider, use: useTranslator } = createTranslatorContext<Translator>()
