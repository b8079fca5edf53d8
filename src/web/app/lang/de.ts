import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'
import { frame } from './frame/de'
import { home } from './home/de'
import { pages } from './pages/de'

/** The texts of the app of participants in German. */
export const de = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'Diese Seite gibt es nicht',
  'app.toStart': 'Zum Anfang',
} as const satisfies TextsLike<typeof en>
