import type { Method } from './server'
import type { Step } from './steps'
import type { Speaker } from './texts'

/** The headings of the steps. */
export const titlesOf = ({ say }: Speaker): Record<Step, string> => ({
  information: say('consent.information'),
  questions: say('consent.questions'),
  eligibility: say('consent.eligibility'),
  statements: say('consent.statements'),
  contact: say('consent.contact'),
  photo: say('consent.photo'),
  signature: say('consent.signature'),
  review: say('consent.review'),
})

/** The names of the ways to reach somebody. */
export const methodNames = ({ say }: Speaker): Record<Method, string> => ({
  email: say('consent.email'),
  phone: say('consent.phone'),
  whatsapp: say('consent.whatsapp'),
})
