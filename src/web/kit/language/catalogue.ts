/** What a catalogue of the pages' texts must hold. English is the one that the others are compared with. */
import type { CountedKeyOf, PlaceholderIn } from '#kernel/template'

/** The texts in English, by key. */
export type English = Readonly<Record<string, string>>

export type KeyOf<E extends English> = Extract<keyof E, string>

/** All texts of a language; where it counts in more ways than English does, also `.zero`, `.two`, `.few` and `.many`. */
export type TextsLike<E extends English> = Readonly<Record<KeyOf<E>, string>> &
  Readonly<Partial<Record<`${CountedKeyOf<KeyOf<E>>}.${'zero' | 'two' | 'few' | 'many'}`, string>>>

/** The values for the placeholders of a text, as the last argument of a function; no argument if the text has no placeholder. */
export type ValuesOf<T extends string> = [PlaceholderIn<T>] extends [never]
  ? []
  : [values: Readonly<Record<PlaceholderIn<T>, string | number>>]
