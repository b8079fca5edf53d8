import { createTranslatorContext } from '#web/kit/ui/components'
import type { Translator as FillTranslator } from './fillTexts'
import type { Translator } from './texts'

/** Around forms. */
export const { Provider: FormTranslatorProvider, use: useFormTranslator } = createTranslatorContext<Translator>()

/** Within a form. */
export const { Provider: FillTranslatorProvider, use: useTranslator } = createTranslatorContext<FillTranslator>()
