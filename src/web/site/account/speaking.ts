import type { ComponentType } from 'preact'
import { pageLanguage } from '#web/common/page'
import { mountWith, speaking } from '#web/ui/components'
import { type Speaker, speakerOf } from './texts'

const { Provider, use } = speaking<Speaker>()

/** The functions for the language of the page. */
export const useSpeaker = use

/** Puts a component into the place that the server left for it, when the texts of the language are there. */
export const mountPage = async (Page: ComponentType): Promise<void> =>
  mountWith(await speakerOf(pageLanguage()), Provider, Page)
