/** What a translation of refusals must hold: a sentence for each code of the file that it translates. */
import type { CountedKeyOf } from '#kernel/template'

type Sentences = Readonly<Record<string, string>>

/** The sentences in another language; where it counts in more ways than English does, also `.zero`, `.two`, `.few` and `.many`. */
export type TranslationOf<S extends Sentences> = Readonly<Record<keyof S, string>> &
  Readonly<Partial<Record<`${CountedKeyOf<Extract<keyof S, string>>}.${'zero' | 'two' | 'few' | 'many'}`, string>>>
