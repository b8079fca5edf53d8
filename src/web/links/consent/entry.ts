/** The consent pages. Each is made with the texts of the language that the device has chosen. */
import type { ComponentType } from 'preact'
import { firstTranslator } from '#web/kit/page/page'
import { InPerson } from './inPerson'
import { Remote } from './remote'
import { loadTranslator } from './texts'
import { withTexts } from './translator'
import { Withdraw } from './withdraw'

const pages = { inPerson: InPerson, remote: Remote, withdraw: Withdraw }

/** The page with this name, as soon as its texts are there. */
export async function consentPage(name: keyof typeof pages): Promise<ComponentType> {
  return withTexts(pages[name], await firstTranslator(loadTranslator))
}
