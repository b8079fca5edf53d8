import { frame } from '#web/app/lang/frame/en'
import { home } from '#web/app/lang/home/en'
import { pages } from '#web/app/lang/pages/en'

/** The texts of the app of participants in English. The other languages have the same keys and placeholders. */
export const en = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'There is no such page',
  'app.toStart': 'Go to the start',
} as const
