import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'
import { frame } from './frame/es'
import { home } from './home/es'
import { pages } from './pages/es'

/** The texts of the app of participants in Spanish. */
export const es = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'Esta página no existe',
  'app.toStart': 'Ir al inicio',
} as const satisfies TextsLike<typeof en>
