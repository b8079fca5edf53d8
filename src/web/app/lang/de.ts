import { frame } from '#web/app/lang/frame/de'
import { home } from '#web/app/lang/home/de'
import { pages } from '#web/app/lang/pages/de'
import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the app of participants in German. */
export const de = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'Diese Seite gibt es nicht',
  'app.toStart': 'Zum Anfang',
} as const satisfies TextsLike<typeof en>
