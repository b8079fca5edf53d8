import type { ComponentType } from 'preact'
import { pageLanguage } from '#web/kit/language/pageLanguage'
import { createTranslatorContext, mountWith } from '#web/kit/ui/components'
import { loadTranslator, type Translator } from './texts'

const { Provider, use } = createTranslatorContext<Translator>()

/** The functions for the language of the page. */
export const useTranslator = use

/** Puts a component into the place that the server left for it, when the texts of the language are there. */
export const mountPage = async (Page: ComponentType): Promise<void> =>
  mountWith(await loadTranslator(pageLanguage()), Provider, Page)
