import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'
import { frame } from './frame/fr'
import { home } from './home/fr'
import { pages } from './pages/fr'

/** The texts of the app of participants in French. */
export const fr = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'Cette page n’existe pas',
  'app.toStart': 'Aller au début',
} as const satisfies TextsLike<typeof en>
