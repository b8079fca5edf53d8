import { frame } from '#web/app/lang/frame/fr'
import { home } from '#web/app/lang/home/fr'
import { pages } from '#web/app/lang/pages/fr'
import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the app of participants in French. */
export const fr = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'Cette page n’existe pas',
  'app.toStart': 'Aller au début',
} as const satisfies TextsLike<typeof en>
