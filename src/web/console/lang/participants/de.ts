import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of the grid of participants in German. */
export const de = {
  'participants.title': 'Teilnehmende',
} as const satisfies TextsLike<typeof en>
