import type { Method } from './requests'
import type { Step } from './steps'
import type { Translator } from './texts'

/** The headings of the steps. */
export const titlesOf = ({ t }: Translator): Record<Step, string> => ({
  information: t('consent.information'),
  questions: t('consent.questions'),
  eligibility: t('consent.eligibility'),
  statements: t('consent.statements'),
  contact: t('consent.contact'),
  photo: t('consent.photo'),
  signature: t('consent.signature'),
  review: t('consent.review'),
})

/** The names of the ways to reach somebody. */
export const methodNames = ({ t }: Translator): Record<Method, string> => ({
  email: t('consent.email'),
  phone: t('consent.phone'),
  whatsapp: t('consent.whatsapp'),
})
