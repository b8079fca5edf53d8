import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the app of participants in Spanish. */
export const es = {
  'app.notFound': 'Esta página no existe',
  'app.toStart': 'Ir al inicio',
} as const satisfies TextsLike<typeof en>
