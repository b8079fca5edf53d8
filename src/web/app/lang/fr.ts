import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the app of participants in French. */
export const fr = {
  'app.notFound': 'Cette page n’existe pas',
  'app.toStart': 'Aller au début',
} as const satisfies TextsLike<typeof en>
