/** The texts of a form to fill in, which are loaded with the first form. */
import type { AnswerTexts } from '#texts/answers/en'
import type { InstructionTexts } from '#texts/answers/instructions/en'
import type { en } from '#web/form/lang/fill/en'
import { addedTexts } from '#web/kit/language/addedTexts'
import { isBuiltIn, type Language } from '#web/kit/language/languages'
import {
  type Catalogue,
  type Common,
  createTranslatorLoader,
  type Translator as TranslatorOf,
} from '#web/kit/language/translator'
import { type FormTexts, form } from './texts'

type FillTexts = typeof en
export type Translator = TranslatorOf<Common & FormTexts & FillTexts>

const files = {
  en: () => import('#web/form/lang/fill/en'),
  de: () => import('#web/form/lang/fill/de'),
  fr: () => import('#web/form/lang/fill/fr'),
  es: () => import('#web/form/lang/fill/es'),
  ar: () => import('#web/form/lang/fill/ar'),
} as const

export const fill: Catalogue<FillTexts> = {
  id: 'form/fill',
  en: async () => (await files.en()).en,
  de: async () => (await files.de()).de,
  fr: async () => (await files.fr()).fr,
  es: async () => (await files.es()).es,
  ar: async () => (await files.ar()).ar,
}

/** The functions that write in this language. */
export const loadTranslator = createTranslatorLoader(form, fill)

/** Texts of problems: as they follow the title of a question in a list, and as they stand beside its field. */
export type ProblemTexts = AnswerTexts & { beside: InstructionTexts }

export async function problemTexts(language: Language): Promise<ProblemTexts> {
  const { listed, beside } = await files[isBuiltIn(language) ? language : 'en']()
  if (isBuiltIn(language)) return { ...listed, beside }
  const [answers, instructions] = await Promise.all(
    ['form/answers', 'form/instructions'].map((each) => addedTexts(language, each)),
  )
  return { ...listed, ...answers, beside: { ...beside, ...instructions } }
}

/** What a form shows in a language. */
export type LoadedTexts = ProblemTexts & { translator: Translator }

async function textsIn(language: Language): Promise<LoadedTexts> {
  const [translator, texts] = await Promise.all([loadTranslator(language), problemTexts(language)])
  // The controls of dates give nothing else that is no date.
  const [notDate, pattern] = [translator.t('form.halfDate'), translator.t('form.pattern')]
  return { ...texts, translator, pattern, notDate, notMoment: notDate, notTime: notDate }
}

/**
 * The texts for people who fill in a form. Without a connection, a language that is not on the device cannot be read: English is.
 * They never contain regular expressions or technical date formats.
 */
export const textsFor = ({ language }: { language: Language }): Promise<LoadedTexts> =>
  textsIn(language).catch(() => textsIn('en'))
