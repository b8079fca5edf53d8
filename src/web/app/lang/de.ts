import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the app of participants in German. */
export const de = {
  'app.notFound': 'Diese Seite gibt es nicht',
  'app.toStart': 'Zum Anfang',
} as const satisfies TextsLike<typeof en>
