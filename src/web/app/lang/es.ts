import { frame } from '#web/app/lang/frame/es'
import { home } from '#web/app/lang/home/es'
import { pages } from '#web/app/lang/pages/es'
import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the app of participants in Spanish. */
export const es = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'Esta página no existe',
  'app.toStart': 'Ir al inicio',
} as const satisfies TextsLike<typeof en>
