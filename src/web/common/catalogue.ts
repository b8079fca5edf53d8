/** What a catalogue of the pages' texts must hold. English is the one that the others are compared with. */
import type { CountedOf, PlaceholderIn } from '#texts/fill'
import type { en } from '#web/common/lang/en'

export type Key = keyof typeof en
export type CountedKey = CountedOf<Key>

/** All texts of a language; where it counts in more ways than English does, also `.zero`, `.two`, `.few` and `.many`. */
export type Texts = Readonly<Record<Key, string>> &
  Readonly<Partial<Record<`${CountedKey}.${'zero' | 'two' | 'few' | 'many'}`, string>>>

/** The values for the placeholders of a text, as the last argument of a function; none if it has no placeholder. */
export type ValuesOf<K extends Key> = [PlaceholderIn<(typeof en)[K]>] extends [never]
  ? []
  : [values: Readonly<Record<PlaceholderIn<(typeof en)[K]>, string | number>>]
